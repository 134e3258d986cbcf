import type { CIRCUIT_STATES } from "./edr.schema.ts";

/** What is remembered of the last tries to reach the adapter. */
export interface Circuit {
  /** In a row. */
  failures: number;
  opened_at: Date | null;
  /** Until then one process tries whether it answers again. */
  probe_until: Date | null;
}

export type CircuitState = Exclude<(typeof CIRCUIT_STATES)[number], "none">;

/** So many failures in a row open it, and it stays open for so long. */
export const OPENS_AFTER = 5;
const OPEN_MS = 30_000;
/** Longer than one try takes. */
export const PROBE_MS = 10_000;

export function stateOf({ opened_at }: Circuit, now: Date): CircuitState {
  if (opened_at === null) return "closed";
  return now < closesAt(opened_at) ? "open" : "half_open";
}

/** From when on one try is allowed. */
export function closesAt(opened_at: Date): Date {
  return new Date(opened_at.getTime() + OPEN_MS);
}
