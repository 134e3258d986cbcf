import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { expect, it } from "vitest";
import { summaryOf } from "../player/figures.ts";
import { findChild } from "../processes.ts";
import { type StartedSoc, startSocForTest } from "./client.ts";
import { startDatabaseForTest, type TestDatabase } from "./database.ts";
import { createStops, type Stop, type Stops } from "./investigation-stops.ts";
import {
  findRepeated,
  parkInvestigations,
  raiseIntrusions,
  readOutcomes,
  STANDING,
  setWidth,
} from "./investigations.ts";

const clock = createClock();
const SHARED = 20;
const WIDTH = 4;
// A machine with much else to do; how long a takeover may last is asserted.
const ENDED_MS = 600_000;
const TEST_MS = 3_600_000;
const TAKEN_OVER_MS = 10_000;

interface Place {
  step: string;
  kind: Stop["kind"];
}

/** Raises one intrusion, whose investigation stands at the place when this returns. */
async function standAt(place: Place, host: string, soc: StartedSoc, database: TestDatabase, stops: Stops) {
  await setWidth(soc.client, 0);
  const [investigation_id = ""] = await raiseIntrusions(soc, database, [host]);
  const parity = (Number(place.step.split(" ")[1]) + Number(place.kind === "after")) % 2;
  await stops.arm([{ investigation_id, parity, steps: [place.step] }]);
  await setWidth(soc.client, WIDTH);
  await expect.poll(stops.read, { timeout: ENDED_MS }).toEqual([{ investigation_id, ...place }]);
  return investigation_id;
}

const countOpen = async (database: TestDatabase) =>
  Number((await database.ask("SELECT count(*) FROM investigations WHERE ended_at IS NULL"))[0]);

it(
  `runs each of ${SHARED} investigations once with two workers, one of them killed, and ${WIDTH} at a time`,
  async () => {
    const database = await startDatabaseForTest();
    const env = { ...STANDING, SOC_WORKER_DATABASE_CONNECTIONS: "20" };
    const first = await startSocForTest(database.url, env);
    await parkInvestigations(first);
    // The name of its sessions identifies the worker that runs an investigation.
    await database.ask("CREATE ROLE second SUPERUSER LOGIN");
    const SOC_DATA_DIR = first.service.dataFolder;
    const second = await startSocForTest(database.url.replace("owner@", "second@"), { ...env, SOC_DATA_DIR });
    await expect.poll(() => second.service.output(), { timeout: ENDED_MS }).toContain("worker is ready");
    const hosts = Array.from({ length: SHARED }, (_, index) => `ws${index + 1}`);
    const ids = await raiseIntrusions(first, database, hosts);
    const stops = await createStops(database);
    await stops.watchWidth();
    const steps = ["agent-016 5"];
    await stops.arm(ids.map((investigation_id) => ({ investigation_id, parity: 1, steps })));
    await setWidth(first.client, WIDTH);
    await expect.poll(stops.read, { timeout: ENDED_MS }).toHaveLength(WIDTH);

    const listHeldBy = (user: string) =>
      database.ask(`SELECT split_part(application_name, ' ', 2) FROM pg_stat_activity
      WHERE application_name LIKE 'before %' AND usename = '${user}' ORDER BY 1`);
    const services = { owner: first.service, second: second.service };
    const [heldByFirst, heldBySecond] = [await listHeldBy("owner"), await listHeldBy("second")];
    const [dead, other] =
      heldByFirst.length >= heldBySecond.length ? (["owner", "second"] as const) : (["second", "owner"] as const);
    const held = await listHeldBy(dead);
    sendSignal(await findChild(services[dead].pid, "--with-parent"), "SIGKILL");
    const killedMs = clock.monotonicMs();
    await stops.endStanding(dead);
    const findLost = async () => {
      const taken = await listHeldBy(other);
      return held.filter((id) => !taken.includes(id));
    };
    await expect.poll(findLost, { timeout: ENDED_MS, interval: 50 }).toEqual([]);
    const takenOverMs = clock.monotonicMs() - killedMs;
    await stops.disarm();
    await expect.poll(() => countOpen(database), { timeout: ENDED_MS, interval: 500 }).toBe(0);

    const shares = await database.ask(
      "SELECT count(*) FROM dbos.workflow_status WHERE name = 'investigations' GROUP BY executor_id",
    );
    console.log(
      `soc: two workers with ${heldByFirst.length} and ${heldBySecond.length} investigations, one killed: the other one was at ` +
        `the same step of its ${held.length} after ${Math.round(takenOverMs)} ms; shares in the end: ${shares.join(", ")}`,
    );
    expect(await readOutcomes(database, ids)).toEqual([
      `${SHARED}: completed, 1 completed, 0 failed, verdict malicious`,
    ]);
    expect(await findRepeated(database, ids)).toEqual([]);
    expect(await database.ask("SELECT DISTINCT failures, continuation FROM investigations")).toEqual(["0|1"]);
    expect(await stops.readWidest()).toBe(WIDTH);
    expect(takenOverMs).toBeLessThan(TAKEN_OVER_MS);
  },
  TEST_MS,
);

const DATABASE_DEATHS: readonly Place[] = [
  { step: "agent-016 2", kind: "before" },
  { step: "agent-003 2", kind: "before" },
  { step: "agent-016 10", kind: "after" },
  { step: "agent-001 2", kind: "before" },
  { step: "agent-014 1", kind: "after" },
  { step: "agent-016 16", kind: "before" },
  { step: "end 0", kind: "before" },
  { step: "end 0", kind: "after" },
];

it(
  "continues an investigation after the database was killed and restarted during it",
  async () => {
    const database = await startDatabaseForTest();
    const soc = await startSocForTest(database.url, STANDING);
    await parkInvestigations(soc);
    const stops = await createStops(database);
    const ids: string[] = [];
    const endedMs: number[] = [];
    for (const [index, place] of DATABASE_DEATHS.entries()) {
      const investigation_id = await standAt(place, `ws${index + 1}`, soc, database, stops);
      ids.push(investigation_id);
      await database.kill();
      await database.start();
      const startMs = clock.monotonicMs();
      await stops.pass([{ investigation_id, ...place }]);
      await expect.poll(() => countOpen(database), { timeout: ENDED_MS }).toBe(0);
      endedMs.push(clock.monotonicMs() - startMs);
    }
    console.log(`soc: ${ids.length} deaths of the database; from its return to the end: ${summaryOf(endedMs)}`);
    expect(await readOutcomes(database, ids)).toEqual([
      `${ids.length}: completed, 1 completed, 0 failed, verdict malicious`,
    ]);
    expect(await findRepeated(database, ids)).toEqual([]);
  },
  TEST_MS,
);

const ENGINE_DEATHS: readonly Place[] = [
  // The next step reads the events of the alert, without which there is no verdict.
  { step: "agent-016 4", kind: "after" },
  { step: "agent-016 5", kind: "before" },
  { step: "agent-016 6", kind: "before" },
  { step: "agent-016 9", kind: "after" },
  { step: "agent-016 14", kind: "before" },
];

it(
  "ends an investigation during which the log engine is killed, and names what it could not read",
  async () => {
    const database = await startDatabaseForTest();
    const soc = await startSocForTest(database.url, STANDING);
    await parkInvestigations(soc);
    const stops = await createStops(database);
    const ids: string[] = [];
    const endedMs: number[] = [];
    for (const [index, place] of ENGINE_DEATHS.entries()) {
      const investigation_id = await standAt(place, `ws${index + 1}`, soc, database, stops);
      ids.push(investigation_id);
      sendSignal(await findChild(soc.service.pid, "main-log-engine.js"), "SIGKILL");
      const startMs = clock.monotonicMs();
      await stops.pass([{ investigation_id, ...place }]);
      await expect.poll(() => countOpen(database), { timeout: ENDED_MS }).toBe(0);
      endedMs.push(clock.monotonicMs() - startMs);
    }
    const gaps = await database.ask(
      "SELECT coalesce(substring(summary FROM '(Not read: .*|Without .*)'), 'all was read') FROM investigations ORDER BY created_at",
    );
    console.log(`soc: ${ids.length} deaths of the log engine; to the end: ${summaryOf(endedMs)}; ${gaps.join("; ")}`);
    expect(await readOutcomes(database, ids)).toEqual([
      `${ids.length}: completed, 1 completed, 0 failed, verdict malicious`,
    ]);
    expect(await findRepeated(database, ids)).toEqual([]);
    // Tool calls are not retried; the agent reports the failed call.
    const failed = "SELECT count(*) FROM investigation_steps WHERE kind = 'reader' AND error_code IS NOT NULL";
    expect(await database.ask(failed)).toEqual(["0"]);
  },
  TEST_MS,
);
