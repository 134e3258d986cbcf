export interface Outage {
  /** Since the audio broke off, or since it was asked for in vain. */
  elapsedMs: number;
  /** How often the source has been tried again since then. */
  tries: number;
}

const FIRST_MS = 1000;
const EAGER_MS = 2000;
const EAGER_FOR_MS = 5 * 60_000;
const PATIENT_MS = 30_000;

/** How long to wait before the next try; undefined when it was tried for long enough. 0 minutes are for ever. */
export function retryDelayMs({ elapsedMs, tries }: Outage, retryMinutes: number): number | undefined {
  const laterMs = elapsedMs < EAGER_FOR_MS ? EAGER_MS : PATIENT_MS;
  const delayMs = tries === 0 ? FIRST_MS : laterMs;
  const isTooLate = retryMinutes > 0 && elapsedMs + delayMs > retryMinutes * 60_000;
  return isTooLate ? undefined : delayMs;
}
