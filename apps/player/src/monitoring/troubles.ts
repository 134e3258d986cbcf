export type TroubleSource = "clock" | "key" | "storage" | "renewal" | "events" | "queue" | "broker" | "request";
export type Troubles = ReturnType<typeof createTroubles>;

/** What does not work now, by its source; the latest first. A success of the same source ends it. */
export function createTroubles() {
  const messages = new Map<TroubleSource, string>();
  return {
    set(source: TroubleSource, message: string): void {
      messages.delete(source);
      messages.set(source, message);
    },
    clear(source: TroubleSource): void {
      messages.delete(source);
    },
    clearAll(): void {
      messages.clear();
    },
    last: (): string | null => [...messages.values()].at(-1) ?? null,
    /** Whether it is waiting for the platform or the broker. */
    hasAny: (): boolean => messages.size > 0,
  };
}
