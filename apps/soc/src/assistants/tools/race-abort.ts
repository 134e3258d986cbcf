/**
 * Resolves with the result of the work, or rejects with the reason of the signal if it aborts first; the work then ends
 * unobserved.
 */
export async function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = withReject();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function withReject(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  return { promise, reject };
}
