import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY_MS, describeSameAnswers, FIRST_MS, MINUTES, sampleLogs } from "../../../testing/matrices/same-answers.ts";
import { type StartedLogStores, startLogStores } from "../../../testing/servers/log-stores.ts";
import { startTieredLogs, type TieredLogs } from "../../../testing/servers/tiered-logs.ts";

/** From noon of the first day to the evening of the fifth. */
const ARRIVALS = { startMs: FIRST_MS + DAY_MS / 2, stepMs: 30 * MINUTES };
const LATE = 17;

let one: StartedLogStores;
let tiered: TieredLogs;
const logs = sampleLogs(ARRIVALS);

/**
 * The first two days are in the bucket only, with late logs on the machine; the third is in both; two are on the
 * machine.
 */
beforeAll(async () => {
  [one, tiered] = await Promise.all([startLogStores(1), startTieredLogs()]);
  const isLate = (at: number) => at % LATE === 0;
  const isOfFirstDays = (at: string) => Date.parse(at) < FIRST_MS + 2 * DAY_MS;
  const late = logs.filter((each, at) => isLate(at) && isOfFirstDays(each.ingested_at));
  const others = logs.filter((each) => !late.includes(each));
  for (const { store } of [one, tiered]) await store.insert(others, { token: "others" });
  tiered.setTime(new Date(FIRST_MS + 3 * DAY_MS + 60 * MINUTES));
  await tiered.round();
  tiered.passHours(25);
  await tiered.round();
  await tiered.round();
  for (const { store } of [one, tiered]) await store.insert(late, { token: "late" });
}, 3 * MINUTES);
afterAll(async () => {
  await one.stop();
  await tiered.stop();
});

it("has days in every state", () => {
  expect(tiered.days().map(({ day, on_box }) => [day, on_box])).toEqual([
    [20_260_501, "gone"],
    [20_260_502, "gone"],
    [20_260_503, "whole"],
  ]);
});

describeSameAnswers({
  name: "a box whose old days are in a bucket answers as one with all of them does",
  logs,
  arrivals: ARRIVALS,
  // The counts of a moved day do not include the last day.
  statsAt: { min: 200, max: 400 },
  one: () => one.store,
  other: () => tiered.store,
});
