import type { LogEvent } from "../../ports/log-event.ts";
import type { WorkerRule } from "./dispatcher.ts";

export interface StreamRules {
  /** Raises the matches of one pass. Idempotent. */
  raise(rule: WorkerRule, logs: readonly LogEvent[]): Promise<void>;
}

/** An additional observer of every log on the stream. */
export interface StreamWatch {
  /** Prepares for the next logs, after the watermark is known; false if there is nothing to search for. */
  refresh(): Promise<boolean>;
  /** Rejects if it failed; it then receives the logs again. */
  onLogs(logs: readonly LogEvent[]): Promise<void>;
}
