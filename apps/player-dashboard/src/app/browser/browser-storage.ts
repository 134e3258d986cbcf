/** A browser may deny storage; values then last only as long as the page. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

export function readStored(name: string): string | undefined {
  return withStorage((storage) => storage.getItem(name)) ?? undefined;
}

/** Stores a value in this browser; undefined removes it. */
export function writeStored(name: string, value: string | undefined): void {
  withStorage((storage) => (value === undefined ? storage.removeItem(name) : storage.setItem(name, value)));
}

/** What this tab keeps across a reload; undefined when the browser denies storage. */
export function tabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
