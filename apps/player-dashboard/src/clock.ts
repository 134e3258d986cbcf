/** Calls `task` after each period, until the returned function is called. */
export function every(periodMs: number, task: () => void): () => void {
  const timer = setInterval(task, periodMs);
  return () => clearInterval(timer);
}

/** A signal that aborts by itself. */
export function deadline(timeoutMs: number): AbortSignal {
  return AbortSignal.timeout(timeoutMs);
}
