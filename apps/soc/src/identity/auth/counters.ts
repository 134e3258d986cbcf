import type { Budget, FixedWindows } from "@kit/http/limits";
import type { RuntimeTruthBody } from "../../foundation/runtime/runtime.schema.ts";

export interface Counters {
  /** Counts one request. Answers 0 when it may pass, else the milliseconds until the client's window ends. */
  take(budget: Budget, client: string): Promise<number>;
  /** Takes one back that turned out not to count. */
  giveBack(budget: Budget, client: string): Promise<void>;
}

/** Where requests are counted, by where data comes from now. */
export type CountersBySource = Readonly<Record<RuntimeTruthBody["read_data_source"], Counters>>;

/** All processes count in the database; while it is away each one counts for itself. */
export function countersBySource(database: Counters, windows: FixedWindows): CountersBySource {
  const memory: Counters = {
    take: async (budget, client) => windows.take(budget, client),
    giveBack: async (budget, client) => windows.giveBack(budget, client),
  };
  return { database, showcase: memory, unavailable: memory };
}
