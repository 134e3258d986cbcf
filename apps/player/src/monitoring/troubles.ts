export type TroubleSource = "clock" | "key" | "storage" | "renewal" | "events" | "queue" | "broker" | "request";
export type Troubles = ReturnType<typeof createTroubles>;

/** Current failures by source, latest first. A success of the same source clears its failure. */
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
