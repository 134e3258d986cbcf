/** A time zone name of the IANA database: `UTC`, `Africa/Cairo`. */
export type Zone = string;

export const UTC: Zone = "UTC";

/** Wall clock time. Months count from 1. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

export function browserZone(): Zone {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const FORMATS = new Map<Zone, Intl.DateTimeFormat>();

/** Cached, because creating a formatter costs as much as formatting a hundred times. */
function findFormat(zone: Zone): Intl.DateTimeFormat {
  const kept = FORMATS.get(zone);
  if (kept) return kept;
  const created = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  FORMATS.set(zone, created);
  return created;
}

export function wallTimeAt(at: Date, zone: Zone): WallTime {
  const parts = new Map(
    findFormat(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    year: read("year"),
    month: read("month"),
    day: read("day"),
    hour: read("hour"),
    minute: read("minute"),
    second: read("second"),
  };
}

function toUtcMs({ year, month, day, hour, minute, second }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Offset of the zone from UTC. */
function offsetMs(ms: number, zone: Zone): number {
  const whole = Math.floor(ms / 1000) * 1000;
  return toUtcMs(wallTimeAt(new Date(whole), zone)) - whole;
}

/** The instant of a wall clock time. An hour that daylight saving time skips uses the offset before it. */
export function instantAt(wall: WallTime, zone: Zone): Date {
  const shown = toUtcMs(wall);
  const before = shown - offsetMs(shown - 86_400_000, zone);
  const exact = [before, shown - offsetMs(shown + 86_400_000, zone)].find((ms) => ms + offsetMs(ms, zone) === shown);
  return new Date(exact ?? before);
}

/** `+02:00` */
export function offsetWords(at: Date, zone: Zone): string {
  const minutes = Math.round(offsetMs(at.getTime(), zone) / 60_000);
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${twoDigits(hour)}:${twoDigits(minute)}`;
}

/** `UTC`, or `Cairo +02:00`. */
export function zoneLabel(zone: Zone, at: Date): string {
  if (zone === UTC) return UTC;
  const city = (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
  return `${city} ${offsetWords(at, zone)}`;
}

/** `2026-11-17T08:00`, the format of `<input type="datetime-local">`. */
export function toLocalInput(at: Date, zone: Zone): string {
  const { year, month, day, hour, minute } = wallTimeAt(at, zone);
  return `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}T${twoDigits(hour)}:${twoDigits(minute)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
