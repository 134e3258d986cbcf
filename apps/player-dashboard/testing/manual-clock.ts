/** A manually advanced clock. */
export function createHandClock() {
  let nowMs = 1_000_000;
  let tasks: { atMs: number; task: () => void }[] = [];

  function after(delayMs: number, task: () => void): () => void {
    const waiting = { atMs: nowMs + delayMs, task };
    tasks.push(waiting);
    return () => {
      tasks = tasks.filter((other) => other !== waiting);
    };
  }

  return {
    after,
    nowMs: () => nowMs,
    /** Lets time pass and runs the due tasks in order. */
    pass(durationMs: number) {
      const endMs = nowMs + durationMs;
      for (;;) {
        const next = tasks.filter(({ atMs }) => atMs <= endMs).sort((one, other) => one.atMs - other.atMs)[0];
        if (!next) break;
        tasks = tasks.filter((other) => other !== next);
        nowMs = next.atMs;
        next.task();
      }
      nowMs = endMs;
    },
  };
}
