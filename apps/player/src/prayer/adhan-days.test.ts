import process from "node:process";
import { expect, it } from "vitest";
import { simulateDay } from "../../testing/adhan-days.ts";

const isFull = process.env.PROVE === "full";
const DAYS = Number(process.env.ADHAN_DAYS ?? (isFull ? 10_000 : 60));
const FIRST_SEED = Number(process.env.ADHAN_SEED ?? 1);

it(`plays every adhan of ${DAYS} disturbed days to its end, unless a person ended it`, {
  timeout: isFull ? 3_600_000 : 60_000,
}, async () => {
  const total = { due: 0, ended: 0, excused: 0 };
  const wrong: string[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + DAYS; seed += 1) {
    const { due, ended, excused, problems } = await simulateDay(seed);
    total.due += due;
    total.ended += ended;
    total.excused += excused;
    wrong.push(...problems.map((problem) => `day ${seed}: ${problem}`));
  }
  console.info(total);
  expect(wrong).toEqual([]);
  expect(total.ended).toBeGreaterThan(total.due / 2);
});
