/** How often a child process was restarted, as far as this process remembers. */
export interface Restarts {
  restarts_24h: number;
  last_reason: string | null;
}

/** The parts without which a process may not be ready. */
export type NeededPart = "database" | "log_engine" | "worker";

/** The stream of new logs, on which rules are evaluated. */
export interface StreamHealth {
  /** For how many seconds of ingest time logs have not been evaluated. */
  lag_s: number;
  /** Whether a worker leads the stream, that is, reads its logs. */
  isLed: boolean;
}

/** Frequent and cheap requests, which are not limited. */
export const HEALTH_CHECKS: readonly (string | undefined)[] = ["/health", "/ready"];
