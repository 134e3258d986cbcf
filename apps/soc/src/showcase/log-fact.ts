import type { LogEvent, LogSeverity } from "../ports/log-event.ts";
import type { SiteKey } from "./story.ts";

/** The fields that identify the participants of a log. */
export type Part = Partial<
  Pick<LogEvent, "host" | "user" | "src_ip" | "dst_ip" | "src_port" | "dst_port" | "process" | "attributes">
>;

/** The facts of one log, or of several that differ in time and cast; all other fields are derived from them. */
export interface LogFact extends Part {
  minutesAgo: number;
  source: string;
  severity: LogSeverity;
  site: SiteKey;
  event_code?: string;
  action?: string;
  outcome?: string;
  message: string;
  times?: number;
  everySeconds?: number;
  /** Used in rotation. */
  cast?: readonly Part[];
}

/** The logs of an alert. */
export interface AlertLogs {
  alert: string;
  logs: readonly LogFact[];
}
