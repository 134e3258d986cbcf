/**
 * Runs work with the same key one after the other, in the order of the calls. `before` is why the work before it failed,
 * when this one had to wait for it; undefined when it succeeded.
 */
export type Mutex = <Result>(key: string, work: (before: unknown) => Promise<Result>) => Promise<Result>;

export function createMutex(): Mutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const turn = before.then(
      () => work(undefined),
      (error: unknown) => work(error),
    );
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
