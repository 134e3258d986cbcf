export type StepUp = ReturnType<typeof createStepUp>;

/** Requests that need a fresh second factor wait here until the user provides one or declines. */
export function createStepUp() {
  const listeners = new Set<() => void>();
  let waiting: ((isProven: boolean) => void)[] = [];

  function announce(): void {
    for (const listener of listeners) listener();
  }

  return {
    /** Whether a request is waiting. */
    read: () => waiting.length > 0,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** All requests that wait at the same time get the same result. */
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
