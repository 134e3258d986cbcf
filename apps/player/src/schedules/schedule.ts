import { toEpochDays, toIsoDate } from "../time/calendar-date.ts";
import type { Zone } from "../time/zone.ts";
import type { ScheduleBody } from "./schedules.schema.ts";

/** The stored fields of a schedule. The next run is computed from them and the clock. */
export interface Schedule extends Omit<ScheduleBody, "next_run"> {
  /** The local dates whose run was handled, the latest last: a clock that is set back does not repeat them. */
  handled: readonly string[];
  /** Epoch seconds since when it runs; earlier runs are not missed. Null until the clock is valid for the first time. */
  enabled_at: number | null;
}

export type When = Pick<Schedule, "hour" | "minute" | "anchor" | "days">;

/** What the times of a day are computed from. */
export interface Almanac {
  zone: Zone;
  /** The six prayers of that date, in epoch seconds; undefined without a location. */
  prayersOn(date: string): readonly number[] | undefined;
}

export interface Occurrence {
  date: string;
  epochS: number;
}

/** A schedule still runs if it is late by at most this much: after sleep, or when the clock was corrected. */
export const LATEST_S = 120;
const DAY_S = 86_400;
const DAYS_AHEAD = 8;
const MAX_HANDLED = 8;
const MINUTES_OF_LONGEST_GAP = 24 * 60;

/** The instant of the run on that date; undefined if there is none. */
export function runOn({ hour, minute, anchor, days }: When, date: string, almanac: Almanac): Occurrence | undefined {
  const weekday = (toEpochDays(date) + 4) % 7;
  if ((days & (1 << weekday)) === 0) return undefined;
  const epochS = anchor
    ? anchored(anchor, almanac.prayersOn(date))
    : hour !== null && minute !== null
      ? firstReached(date, hour * 60 + minute, almanac.zone)
      : undefined;
  return epochS === undefined ? undefined : { date, epochS };
}

function anchored(anchor: NonNullable<When["anchor"]>, prayers: readonly number[] | undefined): number | undefined {
  const epochS = prayers?.[anchor.prayer];
  return epochS === undefined ? undefined : epochS + anchor.offset_min * 60;
}

/** If the wall clock skips that minute, the next minute that it shows; if it shows it twice, the first. */
function firstReached(date: string, minuteOfDay: number, zone: Zone): number | undefined {
  const start = toEpochDays(date) * 24 * 60 + minuteOfDay;
  for (let at = start; at <= start + MINUTES_OF_LONGEST_GAP; at += 1) {
    const [year = 0, month = 0, day = 0] = toIsoDate(Math.floor(at / 1440))
      .split("-")
      .map(Number);
    const [epochS] = zone.findEpochs({ year, month, day, hour: Math.floor((at % 1440) / 60), minute: at % 60 });
    if (epochS !== undefined) return epochS;
  }
  return undefined;
}

/** All unhandled runs after one instant and up to another, in order. */
export function runsBetween(
  schedule: When & Pick<Schedule, "handled">,
  afterS: number,
  untilS: number,
  almanac: Almanac,
): Occurrence[] {
  // An offset, or a prayer after midnight, can move a run out of its date.
  const first = toEpochDays(localDate(afterS, almanac.zone)) - 1;
  const last = toEpochDays(localDate(untilS, almanac.zone)) + 1;
  const runs: Occurrence[] = [];
  for (let day = first; day <= last; day += 1) {
    const run = runOn(schedule, toIsoDate(day), almanac);
    if (run && run.epochS > afterS && run.epochS <= untilS && !schedule.handled.includes(run.date)) runs.push(run);
  }
  return runs.toSorted((a, b) => a.epochS - b.epochS);
}

export function nextRun(
  schedule: When & Pick<Schedule, "handled">,
  nowS: number,
  almanac: Almanac,
): Occurrence | undefined {
  return runsBetween(schedule, nowS, nowS + DAYS_AHEAD * DAY_S, almanac)[0];
}

/** The runs that became due since the last check: the one that runs now, and the missed ones. */
export function findDue(
  schedule: When & Pick<Schedule, "handled">,
  checkedAtS: number,
  nowS: number,
  almanac: Almanac,
): { runs: Occurrence | undefined; missed: Occurrence[] } {
  const all = runsBetween(schedule, Math.min(checkedAtS, nowS - LATEST_S), nowS, almanac);
  const last = all.at(-1);
  const runs = last && nowS - last.epochS <= LATEST_S ? last : undefined;
  return { runs, missed: runs ? all.slice(0, -1) : all };
}

/** Adds handled dates. A week is enough: a schedule runs at most once a day. */
export function handledWith(handled: readonly string[], occurrences: readonly Occurrence[]): string[] {
  const added = occurrences.map(({ date }) => date).filter((date) => !handled.includes(date));
  return [...handled, ...added].slice(-MAX_HANDLED);
}

function localDate(epochS: number, zone: Zone): string {
  return toIsoDate(Math.floor((epochS + zone.offsetAt(epochS)) / DAY_S));
}
