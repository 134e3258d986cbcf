/**
 * From the first millisecond, included, to the last, excluded: a day, a minute, a second or a millisecond, by the
 * precision of the text.
 */
export interface Span {
  from: number;
  to: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: ReadonlyMap<string, number> = new Map([
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
  ["d", DAY],
  ["w", 7 * DAY],
]);

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?([Zz]|[+-]\d\d:\d\d)?)?$/;
const RELATIVE = /^now(?:(?<sign>[+-])(?<count>\d{1,6})(?<unit>[smhdw]))?$/;

export function isRelative(text: string): boolean {
  return RELATIVE.test(text);
}

/** The time span that a text names, as long as its precision. Without an offset it is UTC. */
export function parseSpan(text: string, now: number | undefined): Span | undefined {
  const relative = RELATIVE.exec(text)?.groups;
  if (relative) return now === undefined ? undefined : relativeSpan(now, relative);
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, day = "", minute, second, fraction, offset = "Z"] = match;
  const milliseconds = (fraction ?? "").slice(0, 3).padEnd(3, "0");
  const from = Date.parse(`${day}T${minute ?? "00:00"}:${second ?? "00"}.${milliseconds}${offset.toUpperCase()}`);
  // Date.parse would read a day that the month does not have as a day of the next month.
  const isReal = !Number.isNaN(from) && new Date(Date.parse(`${day}T00:00:00Z`)).toISOString().startsWith(day);
  return isReal ? { from, to: from + lengthOf(minute, second, fraction) } : undefined;
}

function relativeSpan(now: number, { sign, count, unit }: Record<string, string | undefined>): Span {
  const shift = Number(count ?? 0) * (UNITS.get(unit ?? "") ?? 0);
  const from = sign === "-" ? now - shift : now + shift;
  return { from, to: from + 1 };
}

function lengthOf(minute: string | undefined, second: string | undefined, fraction: string | undefined): number {
  if (minute === undefined) return DAY;
  if (second === undefined) return MINUTE;
  return fraction === undefined ? SECOND : 1;
}
