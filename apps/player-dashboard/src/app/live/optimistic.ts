import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

export interface Optimistic<Value> {
  /** The last state that the device reported. */
  truth: Signal<Value | undefined>;
  /** The same, with the owner's pending changes. */
  view: ReadonlySignal<Value | undefined>;
  /** Shows a change while the request runs, and reverts it when the request fails. */
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
        // The confirming event may not have arrived yet, so keep the requested value until then.
        if (truth.value) truth.value = { ...truth.value, ...change };
      } finally {
        pending.value = pending.value.filter((other) => other !== change);
      }
    },
  };
}
