/** Passes events to one reader in order, whenever they are added. */
export function createEventQueue<Event>() {
  const waiting: Event[] = [];
  let wake: () => void = () => undefined;
  let hasEnded = false;

  return {
    add(events: Iterable<Event>): void {
      waiting.push(...events);
      wake();
    },

    /** Events added earlier are still read. */
    end(): void {
      hasEnded = true;
      wake();
    },

    async *events(): AsyncGenerator<Event, void> {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (hasEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
