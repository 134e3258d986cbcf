import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Stretch, simulateAdhans } from "../../testing/adhan-simulation.ts";
import { zoneinfoRules } from "../../testing/zoneinfo.ts";
import { toEpochDays, toIsoDate } from "../time/calendar-date.ts";
import { parseZone, type Zone } from "../time/zone.ts";
import { computePrayerDay } from "./prayer-times.ts";

const DAY_S = 86_400;
const YEAR_BEGINS_S = toEpochDays("2027-01-01") * DAY_S;
const YEAR_S = 365 * DAY_S;
const DAYS_AROUND = 370;
const DEGREE_S = 240;

/** A device at the location where the sun is highest at noon of the zone's clock, 30° from the equator. */
function deviceIn(zone: Zone) {
  const lng = (((zone.offsetAt(YEAR_BEGINS_S) / DEGREE_S + 540) % 360) - 180) | 0;
  const calculation = {
    lat: 30,
    lng,
    method: 0,
    asr_hanafi: false,
    offsets_min: [0, 0, 0, 0, 0, 0],
    rule: "middle_of_the_night",
    hijri_adjust: 0,
  } as const;
  const first = toEpochDays("2027-01-01") - 3;
  const days = Array.from({ length: DAYS_AROUND }, (_, index) => {
    return computePrayerDay(
      { ...calculation, offsets_min: [...calculation.offsets_min] },
      zone,
      toIsoDate(first + index),
    );
  });
  const daysAt = (nowS: number) => {
    const today = Math.floor((nowS + zone.offsetAt(nowS)) / DAY_S) - first;
    return days.slice(Math.max(0, today - 1), today + 2);
  };
  return { days, daysAt };
}

/** A year in which the clock is set forty times, by up to two days in both directions. */
function disturbedYear(seed: number): Stretch[] {
  const steps = fc.sample(
    fc.record({
      run: fc.integer({ min: 1, max: YEAR_S / 20 }),
      jump: fc.integer({ min: -2 * DAY_S, max: 2 * DAY_S }),
    }),
    { numRuns: 40, seed },
  );
  const stretches: Stretch[] = [];
  let nowS = YEAR_BEGINS_S;
  for (const { run, jump } of steps) {
    const toS = Math.min(nowS + run, YEAR_BEGINS_S + YEAR_S);
    stretches.push({ fromS: nowS, toS });
    nowS = Math.min(Math.max(toS + jump, YEAR_BEGINS_S), YEAR_BEGINS_S + YEAR_S - DAY_S);
  }
  return stretches;
}

describe.each(zoneinfoRules())("a year by the rule %s", (rule) => {
  const { days, daysAt } = deviceIn(parseZone(rule));

  it("has five adhans on every date, also when the clocks change", () => {
    const whole = { fromS: YEAR_BEGINS_S, toS: YEAR_BEGINS_S + YEAR_S };
    const { called, shown } = simulateAdhans([whole], daysAt, days);
    expect(called.toSorted()).toEqual(shown.toSorted());
    expect(called.length).toBe(5 * 365);
  });

  it("calls each adhan once that the clock shows, however often it is set", () => {
    const { called, shown } = simulateAdhans(disturbedYear(rule.length), daysAt, days);
    expect(called.toSorted()).toEqual(shown.toSorted());
    expect(called.length).toBeGreaterThan(100);
  });
});
