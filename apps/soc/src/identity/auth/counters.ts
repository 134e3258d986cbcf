import type { Budget, FixedWindows } from "@kit/http/limits";
import type { RuntimeTruthBody } from "../../foundation/runtime/runtime.schema.ts";

/** What is left of a client's window. */
export interface Left {
  remaining: number;
  resetMs: number;
}

/** A counted request, and what is left of the client's window after it. */
export interface Counted extends Left {
  /** 0 when the request is allowed, else the milliseconds until the window ends. */
  waitMs: number;
}

export interface Counters {
  /** Counts one request. */
  count(budget: Budget, client: string): Promise<Counted>;
  /** Counts one request of a machine that makes many of them: the process takes portions from the shared count. */
  countInPortions(budget: Budget, client: string): Promise<Counted>;
  /** Counts one request. Returns 0 when it is allowed, else the milliseconds until the client's window ends. */
  take(budget: Budget, client: string): Promise<number>;
  /** What is left of each budget, in the same order. Counts nothing. */
  left(budgets: readonly Budget[], client: string): Promise<Left[]>;
  /** Subtracts a request that must not count. */
  giveBack(budget: Budget, client: string): Promise<void>;
}

/** The counters for each data source. */
export type CountersBySource = Readonly<Record<RuntimeTruthBody["read_data_source"], Counters>>;

/** All processes count in the database; while it is unreachable, each process counts in its own memory. */
export function countersBySource(database: Counters, windows: FixedWindows): CountersBySource {
  const count: Counters["count"] = async (budget, client) => ({
    waitMs: windows.take(budget, client),
    ...windows.left(budget, client),
  });
  const memory: Counters = {
    count,
    countInPortions: count,
    take: async (budget, client) => windows.take(budget, client),
    left: async (budgets, client) => budgets.map((budget) => windows.left(budget, client)),
    giveBack: async (budget, client) => windows.giveBack(budget, client),
  };
  return { database, showcase: memory, unavailable: memory };
}
