import type { Random } from "./random.ts";

export interface SimulatedInsert {
  partition: number;
  first: number;
  last: number;
  stampMs: number;
  token: string;
  /** The store refuses the insert after this instant of its own clock. */
  notAfterMs: number;
}

interface RunningInsert extends SimulatedInsert {
  commitsAtMs: number;
  onStored: () => void;
}

/** How many tokens the store remembers. The real one remembers 1,000, but more partitions insert there. */
const TOKENS = 10;
const MAX_SKEW_MS = 500;
const MAX_INSERT_MS = 3000;

/** A slow log store with a wrong clock that counts how often it has stored each log. */
export function createSimulatedStore(random: Random, onStored: (insert: SimulatedInsert) => void) {
  const skewMs = random.between(-MAX_SKEW_MS, MAX_SKEW_MS);
  const copies = new Map<string, number>();
  let tokens: string[] = [];
  let running: RunningInsert[] = [];

  function commit(insert: RunningInsert): void {
    if (!tokens.includes(insert.token)) {
      tokens = [...tokens.slice(1 - TOKENS), insert.token];
      for (let place = insert.first; place <= insert.last; place += 1) {
        const name = `${insert.partition}:${place}`;
        copies.set(name, (copies.get(name) ?? 0) + 1);
      }
      onStored(insert);
    }
    insert.onStored();
  }

  return {
    copies,
    isStored: (partition: number, place: number) => copies.has(`${partition}:${place}`),
    isIdle: () => running.length === 0,

    /** The request has arrived. It is checked now and takes effect later, or is refused. */
    insert(insert: SimulatedInsert, nowMs: number, onEnd: () => void): void {
      if (nowMs + skewMs >= insert.notAfterMs) return;
      running.push({ ...insert, commitsAtMs: nowMs + random.between(1, MAX_INSERT_MS), onStored: onEnd });
    },

    runUntil(nowMs: number): void {
      const due = running.filter(({ commitsAtMs }) => commitsAtMs <= nowMs);
      running = running.filter(({ commitsAtMs }) => commitsAtMs > nowMs);
      for (const insert of due.toSorted((a, b) => a.commitsAtMs - b.commitsAtMs)) commit(insert);
    },
  };
}
export type SimulatedStore = ReturnType<typeof createSimulatedStore>;
