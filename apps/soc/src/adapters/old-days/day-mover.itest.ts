import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { type Fault, startTieredLogs, type TieredLogs } from "../../../testing/servers/tiered-logs.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogSelection } from "../../ports/log-store.ts";
import { DAY_MS, toDay, toStartMs } from "./old-day.ts";

const isFull = process.env.PROVE === "full";
/** A normal build makes fewer steps fail, each in one way. */
const STRIDE = isFull ? 1 : 7;
const MINUTES = 60_000;
const LOGS = 20;
const LATE = 3;

let tiered: TieredLogs;
let day = toDay(new Date("2026-03-02T12:00:00Z"));
let inserted = 0;

beforeAll(async () => {
  tiered = await startTieredLogs();
}, 2 * MINUTES);
afterAll(() => tiered.stop());

/** Stores logs that arrive on the day of this run. */
async function arrive(count: number): Promise<LogEvent[]> {
  const logs = Array.from({ length: count }, (_, place) => {
    const at = new Date(toStartMs(day) + place * 60 * MINUTES).toISOString();
    return sampleLog({ id: `log-${inserted + place}`, timestamp: at, ingested_at: at });
  });
  inserted += count;
  await tiered.store.insert(logs, { token: `logs-${inserted}` });
  return logs;
}

async function readIds(): Promise<string[]> {
  const from = new Date(toStartMs(day));
  const window = { from, to: new Date(from.getTime() + DAY_MS) };
  const asked: LogSelection = {
    ...window,
    scope: ALL_SITES,
    time: "timestamp",
    where: { sql: "1", parameters: {} },
  };
  const found = await tiered.store.search({ ...asked, order: "oldest", limit: 1000 });
  const read: string[] = [];
  for await (const block of tiered.store.read(window)) read.push(...block.map(({ id }) => id));
  expect(read.toSorted()).toEqual(found.map(({ id }) => id).toSorted());
  return read.toSorted();
}

/**
 * Runs the life of one day: moved, moved back because of late logs, moved again, deleted from the machine, and late
 * logs after that. Whatever fails, a mover of a new process continues, and each log is read exactly once.
 */
async function live(fault?: Fault): Promise<number> {
  day = toDay(new Date(toStartMs(day) + 4 * DAY_MS));
  tiered.setTime(new Date(toStartMs(day) + 2 * DAY_MS + 60 * MINUTES));
  await tiered.restart(fault);
  const logs: LogEvent[] = [];
  let failed = 0;
  let steps = 0;
  const sortIds = (of: readonly LogEvent[]) => of.map(({ id }) => id).toSorted();
  /** The next round finds late logs of a day that is read from the bucket, if they were not found yet. */
  const round = async (late: readonly LogEvent[] = []) => {
    try {
      await tiered.round();
    } catch (error) {
      expect(String(error)).toMatch(/step \d+ was/);
      failed += 1;
      expect([logs, logs.filter((each) => !late.includes(each))].map(sortIds)).toContainEqual(await readIds());
      steps += tiered.steps();
      await tiered.restart();
      await tiered.round();
    }
    expect(await readIds()).toEqual(sortIds(logs));
  };

  logs.push(...(await arrive(LOGS)));
  await round();
  expect(findDay(day)).toMatchObject({ logs: LOGS, on_box: "whole" });
  const late = await arrive(LATE);
  logs.push(...late);
  await round(late);
  tiered.passHours(2);
  await round();
  expect(findDay(day)).toMatchObject({ logs: LOGS + LATE, on_box: "whole" });
  tiered.passHours(25);
  await round();
  await round();
  expect(findDay(day)).toMatchObject({ logs: LOGS + LATE, on_box: "gone" });
  logs.push(...(await arrive(LATE)));
  await round();
  expect(failed).toBe(fault ? 1 : 0);
  return steps + tiered.steps();
}

const findDay = (of: number) => tiered.days().find((each) => each.day === of);

describe("the mover of old days", { timeout: 30 * MINUTES }, () => {
  it("keeps each log readable exactly once, whichever of its steps is the last one", async () => {
    const steps = await live();
    expect(steps).toBeGreaterThan(15);
    for (let at = 1; at <= steps; at += STRIDE) {
      if (isFull || at % 2 === 1) await live({ at, when: "before" });
      if (isFull || at % 2 === 0) await live({ at, when: "after" });
    }
  });
});
