import process from "node:process";
import { createClock } from "@kit/clock";
import type { StartedProcess } from "@kit/testing/process";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { insist } from "../../../testing/harness/devices-world.ts";
import { type RelayWorld, relayWorld } from "../../../testing/harness/relay-world.ts";
import { removeEntries } from "../../../testing/processes/build-entry.ts";
import { type DeviceSimulator, prepareSimulator } from "../../../testing/processes/device-simulator-process.ts";
import { startRelayProcess } from "../../../testing/processes/relay-worker-process.ts";

const isFull = process.env.PROVE === "full";
const KILLS = Number(process.env.RELAY_KILLS ?? (isFull ? 20 : 2));
const IN_FLIGHT = Number(process.env.RELAY_IN_FLIGHT ?? (isFull ? 1000 : 50));
const ROUND_MS = 180_000;
const DOWN_MS = 500;
const CONCURRENCY = 8;
const clock = createClock();
let world: RelayWorld;
let simulator: DeviceSimulator;
let relay: StartedProcess;
let ids: string[];

beforeAll(async () => {
  world = await relayWorld({ isQuiet: true });
  const devices = await world.addFleet(Array.from({ length: IN_FLIGHT }, () => "honest" as const));
  ids = devices.map(({ id }) => id);
  simulator = await prepareSimulator({ broker: await world.brokerAddress(), devices });
  await simulator.start();
  relay = await startRelayProcess(world);
  await vi.waitFor(() => expect(simulator.state().connected).toBe(IN_FLIGHT), { timeout: ROUND_MS });
}, 600_000);

afterAll(async () => {
  await relay.stop("SIGKILL");
  await simulator.remove();
  await world.close();
  await removeEntries();
});

let asked = 0;

async function askAll(): Promise<void> {
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const device_id = id;
      await insist(() => world.db.transaction().execute((tx) => world.attestation.ask(tx, device_id, "test")));
      asked += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

async function countOpen(): Promise<number> {
  const { open } = await world.db
    .selectFrom("attestation_requests")
    .select((row) => row.fn.countAll<string>().as("open"))
    .where("status", "=", "open")
    .executeTakeFirstOrThrow();
  return Number(open);
}

const KILLED = {
  async relay() {
    await relay.stop("SIGKILL");
    await clock.sleep(DOWN_MS);
    relay = await startRelayProcess(world);
  },
  async broker() {
    await world.mosquitto.stop("SIGKILL");
    await clock.sleep(DOWN_MS);
    await world.mosquitto.start();
  },
  async "device process"() {
    await simulator.stop("SIGKILL");
    await clock.sleep(DOWN_MS);
    await simulator.start();
  },
};

/** Kills after a share of the requests was answered, with a different share in each round. */
async function killInFlight(kill: () => Promise<void>, round: number): Promise<void> {
  const asking = askAll();
  const share = (round + 1) / (KILLS + 1);
  await expect.poll(countOpen, { interval: 20 }).toBeGreaterThan(0);
  const before = rounds * IN_FLIGHT;
  const countEnded = async () => asked - before - (await countOpen());
  await expect
    .poll(countEnded, { interval: 20, timeout: ROUND_MS })
    .toBeGreaterThanOrEqual(Math.floor((share * IN_FLIGHT) / 2));
  await kill();
  await asking;
  await expect.poll(countOpen, { timeout: ROUND_MS, interval: 200 }).toBe(0);
}

let rounds = 0;

/** Reads everything in one snapshot. */
async function readOutcome() {
  return world.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => ({
      // A check of tens of thousands of rows under load may take longer than a request of the platform.
      limit: await sql`SET LOCAL statement_timeout = '2min'`.execute(tx),
      requests: await tx
        .selectFrom("attestation_requests")
        .select(["attestation_id", "status", "sends", "deadline"])
        .execute(),
      attestations: await tx.selectFrom("attestations").select("id").execute(),
      judged: await tx
        .selectFrom("ledger_entries")
        .select("case_id")
        .where("kind", "=", "attestation.judged")
        .execute(),
      at: clock.now(),
    }));
}

it.each(Object.keys(KILLED) as (keyof typeof KILLED)[])(
  "ends each request once when the %s is killed",
  async (name) => {
    for (let round = 0; round < KILLS; round += 1) {
      await killInFlight(KILLED[name], round);
      rounds += 1;
    }
    const { attestations, judged, ...stored } = await readOutcome();
    // The hourly request of a device may have started since.
    const requests = stored.requests.filter(({ status }) => status !== "open");
    const effects = requests.map(({ attestation_id }) => attestation_id);
    // Exactly one verdict and one ledger entry per request.
    expect(new Set(effects).size).toBe(requests.length);
    expect([attestations.length, judged.length]).toEqual([effects.length, effects.length]);
    expect(new Set(attestations.map(({ id }) => id))).toEqual(new Set(effects));
    expect(new Set(judged.map(({ case_id }) => case_id))).toEqual(new Set(effects));
    expect(requests.length).toBeGreaterThanOrEqual(rounds * IN_FLIGHT);
    const count = (status: string) => requests.filter((each) => each.status === status).length;
    const sends = requests.reduce((sum, each) => sum + each.sends, 0);
    console.info(
      `${name}: ${rounds} kills so far, ${requests.length} requests, ${count("answered")} answered, ` +
        `${count("expired")} expired, ${stored.requests.length - requests.length} just begun, ${sends} sent`,
    );
    expect(count("answered") + count("expired")).toBe(requests.length);
    expect(stored.requests.filter(({ status, deadline }) => status === "open" && deadline < stored.at)).toEqual([]);
  },
  KILLS * ROUND_MS + 60_000,
);
