/** The browser may deny storage. Values then last only as long as the page. */
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

export function writeStored(name: string, value: string): void {
  withStorage((storage) => storage.setItem(name, value));
}
