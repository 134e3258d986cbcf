import type { CIRCUIT_STATES } from "./edr.schema.ts";

/** Circuit breaker state of the EDR adapter. */
export interface Circuit {
  /** Consecutive failures. */
  failures: number;
  opened_at: Date | null;
  /** One process probes the adapter until this time; the others wait. */
  probe_until: Date | null;
}

export type CircuitState = Exclude<(typeof CIRCUIT_STATES)[number], "none">;

/** The number of consecutive failures that opens the circuit. */
export const OPENS_AFTER = 5;
const OPEN_MS = 30_000;
/** Exceeds the duration of one attempt. */
export const PROBE_MS = 10_000;

export function stateOf({ opened_at }: Circuit, now: Date): CircuitState {
  if (opened_at === null) return "closed";
  return now < halfOpenAt(opened_at) ? "open" : "half_open";
}

/** When the circuit becomes half open and one probe is allowed. */
export function halfOpenAt(opened_at: Date): Date {
  return new Date(opened_at.getTime() + OPEN_MS);
}
