export type StepUp = ReturnType<typeof createStepUp>;

/** Requests that need a fresh second factor wait here until the user has shown one over the page, or has not. */
export function createStepUp() {
  const listeners = new Set<() => void>();
  let waiting: ((isProven: boolean) => void)[] = [];

  function announce(): void {
    for (const listener of listeners) listener();
  }

  return {
    /** Whether a request waits. */
    read: () => waiting.length > 0,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** All requests that wait at the same time get the same answer. */
    ask: (): Promise<boolean> =>
      new Promise((resolve) => {
        waiting = [...waiting, resolve];
        announce();
      }),
    finish: (isProven: boolean): void => {
      const waited = waiting;
      waiting = [];
      announce();
      for (const resolve of waited) resolve(isProven);
    },
  };
}
