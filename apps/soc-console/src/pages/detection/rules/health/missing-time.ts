import { type RuleTime, TIME_KINDS, type TimeKind } from "../../../../app/rule-time/rule-time.ts";

export type MissingKind = Exclude<TimeKind, "ran">;

export interface MissingTime {
  kind: MissingKind;
  from: string;
  to: string;
  /** The missing part of the interval. */
  seconds: number;
}

type Hour = RuleTime & { hour: string };

const HOUR_MS = 3_600_000;
const MISSING_KINDS = TIME_KINDS.filter((kind): kind is MissingKind => kind !== "ran");
/** Shorter gaps are only the duration of a run. */
const MIN_MISSING_S = 1;

/** The intervals in which a rule did not run, by reason, newest first. Adjacent hours are merged. */
export function listMissing(hours: readonly Hour[]): MissingTime[] {
  const ordered = hours.toSorted((one, other) => Date.parse(one.hour) - Date.parse(other.hour));
  const missing = MISSING_KINDS.flatMap((kind) => listKind(ordered, kind));
  return missing.toSorted((one, other) => Date.parse(other.from) - Date.parse(one.from));
}

/** The recent time that the workers have not evaluated yet; undefined if they are up to date. */
export function findLate({ late_s, measured_at }: { late_s: number; measured_at: string }): MissingTime | undefined {
  if (late_s < MIN_MISSING_S) return undefined;
  const from = new Date(Date.parse(measured_at) - late_s * 1000).toISOString();
  return { kind: "late", from, to: measured_at, seconds: late_s };
}

function listKind(hours: readonly Hour[], kind: MissingKind): MissingTime[] {
  const found: MissingTime[] = [];
  for (const hour of hours) {
    const seconds = hour[`${kind}_s`];
    if (seconds < MIN_MISSING_S) continue;
    const to = new Date(Date.parse(hour.hour) + HOUR_MS).toISOString();
    const last = found.at(-1);
    if (last && Date.parse(last.to) === Date.parse(hour.hour)) {
      last.to = to;
      last.seconds += seconds;
    } else found.push({ kind, from: new Date(hour.hour).toISOString(), to, seconds });
  }
  return found;
}
