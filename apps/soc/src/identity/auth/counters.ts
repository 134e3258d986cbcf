import type { Budget, FixedWindows } from "@kit/http/limits";
import type { RuntimeTruthBody } from "../../foundation/runtime/runtime.schema.ts";

/** The rest of a client's window. */
export interface WindowState {
  remaining: number;
  resetMs: number;
}

/** A counted request, and the rest of the client's window after it. */
export interface CountResult extends WindowState {
  /** 0 if the request is allowed, otherwise the milliseconds until the window ends. */
  waitMs: number;
}

export interface Counters {
  /** Counts one request. */
  count(budget: Budget, client: string): Promise<CountResult>;
  /** Counts one request of a client that sends many: the process takes portions from the shared count. */
  countInPortions(budget: Budget, client: string): Promise<CountResult>;
  /** Counts one request. Returns 0 if it is allowed, otherwise the milliseconds until the client's window ends. */
  take(budget: Budget, client: string): Promise<number>;
  /** Returns the rest of each budget, in the same order. Counts nothing. */
  left(budgets: readonly Budget[], client: string): Promise<WindowState[]>;
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
