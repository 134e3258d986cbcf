const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TIME = /^([A-Z][a-z]{2}) ([ \d]?\d) (?:(\d{4}) )?(\d\d):(\d\d):(\d\d)(\.\d{1,6})?:? /;
const DAY_MS = 24 * 60 * 60_000;

/**
 * RFC 3164, section 4.1.2: `Mmm dd hh:mm:ss`. It has no year and no zone. The result has no zone either; the year is
 * the latest that puts the time at most a day into the future, to tolerate fast clocks and eastern time zones.
 */
export function parseRfc3164Time(text: string, arrivedAt: Date): { timestamp: string; length: number } | undefined {
  const read = TIME.exec(text);
  if (!read) return undefined;
  const [all, name = "", day, year, hours, minutes, seconds, fraction = "0"] = read;
  const month = MONTHS.indexOf(name);
  if (month < 0) return undefined;
  const rest = [Number(hours), Number(minutes), Number(seconds), Math.floor(Number(fraction) * 1000)] as const;
  if (Number(day) < 1 || Number(day) > 31 || rest[0] > 23 || rest[1] > 59 || rest[2] > 60) return undefined;
  const at = (inYear: number) => Date.UTC(inYear, month, Number(day), ...rest);
  const thisYear = arrivedAt.getUTCFullYear();
  const latest = arrivedAt.getTime() + DAY_MS;
  const givenYear = year === undefined ? undefined : Number(year);
  const chosen = givenYear ?? [thisYear + 1, thisYear].find((each) => at(each) <= latest) ?? thisYear - 1;
  return { timestamp: new Date(at(chosen)).toISOString().slice(0, -1), length: all.length };
}
