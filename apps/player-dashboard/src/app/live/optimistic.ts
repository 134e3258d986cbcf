import { computed, type ReadonlySignal, signal } from "@preact/signals";

export interface Optimistic<Value> {
  /** The last state that the device reported. */
  truth: ReadonlySignal<Value | undefined>;
  /** The reported state with the user's pending changes. */
  view: ReadonlySignal<Value | undefined>;
  /**
   * Applies the state of the device. A pending change loses the fields that the device reported, by default all: the
   * report is newer.
   */
  report: (value: Value, named?: readonly string[]) => void;
  /** Shows a change until the device reports the same fields, and reverts it when the request fails. */
  attempt: (change: Partial<Value>, request: () => Promise<unknown>) => Promise<void>;
}

export function createOptimistic<Value extends object>(): Optimistic<Value> {
  const truth = signal<Value | undefined>(undefined);
  /** Numbered, because a report replaces a change by its remaining fields. */
  const pending = signal<ReadonlyMap<number, Partial<Value>>>(new Map());
  let latest = 0;
  const view = computed(() => {
    let value = truth.value;
    for (const change of pending.value.values()) value = value && { ...value, ...change };
    return value;
  });

  function setPending(entries: Iterable<[number, Partial<Value>]>): void {
    pending.value = new Map(entries);
  }

  return {
    truth,
    view,
    report(value, named) {
      truth.value = value;
      setPending(named ? [...pending.value].map(([id, change]) => [id, without(change, named)]) : []);
    },
    async attempt(change, request) {
      latest += 1;
      const id = latest;
      setPending([...pending.value, [id, change]]);
      try {
        await request();
        // The confirming report may not have arrived yet, so the fields that no report has named are kept until then.
        const rest = pending.value.get(id);
        if (truth.value && rest) truth.value = { ...truth.value, ...rest };
      } finally {
        setPending([...pending.value].filter(([other]) => other !== id));
      }
    },
  };
}

function without<Value extends object>(change: Partial<Value>, named: readonly string[]): Partial<Value> {
  const rest: Partial<Value> = {};
  for (const name in change) if (!named.includes(name)) rest[name] = change[name];
  return rest;
}
