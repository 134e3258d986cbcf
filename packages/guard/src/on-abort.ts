/** Acts once when the signal aborts or already has, unless the wait ended before. */
export function onAbort(signal: AbortSignal | undefined, ended: AbortSignal, act: (reason: unknown) => void): void {
  if (!signal || ended.aborted) return;
  if (signal.aborted) act(signal.reason);
  else signal.addEventListener("abort", () => act(signal.reason), { once: true, signal: ended });
}
