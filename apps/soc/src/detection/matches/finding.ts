import type { ReportedLog } from "../../alerts/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";

/** A half-open span of ingest time: `from` is included, `to` is not. */
export interface Window {
  from: Date;
  to: Date;
}

/** The part of a log that an alert repeats. */
export type Member = ReportedLog;

/** One result of a rule. A single event is a finding on its own; a group is represented by its last event. */
export interface Finding {
  log: LogEvent;
  /** The events of the finding, at most 1,000. */
  members: readonly Member[];
  /** The fields by which the rule groups, with the values of this group. */
  group?: Readonly<Record<string, string>>;
}

export interface Execution {
  window: Window;
  findings: Finding[];
  /** How many logs were found, counted up to a million; more than the number of members if the execution is capped. */
  total: number;
  /** Why not all logs could be evaluated or kept; undefined if all were. */
  capped?: string;
  /** Logs that meet the rule but are hidden by an exception, the newest 10,000. They are in no finding. */
  excepted?: readonly ExceptedLog[];
}

export interface ExceptedLog {
  exception_id: string;
  log: Member;
}

/** The limits of one run. One alert reports that a limit was exceeded. */
export const RUN_LIMITS = {
  matches: 10_000,
  /** Matches of one rule that are stored per hour, over all of its runs and stream passes. */
  matchesAnHour: 20_000,
  alerts: 100,
  /** New alerts of one rule per hour over all of its runs, because a flood can also arrive slowly. */
  alertsAnHour: 500,
  counted: 1_000_000,
  /** Logs that a rule with groups reads. */
  read: 200_000,
  groups: 20_000,
  members: 1000,
} as const;

/** Makes each log a separate finding. */
export function toFindings(logs: readonly LogEvent[]): Finding[] {
  return logs.map((log) => ({ log, members: [log] }));
}

/** The fields of a group with their values; undefined if the rule does not group. */
export function toGroup(fields: readonly string[], values: readonly string[]): Pick<Finding, "group"> {
  if (fields.length === 0) return {};
  return { group: Object.fromEntries(fields.map((field, place) => [field, values[place] ?? ""])) };
}

/** The ids of the matched logs, newest first. */
export function listMatchedIds({ findings }: Pick<Execution, "findings">, limit: number): string[] {
  const ids = new Set<string>();
  for (const { members } of findings) {
    for (const { id } of members) {
      if (ids.size === limit) return [...ids];
      ids.add(id);
    }
  }
  return [...ids];
}
