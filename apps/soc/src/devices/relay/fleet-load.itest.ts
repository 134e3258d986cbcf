import { readFile } from "node:fs/promises";
import process from "node:process";
import { createClock } from "@kit/clock";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import type { Behaviour } from "../../../testing/fixtures/simulated-device.ts";
import { type RelayWorld, relayWorld } from "../../../testing/harness/relay-world.ts";
import { removeEntries } from "../../../testing/processes/build-entry.ts";
import { prepareSimulator } from "../../../testing/processes/device-simulator-process.ts";
import { startRelayProcess } from "../../../testing/processes/relay-worker-process.ts";

const SIZES = (process.env.FLEET_DEVICES ?? "1000,3000,10000").split(",").map(Number);
const ATTESTED_MS = 3 * 60_000;
const BACK_MS = 5 * 60_000;
const MAX_BROKER_BYTES = 400 * 1024 * 1024;
/** Files of the broker, which opens one per device, and of the simulator. */
const OTHER_FILES = 500;
const clock = createClock();

afterAll(removeEntries);

async function requireFiles(devices: number): Promise<void> {
  const limits = await readFile("/proc/self/limits", "utf8");
  const open = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  const needed = devices + OTHER_FILES;
  if (open < needed) throw new Error(`${devices} devices need ${needed} open files, the limit is ${open}: ulimit -n`);
}

/** Makes all devices due at once, as after an outage. */
async function makeDue({ db }: RelayWorld): Promise<void> {
  await sql`
    INSERT INTO attested_devices (device_id, next_at) SELECT id, now() FROM devices
    ON CONFLICT (device_id) DO UPDATE SET next_at = now()`.execute(db);
}

/** Measures the seconds until all devices are counted. */
async function measureTime(withinMs: number, count: () => number | Promise<number>, all: number): Promise<number> {
  const startMs = clock.monotonicMs();
  await expect.poll(count, { timeout: withinMs, interval: 250 }).toBeGreaterThanOrEqual(all);
  return (clock.monotonicMs() - startMs) / 1000;
}

it.each(SIZES)(
  "attests %d connected devices within 3 minutes, and within 5 minutes after a broker restart",
  async (size) => {
    await requireFiles(size);
    const world = await relayWorld({ isQuiet: true });
    const behaviours = Array.from(
      { length: size },
      (_, place): Behaviour => (place % 100 === 7 ? "tampered" : "honest"),
    );
    const devices = await world.addFleet(behaviours);
    const simulator = await prepareSimulator({ broker: await world.brokerAddress(), devices });
    await simulator.start();
    const countBack = (times: number) => {
      const { connected, joins } = simulator.state();
      return Math.min(connected, joins - (times - 1) * size);
    };
    const connectSeconds = await measureTime(BACK_MS, () => countBack(1), size);
    const relay = await startRelayProcess(world);
    try {
      await makeDue(world);
      const countJudged = async () => {
        const { trusted = 0, untrusted = 0, ...others } = await world.countVerdicts();
        // A device that was not judged in time is not asked again within this hour.
        expect(others).toEqual({});
        return trusted + untrusted;
      };
      const attestSeconds = await measureTime(ATTESTED_MS, countJudged, size);
      const loadedBytes = await world.brokerMemoryBytes();

      await world.mosquitto.stop("SIGKILL");
      await world.mosquitto.start();
      const backSeconds = await measureTime(BACK_MS, () => countBack(2), size);
      await makeDue(world);
      const againSeconds = await measureTime(ATTESTED_MS, countJudged, 2 * size);
      const bytes = Math.max(loadedBytes, await world.brokerMemoryBytes());
      const verdicts = await world.countVerdicts();
      console.info(
        `${size} devices: connected in ${connectSeconds.toFixed(1)} s, attested in ${attestSeconds.toFixed(1)} s ` +
          `(${(size / attestSeconds).toFixed(0)} a second), back after a restart in ${backSeconds.toFixed(1)} s, attested ` +
          `again in ${againSeconds.toFixed(1)} s, broker ${(bytes / 1024 / 1024).toFixed(0)} MB, ${JSON.stringify(verdicts)}`,
      );
      const tampered = behaviours.filter((behaviour) => behaviour === "tampered").length;
      expect(verdicts).toEqual({ trusted: 2 * (size - tampered), ...(tampered > 0 && { untrusted: 2 * tampered }) });
      expect(bytes).toBeLessThan(MAX_BROKER_BYTES);
    } finally {
      await relay.stop("SIGKILL");
      await simulator.remove();
      await world.close();
    }
  },
  30 * 60_000,
);
