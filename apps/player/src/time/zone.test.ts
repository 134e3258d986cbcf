import { Problem } from "@kit/problem";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { zoneinfoRules } from "../../testing/zoneinfo.ts";
import { parseZone } from "./zone.ts";

const NEW_YORK = "EST5EDT,M3.2.0,M11.1.0";
const HOUR_S = 3600;

const at = (iso: string) => Date.parse(iso) / 1000;

describe("a rule without daylight saving time", () => {
  it.each([
    ["UTC0", 0],
    ["<+03>-3", 3 * HOUR_S],
    ["<-03>3", -3 * HOUR_S],
    ["PKT-5", 5 * HOUR_S],
    ["IST-5:30", 5.5 * HOUR_S],
    ["<+0545>-5:45", 5.75 * HOUR_S],
    ["DMT0:25:21", -1521],
    ["AAA+24", -24 * HOUR_S],
    ["AAA-24", 24 * HOUR_S],
    ["abc007", -7 * HOUR_S],
    ["AAA-0", 0],
  ])("a rule without daylight saving time has an offset for %s of %i seconds", (rule, offsetS) => {
    const zone = parseZone(rule);
    expect(zone.rule).toBe(rule);
    expect(zone.offsetAt(at("2026-01-01T00:00:00Z"))).toBe(offsetS);
    expect(zone.offsetAt(at("2026-07-01T00:00:00Z"))).toBe(offsetS);
  });
});

describe("daylight saving time", () => {
  // The days are those of the calendar, the hours those of POSIX, "Environment Variables", TZ.
  it.each([
    [NEW_YORK, "2026-03-08T07:00:00Z", -5, -4],
    [NEW_YORK, "2026-11-01T06:00:00Z", -4, -5],
    ["CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 1, 2],
    ["CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 2, 1],
    // South of the equator summer begins in one year and ends in the next.
    ["NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-04-04T14:00:00Z", 13, 12],
    ["NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-09-26T14:00:00Z", 12, 13],
    ["NZST-12NZDT,M9.5.0,M4.1.0/3", "2027-04-03T14:00:00Z", 13, 12],
    // Half an hour.
    ["<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-10-03T15:30:00Z", 10.5, 11],
    // Ireland calls its summer time standard time and sets the clock back in winter.
    ["IST-1GMT0,M10.5.0,M3.5.0/1", "2026-10-25T01:00:00Z", 1, 0],
    ["IST-1GMT0,M10.5.0,M3.5.0/1", "2026-03-29T01:00:00Z", 0, 1],
    // Hours beyond the day: Friday at two after the fourth Thursday, Saturday at eleven before the last Sunday.
    ["IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00Z", 2, 3],
    ["<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -2, -1],
    ["AAA0BBB,M3.1.0/167,M10.1.0/-167", "2026-03-07T23:00:00Z", 0, 1],
    ["AAA0BBB,M3.1.0/167,M10.1.0/-167", "2026-09-27T00:00:00Z", 1, 0],
    // J never counts the 29th of February; without J it is counted, from zero.
    ["AAA0BBB,J60/0,J300", "2027-03-01T00:00:00Z", 0, 1],
    ["AAA0BBB,J60/0,J300", "2028-03-01T00:00:00Z", 0, 1],
    ["AAA0BBB,59/0,300", "2027-03-01T00:00:00Z", 0, 1],
    ["AAA0BBB,59/0,300", "2028-02-29T00:00:00Z", 0, 1],
    // The beginning is in the year before, the end in the year after.
    ["AAA0BBB,J1/-100,M7.1.0", "2026-12-27T20:00:00Z", 0, 1],
    ["AAA0BBB,M7.1.0,J365/48", "2027-01-01T23:00:00Z", 1, 0],
    // Both are: a period that begins by the rule of 2026 ends by that of 2027, in 2028.
    ["AAA0BBB,J365/167,J365/100", "2027-01-06T23:00:00Z", 0, 1],
    ["AAA0BBB,J365/167,J365/100", "2028-01-04T03:00:00Z", 1, 0],
  ])("in %s changes at %s from %d to %d hours", (rule, instant, before, after) => {
    const zone = parseZone(rule);
    expect(zone.offsetAt(at(instant) - 1)).toBe(before * HOUR_S);
    expect(zone.offsetAt(at(instant))).toBe(after * HOUR_S);
  });

  // RFC 8536, section 3.3.1: daylight saving time all year. The last one ends as it begins, as glibc reads it.
  it.each([
    ["EST5EDT,0/0,J365/25", -4],
    ["XXX3EDT4,0/0,J365/23", -4],
    ["AAA0BBB,J365/2,J365/3", 0],
  ])("in %s is %i hours at every hour around a year's end", (rule, hours) => {
    const zone = parseZone(rule);
    const offsets = new Set<number>();
    for (let each = at("2027-12-30T00:00:00Z"); each < at("2028-01-03T00:00:00Z"); each += 1800)
      offsets.add(zone.offsetAt(each));
    expect([...offsets]).toEqual([hours * HOUR_S]);
  });
});

describe("the wall clock", () => {
  const zone = parseZone(NEW_YORK);

  it("shows the local time of an instant, with its weekday", () => {
    expect(zone.localOf(at("2026-07-04T03:59:58Z") + 0.9)).toEqual({
      year: 2026,
      month: 7,
      day: 3,
      hour: 23,
      minute: 59,
      second: 58,
      weekday: 5,
    });
  });

  it.each([
    ["an ordinary minute", [2026, 7, 3, 23, 59], ["2026-07-04T03:59:00Z"]],
    ["the minute before the gap", [2026, 3, 8, 1, 59], ["2026-03-08T06:59:00Z"]],
    ["the first minute of the gap", [2026, 3, 8, 2, 0], []],
    ["the last minute of the gap", [2026, 3, 8, 2, 59], []],
    ["the minute after the gap", [2026, 3, 8, 3, 0], ["2026-03-08T07:00:00Z"]],
    ["a repeated minute", [2026, 11, 1, 1, 30], ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"]],
    ["the minute after the repeated hour", [2026, 11, 1, 2, 0], ["2026-11-01T07:00:00Z"]],
    ["the leap day", [2028, 2, 29, 12, 0], ["2028-02-29T17:00:00Z"]],
    ["a day that does not exist", [2026, 2, 29, 12, 0], []],
    ["an hour that does not exist", [2026, 7, 3, 24, 0], []],
  ])("finds the instants of %s", (_name, [year = 0, month = 0, day = 0, hour = 0, minute = 0], instants) => {
    expect(zone.findEpochs({ year, month, day, hour, minute })).toEqual(instants.map(at));
  });

  it("shows a minute at the second that the offset gives", () => {
    const dublin = parseZone("DMT0:25:21");
    expect(dublin.findEpochs({ year: 2026, month: 1, day: 1, hour: 0, minute: 0 })).toEqual([
      at("2026-01-01T00:25:21Z"),
    ]);
    const odd = parseZone("AAA0BBB-0:00:30,M3.2.0,M11.1.0");
    expect(odd.findEpochs({ year: 2026, month: 7, day: 1, hour: 12, minute: 0 })).toEqual([at("2026-07-01T11:59:30Z")]);
  });
});

describe("an invalid rule", () => {
  const FORM = "timezone: must be a POSIX rule such as UTC0, <+03>-3 or EST5EDT,M3.2.0,M11.1.0";
  const CHANGES = "timezone: must say when daylight saving time begins and ends, as EST5EDT,M3.2.0,M11.1.0 does";
  const TEXT = "timezone: must be 1 to 100 printable ASCII characters";

  it.each([
    ["", TEXT],
    ["UTC0\n", TEXT],
    ["UTC0\u0000", TEXT],
    ["ÄÖÜ0", TEXT],
    [`<${"a".repeat(98)}>0`, TEXT],
    ["Europe/Berlin", FORM],
    ["UTC", FORM],
    [" UTC0", FORM],
    ["AB0", FORM],
    ["<AB>0", FORM],
    ["<A_B>0", FORM],
    ["AAA1:5", FORM],
    ["AAA1:05:05:05", FORM],
    ["AAA0BBB,M3.2.0", FORM],
    ["AAA0BBB,M3.2.0,M11.1.0,", FORM],
    ["AAA0,M3.2.0,M11.1.0", FORM],
    ["AAA0BBB,M3.2,M11.1.0", FORM],
    ["EST5EDT", CHANGES],
    ["EST5EDT4", CHANGES],
    ["AAA25", "timezone: '25' must be from 0 to 24"],
    ["AAA0:60", "timezone: '60' must be from 0 to 59"],
    ["AAA0:00:60", "timezone: '60' must be from 0 to 59"],
    ["AAA0BBB25,M3.2.0,M11.1.0", "timezone: '25' must be from 0 to 24"],
    ["AAA0BBB,M0.2.0,M11.1.0", "timezone: '0' must be from 1 to 12"],
    ["AAA0BBB,M13.2.0,M11.1.0", "timezone: '13' must be from 1 to 12"],
    ["AAA0BBB,M3.0.0,M11.1.0", "timezone: '0' must be from 1 to 5"],
    ["AAA0BBB,M3.6.0,M11.1.0", "timezone: '6' must be from 1 to 5"],
    ["AAA0BBB,M3.2.7,M11.1.0", "timezone: '7' must be from 0 to 6"],
    ["AAA0BBB,J0,J300", "timezone: '0' must be from 1 to 365"],
    ["AAA0BBB,J366,J300", "timezone: '366' must be from 1 to 365"],
    ["AAA0BBB,1,366", "timezone: '366' must be from 0 to 365"],
    ["AAA0BBB,M3.2.0/168,M11.1.0", "timezone: '168' must be from 0 to 167"],
  ])("an invalid rule is refused for %j: %s", (rule, message) => {
    expect(() => parseZone(rule)).toThrow(expect.objectContaining({ kind: "invalid", message: message }));
  });
});

const RULES = zoneinfoRules();
const TIMES = fc.oneof(
  fc.constant(""),
  fc.integer({ min: -167, max: 167 }).map((hours) => `/${hours}`),
);
const DAYS = fc.oneof(
  fc.integer({ min: 1, max: 365 }).map((day) => `J${day}`),
  fc.integer({ min: 0, max: 365 }).map(String),
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 6 }))
    .map((parts) => `M${parts.join(".")}`),
);
const OFFSETS = fc.integer({ min: -24, max: 24 });
const INVENTED = fc
  .tuple(OFFSETS, OFFSETS, DAYS, TIMES, DAYS, TIMES)
  .map(([standard, daylight, begin, from, end, to]) => `AAA${standard}BBB${daylight},${begin}${from},${end}${to}`);
const INSTANTS = fc.integer({ min: at("2000-01-01T00:00:00Z"), max: at("2099-12-31T23:59:59Z") });

describe("any rule", () => {
  it("any rule is either a zone or refused", () => {
    const letters = fc.constantFrom(...Array.from("ABCabc<>+-:,./JM0123456789 \n\u0000é"));
    const garbage = fc.oneof(
      fc.string({ maxLength: 120 }),
      fc.string({ unit: letters, maxLength: 40 }),
      // Half of one rule, half of another.
      fc
        .tuple(fc.constantFrom(...RULES), fc.constantFrom(...RULES), fc.nat(30), fc.nat(30))
        .map(([one, other, from, to]) => one.slice(0, from) + other.slice(to)),
    );
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(garbage, INSTANTS, (text, instant) => {
        try {
          expect(Math.abs(parseZone(text).offsetAt(instant))).toBeLessThanOrEqual(26 * HOUR_S);
          seen.accepted += 1;
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          expect(`${error.kind} ${error.message}`).toMatch(/^invalid timezone: /);
          seen.refused += 1;
        }
      }),
      { numRuns: 1000 },
    );
    expect(seen.accepted).toBeGreaterThan(20);
    expect(seen.refused).toBeGreaterThan(200);
  }, 30_000);

  it("maps the minute of every instant back to it", () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...RULES), INVENTED), INSTANTS, (rule, instant) => {
        const zone = parseZone(rule);
        const local = zone.localOf(instant);
        expect(zone.findEpochs(local)).toContain(instant - local.second);
        for (const epochS of zone.findEpochs(local))
          expect(zone.localOf(epochS)).toMatchObject({ ...local, second: 0 });
      }),
      { numRuns: 1000 },
    );
  }, 30_000);
});
