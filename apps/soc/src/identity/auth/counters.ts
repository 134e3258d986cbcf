import type { Budget, FixedWindows } from "@kit/http/limits";
import type { RuntimeTruthBody } from "../../foundation/runtime/runtime.schema.ts";

/** A counted request, and what is left of the client's window after it. */
export interface Counted {
  /** 0 when the request is allowed, else the milliseconds until the window ends. */
  waitMs: number;
  remaining: number;
  resetMs: number;
}

export interface Counters {
  /** Counts one request. */
  count(budget: Budget, client: string): Promise<Counted>;
  /** Counts one request. Returns 0 when it is allowed, else the milliseconds until the client's window ends. */
  take(budget: Budget, client: string): Promise<number>;
  /** Subtracts a request that must not count. */
  giveBack(budget: Budget, client: string): Promise<void>;
}

/** The counters for each data source. */
export type CountersBySource = Readonly<Record<RuntimeTruthBody["read_data_source"], Counters>>;

/** All processes count in the database; while it is unreachable, each process counts in its own memory. */
export function countersBySource(database: Counters, windows: FixedWindows): CountersBySource {
  const memory: Counters = {
    count: async (budget, client) => ({ waitMs: windows.take(budget, client), ...windows.left(budget, client) }),
    take: async (budget, client) => windows.take(budget, client),
    giveBack: async (budget, client) => windows.giveBack(budget, client),
  };
  return { database, showcase: memory, unavailable: memory };
}
