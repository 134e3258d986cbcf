export interface Outage {
  /** Since the audio broke off, or since the first failed attempt. */
  elapsedMs: number;
  /** How many times the source has been tried again since then. */
  tries: number;
}

const FIRST_MS = 1000;
const EAGER_MS = 2000;
const EAGER_FOR_MS = 5 * 60_000;
const PATIENT_MS = 30_000;

/** The delay before the next attempt; undefined when the time limit is over. 0 minutes means no limit. */
export function retryDelayMs({ elapsedMs, tries }: Outage, retryMinutes: number): number | undefined {
  const laterMs = elapsedMs < EAGER_FOR_MS ? EAGER_MS : PATIENT_MS;
  const delayMs = tries === 0 ? FIRST_MS : laterMs;
  const isTooLate = retryMinutes > 0 && elapsedMs + delayMs > retryMinutes * 60_000;
  return isTooLate ? undefined : delayMs;
}
