import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";

export type Reading<Value> =
  | { state: "loading" }
  | { state: "here"; value: Value }
  /** `last` is the value before the failure, if there was one. */
  | { state: "failed"; error: unknown; last?: Value };

/** A list or record of the device. It is loaded when a component watches it, and again after each change. */
export interface Resource<Value> {
  reading: ReadonlySignal<Reading<Value>>;
  /** Loads it, and keeps it fresh until the returned function is called. */
  watch: () => () => void;
  refresh: () => Promise<void>;
}

/** `revision` changes when the device reports a change or reconnects. */
export function createResource<Value>(load: () => Promise<Value>, revision: ReadonlySignal<unknown>): Resource<Value> {
  const reading: Signal<Reading<Value>> = signal({ state: "loading" });
  let asked = 0;

  async function refresh(): Promise<void> {
    asked += 1;
    const mine = asked;
    const next = await load().then(
      (value): Reading<Value> => ({ state: "here", value }),
      (error: unknown): Reading<Value> => {
        const last = lastOf(reading.peek());
        return { state: "failed", error, ...(last !== undefined && { last }) };
      },
    );
    // An older answer never replaces a newer one.
    if (mine === asked) reading.value = next;
  }

  return {
    reading,
    refresh,
    watch: () =>
      effect(() => {
        void revision.value;
        void refresh();
      }),
  };
}

export function lastOf<Value>(reading: Reading<Value>): Value | undefined {
  switch (reading.state) {
    case "here":
      return reading.value;
    case "failed":
      return reading.last;
    case "loading":
      return undefined;
    default:
      return reading satisfies never;
  }
}
