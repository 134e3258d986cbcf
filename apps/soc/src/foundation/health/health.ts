/** The number of restarts of a child process, as far as this process remembers. */
export interface Restarts {
  restarts_24h: number;
  last_reason: string | null;
}

/** The parts that a process may need to be ready. */
export type NeededPart = "database" | "log_engine" | "worker";

/** The audit log in the ledger and at its receivers. */
export interface AuditHealth {
  /** Age of the oldest entry that has not joined the ledger. */
  lag_s: number;
  faults: readonly string[];
  receivers: readonly { receiver: string; state: string }[];
}

/** The stream of new logs that rules are evaluated on. */
export interface StreamHealth {
  /** The ingest time, in seconds, of the logs that have not been evaluated yet. */
  lag_s: number;
  /** Whether a worker leads the stream, which means that it reads the logs. */
  isLed: boolean;
}

/** Frequent and cheap requests that are not rate-limited. */
export const HEALTH_CHECKS: readonly (string | undefined)[] = ["/health", "/ready"];
