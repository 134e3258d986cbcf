import process from "node:process";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lacksPublicData } from "../fixtures/public-data.ts";
import { measureRate, warmUp } from "./event-rate.ts";
import { print } from "./figures.ts";
import { prepareWorlds, sendUntil, type Usage, type World } from "./growth-world.ts";
import { publicRuleTexts } from "./public-rules.ts";

const {
  BENCH_PARTITIONS = "1,2",
  BENCH_PARTITION_RATE = "100",
  BENCH_SECONDS = "5",
  BENCH_BOX_EVENTS = "4000",
  BENCH_SIGMA_RULES = "40",
  BENCH_TURNS = "1",
} = process.env;
const partitionCounts = BENCH_PARTITIONS.split(",").map(Number);
const rate = Number(BENCH_PARTITION_RATE);
const seconds = Number(BENCH_SECONDS);
const boxEvents = Number(BENCH_BOX_EVENTS);
const isFull = boxEvents >= 50_000;
const BATCHES_PER_SECOND = 2;
const WARM_UP_EVENTS = isFull ? 30_000 : 1000;
const SETTLE_MS = seconds * 200;
const IN_FLIGHT = 20;
/** A few partitions are measured for longer, to collect enough events. */
const FEW = 3;
const BOX_PARTITIONS = 12;
const MAX_GROWTH = 1.1;
const MAX_TRANSACTIONS = 0.01;
const LEAST_OF_BOX = 0.8;
const HOUR = 60 * 60_000;
const OWN = ["main.js", "main.js worker", "main-log-engine.js"];
const clock = createClock();
let worlds: Awaited<ReturnType<typeof prepareWorlds>>;

const isSkipped = lacksPublicData("sigma-rules.tar.gz");

beforeAll(async () => {
  if (!isSkipped) worlds = await prepareWorlds(publicRuleTexts().slice(0, Number(BENCH_SIGMA_RULES)));
}, HOUR);

afterAll(async () => {
  if (!isSkipped) await worlds.close();
});

/** The resources used between two moments, per second. */
interface Rates {
  events: number;
  micros: ReadonlyMap<string, number>;
  transactions: number;
  bytes: { natsIn: number; natsOut: number; databaseIn: number; databaseOut: number };
  groups: number;
}

function computeRates(from: Usage, to: Usage): Rates {
  const passed = (to.atMs - from.atMs) / 1000;
  const each = (read: (usage: Usage) => number) => (read(to) - read(from)) / passed;
  return {
    events: each(({ acknowledged }) => acknowledged),
    micros: new Map([...to.micros.keys()].map((name) => [name, each(({ micros }) => micros.get(name) ?? 0)])),
    transactions: each(({ transactions }) => transactions),
    bytes: {
      natsIn: each(({ natsBytes }) => natsBytes.received),
      natsOut: each(({ natsBytes }) => natsBytes.sent),
      databaseIn: each(({ databaseBytes }) => databaseBytes.received),
      databaseOut: each(({ databaseBytes }) => databaseBytes.sent),
    },
    groups: each(({ groups }) => groups),
  };
}

const sumMicros = ({ micros }: Rates, names: readonly string[]) =>
  names.reduce((sum, name) => sum + (micros.get(name) ?? 0), 0);

async function measureFor(world: World, ms: number): Promise<Rates> {
  const from = await world.readUsage();
  await clock.sleep(ms);
  return computeRates(from, await world.readUsage());
}

/** Measures an idle platform, and one with logs at the rate of each partition. */
async function measure(partitions: number): Promise<{ idle: Rates; loaded: Rates }> {
  const world = await worlds.open(partitions);
  try {
    await warmUp(world, WARM_UP_EVENTS, SETTLE_MS);
    const idle = await measureFor(world, seconds * 500);
    let isOver = false;
    const load = { batch: rate / BATCHES_PER_SECOND, perSecond: partitions * BATCHES_PER_SECOND, inFlight: IN_FLIGHT };
    const stored = await world.countStored();
    const sending = sendUntil(world, load, () => isOver);
    await clock.sleep(seconds * 200);
    const loaded = await measureFor(world, seconds * 1000 * Math.max(1, FEW / partitions));
    isOver = true;
    await world.waitUntilEvaluated(stored + (await sending));
    return { idle, loaded };
  } finally {
    await world.stop();
  }
}

/** The cost of one event. */
function report(partitions: number, { idle, loaded }: { idle: Rates; loaded: Rates }) {
  const { events } = loaded;
  const all = [...OWN, "nats", "postgres"];
  const whole = (names: readonly string[]) => sumMicros(loaded, names) / events;
  const caused = (names: readonly string[]) => whole(names) - sumMicros(idle, names) / events;
  const micros = (names: readonly string[]) => `${caused(names).toFixed(0)} (${whole(names).toFixed(0)})`;
  const transactions = (loaded.transactions - idle.transactions) / events;
  print(
    `growth: ${partitions} partitions at ${(events / partitions).toFixed(0)} events/s each, µs of processor an event beyond idle (with idle): ` +
      `all ${micros(all)}, ours ${micros(OWN)}: service ${micros(["main.js"])}, owner ${micros(["main.js worker"])}, ` +
      `log engine ${micros(["main-log-engine.js"])}; NATS ${micros(["nats"])}, PostgreSQL ${micros(["postgres"])}`,
  );
  const bytes = (read: (rates: Rates) => number) => ((read(loaded) - read(idle)) / events).toFixed(0);
  print(
    `growth: ${partitions} partitions: PostgreSQL transactions an event ${transactions.toFixed(4)} beyond idle, ` +
      `${(loaded.transactions / events).toFixed(4)} with it (${idle.transactions.toFixed(1)} a second idle); groups of ` +
      `${(events / loaded.groups).toFixed(0)} logs; bytes an event: to NATS ${bytes((each) => each.bytes.natsIn)}, from NATS ` +
      `${bytes((each) => each.bytes.natsOut)}, to PostgreSQL ${bytes((each) => each.bytes.databaseIn)}, from PostgreSQL ` +
      `${bytes((each) => each.bytes.databaseOut)}; processors used ${((whole(all) * events) / 1e6).toFixed(2)}`,
  );
  return { own: caused(OWN), all: caused(all), transactions };
}

it.skipIf(isSkipped)(
  `costs the same per event with ${partitionCounts.join(", ")} partitions`,
  { timeout: HOUR },
  async () => {
    const figures: ReturnType<typeof report>[] = [];
    for (const partitions of partitionCounts) figures.push(report(partitions, await measure(partitions)));
    const [first, last] = [figures[0], figures.at(-1)];
    if (!first || !last) throw new Error("BENCH_PARTITIONS is empty");
    const growth = { own: last.own / first.own, all: last.all / first.all };
    print(
      `growth: processor time an event from ${partitionCounts[0]} to ${partitionCounts.at(-1)} partitions: ` +
        `${growth.own.toFixed(2)} times (ours), ${growth.all.toFixed(2)} times (with NATS and PostgreSQL)`,
    );
    expect(last.own).toBeGreaterThan(0);
    if (!isFull) return;
    expect(growth.own).toBeLessThan(MAX_GROWTH);
    expect(last.transactions).toBeLessThan(MAX_TRANSACTIONS);
  },
);

async function measureRateWith(partitions: number | undefined): Promise<number> {
  const world = await worlds.open(partitions);
  try {
    await warmUp(world, WARM_UP_EVENTS, SETTLE_MS);
    const name = partitions === undefined ? "one box" : `${partitions} partitions`;
    return (await measureRate(world, name, boxEvents)).perSecond;
  } finally {
    await world.stop();
  }
}

it.skipIf(isSkipped)(
  `stores and evaluates with ${BOX_PARTITIONS} partitions on one host nearly as fast as a single machine`,
  { timeout: HOUR },
  async () => {
    const rates: Record<"box" | "host", number[]> = { box: [], host: [] };
    // Alternate, so that other load on the machine affects both sides.
    for (let turn = 0; turn < Number(BENCH_TURNS); turn += 1) {
      rates.box.push(await measureRateWith(undefined));
      rates.host.push(await measureRateWith(BOX_PARTITIONS));
    }
    const ratio = Math.max(...rates.host) / Math.max(...rates.box);
    print(`growth: ${BOX_PARTITIONS} partitions on one host: ${ratio.toFixed(2)} of the rate of one box`);
    expect(ratio).toBeGreaterThan(0);
    if (isFull) expect(ratio).toBeGreaterThanOrEqual(LEAST_OF_BOX);
  },
);
