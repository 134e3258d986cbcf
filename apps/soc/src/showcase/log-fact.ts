import type { LogEvent, LogSeverity } from "../logs/search/log.ts";
import type { SiteKey } from "./story.ts";

/** Who or what is in a log. */
export type Part = Partial<
  Pick<LogEvent, "host" | "user" | "src_ip" | "dst_ip" | "src_port" | "dst_port" | "process" | "attributes">
>;

/** What is told of one log, or of several that differ by their time and their cast; the rest follows from it. */
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
  /** Taken in turn. */
  cast?: readonly Part[];
}

/** The logs that an alert was raised for. */
export interface AlertLogs {
  alert: string;
  logs: readonly LogFact[];
}
