import process from "node:process";
import { expect, it } from "vitest";
import { simulateDay } from "../../testing/adhan-days.ts";

const isFull = process.env.PROVE === "full";
const DAYS = isFull ? 10_000 : 8;

it(`plays every adhan of ${DAYS} disturbed days to its end, unless a person ended it`, {
  timeout: isFull ? 2 * 3_600_000 : 120_000,
}, async () => {
  const total = { due: 0, ended: 0, excused: 0 };
  const wrong: string[] = [];
  for (let seed = 1; seed <= DAYS; seed += 1) {
    const { due, ended, excused, problems } = await simulateDay(seed);
    total.due += due;
    total.ended += ended;
    total.excused += excused;
    wrong.push(...problems.map((problem) => `day ${seed}: ${problem}`));
  }
  expect(wrong).toEqual([]);
  expect(total.ended + total.excused).toBe(total.due);
  expect(total.ended).toBeGreaterThan((total.due * 2) / 3);
});
