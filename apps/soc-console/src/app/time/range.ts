import { instantAt, type WallTime, wallTimeAt, type Zone } from "./zone.ts";

/**
 * A time range in the address. Each bound is relative to now (`-24h`) or an ISO 8601 instant; without `to` it ends now.
 * A relative range stays relative: a link always shows the last 24 hours before it is opened.
 */
export interface TimeRange {
  readonly from: string;
  readonly to?: string | undefined;
}

export interface Span {
  from: Date;
  to: Date;
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
type Unit = keyof typeof UNIT_MS;
/** Ten years: no log is kept longer, and a Date can still represent it. */
const MAX_AGE_MS = 3660 * UNIT_MS.d;
const RELATIVE = /^-?(\d{1,6})\s*([smhdw])$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const WALL = /^(\d{4})-(\d\d)-(\d\d)[T ](\d{1,2}):(\d\d)(?::(\d\d))?$/;
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;

export interface Age {
  count: number;
  unit: Unit;
}

/** Splits `-24h` into its parts; undefined for an instant, zero, or more than ten years. */
export function parseAge(bound: string): Age | undefined {
  const [, digits = "", letter = ""] = RELATIVE.exec(bound.trim().toLowerCase()) ?? [];
  const unit = isUnit(letter) ? letter : undefined;
  const count = Number(digits);
  return unit && count > 0 && count * UNIT_MS[unit] <= MAX_AGE_MS ? { count, unit } : undefined;
}

function isUnit(letter: string): letter is Unit {
  return Object.hasOwn(UNIT_MS, letter);
}

function toAgeText({ count, unit }: Age): string {
  return `-${count}${unit}`;
}

/** Converts a bound to an instant; undefined if it is invalid. */
function resolveBound(bound: string, now: Date): Date | undefined {
  const age = bound.startsWith("-") ? parseAge(bound) : undefined;
  if (age) return new Date(now.getTime() - age.count * UNIT_MS[age.unit]);
  const ms = INSTANT.test(bound) ? Date.parse(bound) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms);
}

/** The range in the search parameters; undefined if they have none, or one that ends before it starts. */
export function readRange({ from, to }: { from?: unknown; to?: unknown }, now: Date): TimeRange | undefined {
  if (typeof from !== "string" || (to !== undefined && typeof to !== "string")) return undefined;
  return requireOrder(to === undefined ? { from } : { from, to }, now);
}

function requireOrder(range: TimeRange, now: Date): TimeRange | undefined {
  const from = resolveBound(range.from, now);
  const to = range.to === undefined ? now : resolveBound(range.to, now);
  return from && to && from < to ? range : undefined;
}

export function isRelative({ from, to }: TimeRange): boolean {
  return from.startsWith("-") && (to === undefined || to.startsWith("-"));
}

/** The instants that the range means now. */
export function resolveRange(range: TimeRange, now: Date): Span {
  const from = resolveBound(range.from, now);
  const to = range.to === undefined ? now : resolveBound(range.to, now);
  if (!from || !to) throw new Error(`invalid bound in the range ${formatRange(range)}`);
  return { from, to };
}

/** The same range with fixed instants: what a link shows a colleague tomorrow. */
export function freezeRange(range: TimeRange, now: Date): TimeRange {
  return spanRange(resolveRange(range, now));
}

export function spanRange({ from, to }: Span): TimeRange {
  return { from: from.toISOString(), to: to.toISOString() };
}

/** The range as text for its field: `-24h`, or both bounds separated by two dots. */
export function formatRange({ from, to }: TimeRange): string {
  return to === undefined && from.startsWith("-") ? from : `${from}..${to ?? ""}`;
}

export interface RangeContext {
  now: Date;
  /** The zone of times without an offset. */
  zone: Zone;
}

/**
 * Parses user input: `-15m`, `24h`, `-2h..-1h`, `8:00..10:00`, `2026-11-17`, `2026-11-17..2026-11-19`,
 * `2026-11-17T08:00..2026-11-17T10:00`, instants with an offset. An open end is now. Undefined if it is none of them.
 */
export function parseRange(text: string, context: RangeContext): TimeRange | undefined {
  const bounds = text.trim().split(/\s*(?:\.\.+|…)\s*/);
  const [first = "", last = ""] = bounds;
  if (bounds.length > 2) return undefined;
  const range = bounds.length === 1 ? parseOne(first, context) : parseTwo(first, last, context);
  return range && requireOrder(range, context.now);
}

function parseOne(text: string, { zone }: RangeContext): TimeRange | undefined {
  const age = parseAge(text);
  if (age) return { from: toAgeText(age) };
  const day = parseDay(text, zone);
  return day && spanRange(day);
}

function parseTwo(first: string, last: string, context: RangeContext): TimeRange | undefined {
  const [fromClock, toClock] = [parseClock(first), parseClock(last)];
  if (fromClock && (toClock || last === "")) return latestHours(fromClock, toClock, context);
  const from = parseBound(first, "from", context);
  if (last === "") return from === undefined ? undefined : { from };
  const to = parseBound(last, "to", context);
  return from === undefined || to === undefined ? undefined : { from, to };
}

type Clock = Pick<WallTime, "hour" | "minute" | "second">;

/** The latest such hours that have started: in the morning, `22:00..2:00` means last night. */
function latestHours(from: Clock, to: Clock | undefined, { now, zone }: RangeContext): TimeRange {
  const today = wallTimeAt(now, zone);
  const at = (clock: Clock, days: number) => instantAt({ ...today, day: today.day + days, ...clock }, zone);
  const start = at(from, 0) <= now ? 0 : -1;
  const begin = at(from, start);
  if (!to) return { from: begin.toISOString() };
  const sameDay = at(to, start);
  return spanRange({ from: begin, to: sameDay > begin ? sameDay : at(to, start + 1) });
}

function parseBound(text: string, side: keyof Span, { zone }: RangeContext): string | undefined {
  const age = parseAge(text);
  if (age) return toAgeText(age);
  if (INSTANT.test(text.toUpperCase())) return toIso(Date.parse(text));
  const [, year, month, day, hour, minute, second] = (WALL.exec(text) ?? []).map(Number);
  if (year !== undefined) return wallInstant({ year, month, day, hour, minute, second }, zone)?.toISOString();
  return parseDay(text, zone)?.[side].toISOString();
}

function toIso(ms: number): string | undefined {
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function parseClock(text: string): Clock | undefined {
  const [, hour = 24, minute = 60, second] = (CLOCK.exec(text) ?? []).map(Number);
  const clock = { hour, minute, second: second || 0 };
  return isClock(clock) ? clock : undefined;
}

function isClock({ hour, minute, second }: Clock): boolean {
  return hour < 24 && minute < 60 && second < 60;
}

/** A day from midnight to midnight: its upper bound is the start of the next day. */
function parseDay(text: string, zone: Zone): Span | undefined {
  const [, year, month, day = 0] = (DAY.exec(text) ?? []).map(Number);
  const from = wallInstant({ year, month, day, hour: 0, minute: 0 }, zone);
  const next = { year: year ?? 0, month: month ?? 0, day: day + 1, hour: 0, minute: 0, second: 0 };
  return from && { from, to: instantAt(next, zone) };
}

type WrittenTime = { readonly [Part in keyof WallTime]?: number | undefined };

/** Undefined for a date that does not exist, such as 31 April. */
function wallInstant(written: WrittenTime, zone: Zone): Date | undefined {
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = written;
  const second = written.second || 0;
  const calendar = new Date(Date.UTC(year, month - 1, day));
  const isDay = year > 0 && calendar.getUTCMonth() === month - 1 && calendar.getUTCDate() === day;
  return isDay && isClock({ hour, minute, second })
    ? instantAt({ year, month, day, hour, minute, second }, zone)
    : undefined;
}
