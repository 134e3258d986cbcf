import type { LogEvent } from "../../logs/search/log.ts";

/** Ingest time: from the first instant to the first one that no longer counts. */
export interface Window {
  from: Date;
  to: Date;
}

/** One log of a finding, as far as it must be known again. */
export type Member = Pick<LogEvent, "id" | "ingested_at">;

/** One thing that a rule has found. A single event is its own finding; others are told by the last event of their group. */
export interface Finding {
  log: LogEvent;
  /** The events that it is made of, at most 1,000, each known by its id. */
  members: readonly Member[];
}

export interface Execution {
  window: Window;
  findings: Finding[];
  /** How many logs were found, counted to a million; more than there are members when it is capped. */
  total: number;
  /** Why not all of it could be looked at or kept; undefined when it was. */
  capped?: string;
}

/** The most that one run keeps. What goes beyond becomes one alert that says so. */
export const RUN_LIMITS = {
  matches: 10_000,
  alerts: 100,
  /** New ones of one rule, over all of its runs: what comes in slowly can be a flood, too. */
  alertsAnHour: 500,
  counted: 1_000_000,
  /** Logs that a rule of groups reads. */
  read: 200_000,
  groups: 20_000,
  members: 1000,
} as const;

/** Each log by itself. */
export function toFindings(logs: readonly LogEvent[]): Finding[] {
  return logs.map((log) => ({ log, members: [log] }));
}
