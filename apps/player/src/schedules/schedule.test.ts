import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseZone } from "../time/zone.ts";
import { type Almanac, findDue, handledWith, LATEST_S, nextRun, runOn, type When } from "./schedule.ts";

const EVERY_DAY = 127;
const at = (hour: number, minute: number, days = EVERY_DAY): When => ({ hour, minute, anchor: null, days });
const parseEpoch = (text: string) => Date.parse(text) / 1000;
const inZone = (rule: string, prayersOn: Almanac["prayersOn"] = () => undefined): Almanac => ({
  zone: parseZone(rule),
  prayersOn,
});
const NEW_YORK = "EST5EDT,M3.2.0,M11.1.0";

describe("a run of a date", () => {
  // 2026-11-15 is a Sunday.
  it.each([
    [1, "2026-11-15", true],
    [2, "2026-11-15", false],
    [2, "2026-11-16", true],
    [64, "2026-11-21", true],
    [126, "2026-11-15", false],
  ])("a run of a date with the days %i on %s exists: %s", (days, date, isThere) => {
    expect(runOn(at(6, 30, days), date, inZone("UTC0")) !== undefined).toBe(isThere);
  });

  it("a run of a date is at the local time", () => {
    expect(runOn(at(6, 30), "2026-01-10", inZone("<+03>-3"))?.epochS).toBe(parseEpoch("2026-01-10T03:30:00Z"));
    expect(runOn(at(6, 30), "2026-07-10", inZone(NEW_YORK))?.epochS).toBe(parseEpoch("2026-07-10T10:30:00Z"));
  });

  it("a run of a date at a skipped time moves to the next minute that the clocks show", () => {
    expect(runOn(at(2, 30), "2026-03-08", inZone(NEW_YORK))?.epochS).toBe(parseEpoch("2026-03-08T07:00:00Z"));
  });

  it("a run of a date at a repeated time is the first of the two", () => {
    expect(runOn(at(1, 30), "2026-11-01", inZone(NEW_YORK))?.epochS).toBe(parseEpoch("2026-11-01T05:30:00Z"));
  });

  it("a run of a date with an anchor follows the prayer, and does not exist without a location", () => {
    const anchored = { hour: null, minute: null, anchor: { prayer: 0, offset_min: -20 }, days: EVERY_DAY };
    const fajr = parseEpoch("2026-11-15T04:52:00Z");
    expect(
      runOn(
        anchored,
        "2026-11-15",
        inZone("UTC0", () => [fajr, 0, 0, 0, 0, 0]),
      )?.epochS,
    ).toBe(fajr - 1200);
    expect(runOn(anchored, "2026-11-15", inZone("UTC0"))).toBeUndefined();
  });
});

describe("a due run", () => {
  const schedule = { ...at(6, 30), handled: [] };
  const utc = inZone("UTC0");
  const due = parseEpoch("2026-11-15T06:30:00Z");

  it.each([
    [0, true],
    [LATEST_S, true],
    [LATEST_S + 1, false],
  ])("runs when it is checked %i s late: %s", (lateS, isRun) => {
    const { runs, missed } = findDue(schedule, due - 30, due + lateS, utc);
    expect([runs?.epochS, missed.map(({ epochS }) => epochS)]).toEqual(isRun ? [due, []] : [undefined, [due]]);
  });

  it("a due run is not due again after the clock was set back", () => {
    const handled = handledWith([], [{ date: "2026-11-15", epochS: due }]);
    expect(findDue({ ...schedule, handled }, due - 3600, due, utc)).toEqual({ runs: undefined, missed: [] });
  });

  it("finds the next run a week ahead", () => {
    const weekly = { ...at(6, 30, 1), handled: [] };
    expect(nextRun(weekly, due, utc)?.epochS).toBe(due + 7 * 86_400);
  });
});

// Standard zones, both hemispheres, a change at midnight, half hours, a change of half an hour, negative daylight time.
const ZONES = [
  "UTC0",
  NEW_YORK,
  "CET-1CEST,M3.5.0,M10.5.0/3",
  "AEST-10AEDT,M10.1.0,M4.1.0/3",
  "<-03>3",
  "<+0330>-3:30",
  "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
  "IST-1GMT0,M10.5.0,M3.5.0/1",
  "EET-2EEST,M3.5.0/0,M10.5.0/0",
  "<-04>4<-03>,M9.1.6/24,M4.1.6/24",
];

it("runs once on each date, unless the clock jumped past it, however the clock jumps", () => {
  const jump = fc.record({
    afterS: fc.integer({ min: 1, max: 300_000 }),
    byS: fc.integer({ min: -90_000, max: 90_000 }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 1439 }),
      fc.integer({ min: 1, max: EVERY_DAY }),
      fc.array(jump, { maxLength: 8 }),
      fc.integer({ min: 0, max: 364 }),
      (rule, minuteOfDay, days, jumps, startDay) => {
        const almanac = inZone(rule);
        const when = at(Math.floor(minuteOfDay / 60), minuteOfDay % 60, days);
        const startS = parseEpoch("2026-01-01T00:00:00Z") + startDay * 86_400;
        const ran = liveThrough(when, almanac, startS, jumps);
        expect(new Set(ran).size).toBe(ran.length);
        if (jumps.length > 0) return;
        for (let day = 1; day < 19; day += 1) {
          const date = new Date((startS + day * 86_400) * 1000).toISOString().slice(0, 10);
          expect(ran.includes(date), date).toBe(runOn(when, date, almanac) !== undefined);
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** Checks as the service does: at the time of the next run and at least every six hours. */
function liveThrough(
  when: When,
  almanac: Almanac,
  startS: number,
  jumps: readonly { afterS: number; byS: number }[],
): string[] {
  let handled: string[] = [];
  let lookedS = startS;
  const ran: string[] = [];
  const look = (nowS: number) => {
    const { runs, missed } = findDue({ ...when, handled }, Math.max(lookedS, nowS - 86_400), nowS, almanac);
    lookedS = nowS;
    handled = handledWith(handled, [...missed, ...(runs ? [runs] : [])]);
    if (runs) ran.push(runs.date);
  };
  let nowS = startS;
  const stepTo = (endS: number) => {
    while (nowS < endS) {
      const next = nextRun({ ...when, handled }, nowS, almanac)?.epochS ?? endS;
      nowS = Math.min(next, endS, nowS + 21_600);
      look(nowS);
    }
  };
  for (const { afterS, byS } of jumps) {
    stepTo(nowS + afterS);
    nowS += byS;
    look(nowS);
  }
  stepTo(nowS + 20 * 86_400);
  return ran;
}
