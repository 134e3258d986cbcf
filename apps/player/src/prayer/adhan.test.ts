import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Stretch, simulateAdhans } from "../../testing/adhan-simulation.ts";
import { toIsoDate } from "../time/calendar-date.ts";
import { type PrayerDay, planAdhans } from "./adhan.ts";

const DAY_S = 86_400;
const EVERY = 0b111111;
/** At 05:00, 06:30, 12:15, 15:30, 18:00 and 23:59 plus two hours: Isha falls after midnight. */
const TIMES_S = [18_000, 23_400, 44_100, 55_800, 64_800, 93_540];

function buildDay(days: number): PrayerDay {
  return { date: toIsoDate(days), epochs: TIMES_S.map((time) => days * DAY_S + time) };
}

const DAY = 20_000;
const days = [DAY - 1, DAY, DAY + 1].map(buildDay);
const at = (time: number) => DAY * DAY_S + time;
const outlook = { days, prayer_mask: EVERY, hasFired: () => false };

describe("an adhan", () => {
  it.each([
    [-0.001, []],
    [0, ["dhuhr"]],
    [0.4, ["dhuhr"]],
    [60, ["dhuhr"]],
    [60.001, []],
  ])("an adhan is due for a minute from its second: %d s after Dhuhr", (late, expected) => {
    const nowS = at(44_100) + late;
    expect(planAdhans({ ...outlook, seenS: nowS, nowS }).due.map(({ prayer }) => prayer)).toEqual(expected);
  });

  it("an adhan is followed by the next one, which may belong to tomorrow or still to yesterday", () => {
    const nextAt = (time: number) => planAdhans({ ...outlook, seenS: at(time), nowS: at(time) }).next;
    expect(nextAt(44_100)).toEqual({ prayer: "asr", date: toIsoDate(DAY), epoch: at(55_800) });
    expect(nextAt(64_800)).toEqual({ prayer: "isha", date: toIsoDate(DAY), epoch: at(93_540) });
    expect(nextAt(60)).toEqual({ prayer: "isha", date: toIsoDate(DAY - 1), epoch: at(93_540 - DAY_S) });
    expect(nextAt(93_540)).toEqual({ prayer: "fajr", date: toIsoDate(DAY + 1), epoch: at(DAY_S + 18_000) });
  });

  it("an adhan is the earliest one, also where Isha comes after the next day's Fajr", () => {
    const late = days.map(({ date, epochs }) => ({
      date,
      epochs: [...epochs.slice(0, 5), (epochs[0] ?? 0) + DAY_S + 60],
    }));
    const nowS = at(17_000);
    expect(planAdhans({ ...outlook, days: late, seenS: nowS, nowS }).next).toMatchObject({
      prayer: "fajr",
      date: toIsoDate(DAY),
    });
    const due = planAdhans({ ...outlook, days: late, seenS: nowS, nowS: at(18_060) }).due;
    expect(due.map(({ prayer, date }) => [prayer, date])).toEqual([
      ["fajr", toIsoDate(DAY)],
      ["isha", toIsoDate(DAY - 1)],
    ]);
  });

  it("an adhan is never called at sunrise, nor for a prayer outside the mask", () => {
    const nowS = at(23_400);
    expect(planAdhans({ ...outlook, seenS: nowS, nowS }).due).toEqual([]);
    const onlyIsha = planAdhans({ ...outlook, prayer_mask: 0b100000, seenS: at(18_000), nowS: at(18_000) });
    expect(onlyIsha).toMatchObject({ due: [], next: { prayer: "isha", date: toIsoDate(DAY) } });
    expect(planAdhans({ ...outlook, prayer_mask: 0b000010, seenS: nowS, nowS }).next).toBeUndefined();
  });

  it("an adhan is not due again after it was called, and is not the next one after the clock was set back", () => {
    const hasFired = ({ prayer, date }: { prayer: string; date: string }) =>
      prayer === "dhuhr" && date === toIsoDate(DAY);
    expect(planAdhans({ ...outlook, hasFired, seenS: at(44_100), nowS: at(44_100) }).due).toEqual([]);
    expect(planAdhans({ ...outlook, hasFired, seenS: at(44_100), nowS: at(40_000) }).next?.prayer).toBe("asr");
  });

  it("an adhan is missed once when the clock has passed its minute since the last check", () => {
    const jump = planAdhans({ ...outlook, seenS: at(40_000), nowS: at(60_000) });
    expect(jump.missed.map(({ prayer }) => prayer)).toEqual(["dhuhr", "asr"]);
    expect(planAdhans({ ...outlook, seenS: at(60_000), nowS: at(60_030) }).missed).toEqual([]);
    expect(planAdhans({ ...outlook, seenS: at(60_000), nowS: at(40_000) }).missed).toEqual([]);
  });
});

it("is called exactly once per prayer and date that the clock shows, however the clock is set", () => {
  const stretch = fc
    .record({ from: fc.integer({ min: 0, max: 6 * DAY_S }), length: fc.integer({ min: 1, max: 2 * DAY_S }) })
    .map<Stretch>(({ from, length }) => ({ fromS: at(from), toS: at(from + length) }));
  fc.assert(
    fc.property(fc.array(stretch, { minLength: 1, maxLength: 8 }), (stretches) => {
      const daysAt = (nowS: number) => [-1, 0, 1].map((step) => buildDay(Math.floor(nowS / DAY_S) + step));
      const { called, shown } = simulateAdhans(
        stretches,
        daysAt,
        [...Array(10).keys()].map((step) => buildDay(DAY - 1 + step)),
      );
      expect(called.toSorted()).toEqual(shown.toSorted());
    }),
    { numRuns: 500 },
  );
});
