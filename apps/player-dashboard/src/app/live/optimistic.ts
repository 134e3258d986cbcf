import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

export interface Optimistic<Value> {
  /** What the device said last. */
  truth: Signal<Value | undefined>;
  /** The same, with what the owner has just asked for. */
  view: ReadonlySignal<Value | undefined>;
  /** Shows a change while the request runs. When it is refused, the page is back at the truth. */
  attempt: (change: Partial<Value>, request: () => Promise<unknown>) => Promise<void>;
}

export function createOptimistic<Value extends object>(): Optimistic<Value> {
  const truth = signal<Value | undefined>(undefined);
  const pending = signal<readonly Partial<Value>[]>([]);
  const view = computed(() => {
    let value = truth.value;
    for (const change of pending.value) value = value && { ...value, ...change };
    return value;
  });
  return {
    truth,
    view,
    async attempt(change, request) {
      pending.value = [...pending.value, change];
      try {
        await request();
        // The event that confirms it may still be under way: what was asked for is the truth until then.
        if (truth.value) truth.value = { ...truth.value, ...change };
      } finally {
        pending.value = pending.value.filter((other) => other !== change);
      }
    },
  };
}
