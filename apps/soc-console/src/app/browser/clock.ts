/** Calls `task` every period until the returned function is called. */
export function every(periodMs: number, task: () => void): () => void {
  const timer = setInterval(task, periodMs);
  return () => clearInterval(timer);
}

/** A signal that aborts after the timeout. */
export function deadline(timeoutMs: number): AbortSignal {
  return AbortSignal.timeout(timeoutMs);
}

export function now(): Date {
  return new Date();
}

export function later(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}

/** Calls `task` once after the delay, unless the returned function is called first. */
export function after(delayMs: number, task: () => void): () => void {
  const timer = setTimeout(task, delayMs);
  return () => clearTimeout(timer);
}

/** A monotonic clock. */
export function monotonicMs(): number {
  return performance.now();
}
