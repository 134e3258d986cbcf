/** Calls `task` after each period, until the returned function is called. */
export function every(periodMs: number, task: () => void): () => void {
  const timer = setInterval(task, periodMs);
  return () => clearInterval(timer);
}

/** Calls `task` once, unless the returned function is called before. */
export function after(delayMs: number, task: () => void): () => void {
  const timer = setTimeout(task, delayMs);
  return () => clearTimeout(timer);
}

/** A signal that aborts after the timeout. */
export function deadline(timeoutMs: number): AbortSignal {
  return AbortSignal.timeout(timeoutMs);
}

/** This browser's clock, which may be wrong; the device's is `live.deviceNowMs`. */
export function nowMs(): number {
  return Date.now();
}
