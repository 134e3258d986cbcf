import { invalidField, type Problem } from "@kit/problem";

export interface LocalTime {
  year: number;
  /** 1..12 */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** 0 = Sunday */
  weekday: number;
}

/** The clock rules of one region, from its POSIX rule. It depends on nothing else. */
export interface Zone {
  rule: string;
  /** Seconds east of UTC at that instant. */
  offsetAt(epochS: number): number;
  localOf(epochS: number): LocalTime;
  /** The instants at which the wall clock shows this minute, ascending: none in a gap, two in a repeated hour. */
  findEpochs(local: Pick<LocalTime, "year" | "month" | "day" | "hour" | "minute">): number[];
}

/** One of the year's two changes: the day, as days since 1970, and the seconds after its local midnight. */
interface Change {
  dayIn: (year: number) => number;
  timeS: number;
}

interface Daylight {
  offsetS: number;
  begin: Change;
  end: Change;
}

const DAY_S = 86_400;
const NAME = "(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)";
const TIME = "[+-]?\\d{1,3}(?::\\d{2}){0,2}";
const DAY = "J\\d{1,3}|\\d{1,3}|M\\d{1,2}\\.\\d\\.\\d";
const CHANGES = `,(?<begin>${DAY})(?:/(?<beginTime>${TIME}))?,(?<end>${DAY})(?:/(?<endTime>${TIME}))?`;
const RULE = new RegExp(`^${NAME}(?<standard>${TIME})(?:(?<name>${NAME})(?<daylight>${TIME})?(?:${CHANGES})?)?$`);

// RFC 8536, section 3.3.1: the hours of a change range from -167 to 167, those of an offset only to 24.
const MAX_OFFSET_HOURS = 24;
const MAX_CHANGE_HOURS = 167;
const CHANGES_AT = "2";

/** Parses a POSIX rule (environment variable TZ). A rule without the days of its changes is refused. */
export function parseZone(rule: string): Zone {
  if (!/^[\x20-\x7e]{1,100}$/.test(rule)) throw refusal("must be 1 to 100 printable ASCII characters");
  const read = RULE.exec(rule)?.groups;
  if (!read) throw refusal("must be a POSIX rule such as UTC0, <+03>-3 or EST5EDT,M3.2.0,M11.1.0");
  const standardS = parseOffsetEast(read.standard);
  const daylight = parseDaylight(read, standardS);

  function offsetAt(epochS: number): number {
    return daylight && isDaylight(daylight, standardS, epochS) ? daylight.offsetS : standardS;
  }

  const localOf = (epochS: number) => localAt(epochS + offsetAt(epochS));

  return {
    rule,
    offsetAt,
    localOf,
    findEpochs({ year, month, day, hour, minute }) {
      const wallS = toEpochDays(year, month, day) * DAY_S + hour * 3600 + minute * 60;
      const offsets = new Set([standardS, daylight?.offsetS ?? standardS]);
      return [...offsets]
        .map((offsetS) => wallS - offsetS)
        .filter((epochS) => {
          const shown = localOf(epochS);
          return (
            shown.year === year &&
            shown.month === month &&
            shown.day === day &&
            shown.hour === hour &&
            shown.minute === minute &&
            shown.second === 0
          );
        })
        .toSorted((a, b) => a - b);
    },
  };
}

function parseDaylight(read: Partial<Record<string, string>>, standardS: number): Daylight | undefined {
  if (read.name === undefined) return undefined;
  if (read.begin === undefined || read.end === undefined) {
    throw refusal("must say when daylight saving time begins and ends, as EST5EDT,M3.2.0,M11.1.0 does");
  }
  return {
    offsetS: read.daylight === undefined ? standardS + 3600 : parseOffsetEast(read.daylight),
    begin: parseChange(read.begin, read.beginTime),
    end: parseChange(read.end, read.endTime),
  };
}

function isDaylight({ offsetS, begin, end }: Daylight, standardS: number, epochS: number): boolean {
  const beginIn = (year: number) => begin.dayIn(year) * DAY_S + begin.timeS - standardS;
  const endIn = (year: number) => end.dayIn(year) * DAY_S + end.timeS - offsetS;
  const year = new Date(epochS * 1000).getUTCFullYear();
  // A change may be a week outside its year, and a southern summer spans two years, so four years are checked.
  return [year - 2, year - 1, year, year + 1].some((each) => {
    const beginS = beginIn(each);
    const endS = endIn(each) < beginS ? endIn(each + 1) : endIn(each);
    return beginS <= epochS && epochS < endS;
  });
}

function parseChange(day: string, time = CHANGES_AT): Change {
  return { dayIn: parseDay(day), timeS: parseSeconds(time, MAX_CHANGE_HOURS) };
}

function parseDay(text: string): Change["dayIn"] {
  if (text.startsWith("M")) {
    const [month = "", week = "", weekday = ""] = text.slice(1).split(".");
    return buildWeekdayRule(within(month, 1, 12), within(week, 1, 5), within(weekday, 0, 6));
  }
  if (text.startsWith("J")) {
    // The 29th of February has no number: day 60 is the 1st of March in every year.
    const number = within(text.slice(1), 1, 365);
    return (year) => toEpochDays(year, 1, number) + (number >= 60 && isLeap(year) ? 1 : 0);
  }
  const number = within(text, 0, 365);
  return (year) => toEpochDays(year, 1, 1) + number;
}

/** Week 5 is the last one of the month, whether it is the fourth or the fifth. */
function buildWeekdayRule(month: number, week: number, weekday: number): Change["dayIn"] {
  return (year) => {
    const first = toEpochDays(year, month, 1);
    const day = first + ((weekday - weekdayAt(first) + 7) % 7) + 7 * (week - 1);
    return day < toEpochDays(year, month + 1, 1) ? day : day - 7;
  };
}

function parseOffsetEast(offset = ""): number {
  // The rules count to the west. Subtract, because negating 0 would give -0.
  return 0 - parseSeconds(offset, MAX_OFFSET_HOURS);
}

function parseSeconds(time: string, maxHours: number): number {
  const [hours = "", minutes = "0", seconds = "0"] = time.replace(/^[+-]/, "").split(":");
  const total = within(hours, 0, maxHours) * 3600 + within(minutes, 0, 59) * 60 + within(seconds, 0, 59);
  return time.startsWith("-") ? -total : total;
}

function within(digits: string, min: number, max: number): number {
  const number = Number(digits);
  if (number < min || number > max) throw refusal(`'${digits}' must be from ${min} to ${max}`);
  return number;
}

function refusal(why: string): Problem {
  return invalidField("timezone", why);
}

function localAt(wallS: number): LocalTime {
  const date = new Date(wallS * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
  };
}

function toEpochDays(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / 1000 / DAY_S;
}

/** The 1st of January 1970 was a Thursday. */
function weekdayAt(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

function isLeap(year: number): boolean {
  return toEpochDays(year + 1, 1, 1) - toEpochDays(year, 1, 1) === 366;
}
