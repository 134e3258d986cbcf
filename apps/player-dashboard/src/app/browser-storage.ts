/** A browser may refuse storage to a page; what would be kept then lasts as long as the page. */
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

/** Keeps a value in this browser; without one it is forgotten. */
export function writeStored(name: string, value: string | undefined): void {
  withStorage((storage) => (value === undefined ? storage.removeItem(name) : storage.setItem(name, value)));
}
