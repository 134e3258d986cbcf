import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { expect, it } from "vitest";
import { count, isFull } from "../counts.ts";
import { summaryOf } from "../player/figures.ts";
import { findChild } from "../processes.ts";
import { startSocForTest } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";
import { createStops, type Victim } from "./investigation-stops.ts";
import {
  findRepeated,
  parkInvestigations,
  raiseIntrusions,
  readOutcomes,
  STANDING,
  setWidth,
} from "./investigations.ts";

const clock = createClock();
const INVESTIGATIONS = count({ ci: 2, full: 20 });
const WIDTH = 10;
const POLL_MS = 100;
/** A worker that lives shorter is restarted later each time. */
const GOOD_LIFE_MS = 10_500;
const STARTED_MS = 60_000;
/** In every build: the opening of the case, the comment on it, and the end. */
const FEW = ["agent-001 2", "agent-016 16", "end 0"];
const TEST_MS = count({ ci: 300_000, full: 3_600_000 });

it(
  `ends each of ${INVESTIGATIONS} investigations once when the worker is killed at every recorded step`,
  async () => {
    const database = await startDatabaseForTest();
    const soc = await startSocForTest(database.url, STANDING);
    await parkInvestigations(soc);
    const hosts = Array.from({ length: INVESTIGATIONS }, (_, index) => `ws${index + 1}`);
    const ids = await raiseIntrusions(soc, database, hosts);
    const stops = await createStops(database);
    const toVictim = (investigation_id: string, parity: number): Victim =>
      isFull ? { investigation_id, parity } : { investigation_id, parity, steps: FEW };
    await stops.arm(ids.map(toVictim));
    await setWidth(soc.client, WIDTH);

    const isOpen = async () => (await database.ask("SELECT 1 FROM investigations WHERE ended_at IS NULL")).length > 0;
    const findWorker = () => findChild(soc.service.pid, "--with-parent");
    const againMs: number[] = [];
    let bornMs = 0;
    while (await isOpen()) {
      const stood = await stops.untilAllStand();
      if (stood.length === 0) {
        await clock.sleep(POLL_MS);
        continue;
      }
      if (bornMs > 0) againMs.push(clock.monotonicMs() - bornMs);
      await clock.sleep(Math.max(0, bornMs + GOOD_LIFE_MS - clock.monotonicMs()));
      const pid = await findWorker();
      sendSignal(pid, "SIGKILL");
      await stops.passAfterDeath();
      await expect.poll(async () => [undefined, pid].includes(await findWorker()), { timeout: STARTED_MS }).toBe(false);
      bornMs = clock.monotonicMs();
    }

    console.log(
      `soc: ${INVESTIGATIONS} investigations, ${againMs.length + 1} kills of their worker; ${await stops.count()}; ` +
        `from a new worker to all standing again: ${summaryOf(againMs)}`,
    );
    expect(await stops.findMissed()).toEqual([]);
    expect(await readOutcomes(database, ids)).toEqual([
      `${INVESTIGATIONS}: completed, 1 completed, 0 failed, verdict malicious`,
    ]);
    expect(await findRepeated(database, ids)).toEqual([]);
    expect(await database.ask("SELECT count(*) FROM cases")).toEqual([String(INVESTIGATIONS)]);
    // A kill is no failure of the platform: the worker that takes over continues the same claim.
    expect(await database.ask("SELECT DISTINCT failures, continuation FROM investigations")).toEqual(["0|1"]);
  },
  TEST_MS,
);
