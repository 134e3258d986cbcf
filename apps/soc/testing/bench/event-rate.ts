import { createClock } from "@kit/clock";
import { print } from "./figures.ts";
import { sendUntil, type World } from "./growth-world.ts";

const LOAD = { batch: 500, inFlight: 20 };
const clock = createClock();

/** Afterwards, rules are loaded, tables are cached and nothing before the start is evaluated. */
export async function warmUp(world: World, events: number, settleMs: number): Promise<void> {
  const sent = await sendUntil(world, LOAD, (n) => n >= events);
  await world.waitUntilEvaluated(sent);
  await world.forgetBackfills();
  await clock.sleep(settleMs);
}

export interface EventRate {
  perSecond: number;
  /** The CPU time per event in our processes. */
  micros: number;
}

/** Measures until all events are stored and evaluated. */
export async function measureRate(world: World, name: string, events: number): Promise<EventRate> {
  const stored = await world.countStored();
  const from = await world.readUsage();
  const sent = await sendUntil(world, LOAD, (n) => n >= events);
  const acknowledgedMs = clock.monotonicMs() - from.atMs;
  await world.waitUntilEvaluated(stored + sent);
  const to = await world.readUsage();
  const tookMs = to.atMs - from.atMs;
  const { storage_bytes } = await world.product.get("/siem/stats");
  const each = [...to.micros].map(
    ([process, micros]) => [process, (micros - (from.micros.get(process) ?? 0)) / sent] as const,
  );
  print(
    `${name}: ${((sent * 1000) / tookMs).toFixed(0)} events/s ` +
      `(${sent} acknowledged after ${(acknowledgedMs / 1000).toFixed(1)} s, evaluated after ${(tookMs / 1000).toFixed(1)} s); ` +
      `µs of processor an event: ${each.map(([process, micros]) => `${process} ${micros.toFixed(0)}`).join(", ")}; ` +
      `${(storage_bytes / (stored + sent)).toFixed(0)} bytes on disk`,
  );
  const own = each.filter(([process]) => process.startsWith("main"));
  return { perSecond: (sent * 1000) / tookMs, micros: own.reduce((sum, [, micros]) => sum + micros, 0) };
}
