/** Node's timers count in 32 bits with a sign: beyond 24.8 days they fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits the given time in parts, each short enough for a timer. */
export async function countDown(ms: number, wait: (partMs: number) => Promise<void>): Promise<void> {
  let leftMs = ms;
  for (; leftMs > MAX_TIMER_MS; leftMs -= MAX_TIMER_MS) await wait(MAX_TIMER_MS);
  await wait(leftMs);
}
