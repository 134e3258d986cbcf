import { Problem } from "@kit/problem";
import type { MissingStores } from "../../ports/log-store.ts";

/** The fields of a response that lacks the logs of unreachable stores. */
export interface PartialAnswer {
  is_partial?: boolean;
  missing_stores?: string[];
}

/** Empty if no store is missing. */
export function toPartial(missing: MissingStores): PartialAnswer {
  return missing.size === 0 ? {} : { is_partial: true, missing_stores: [...missing].toSorted() };
}

/** Refuses a partial result for a response that cannot be marked as partial. */
export function requireAllStores({ missing_stores = [] }: PartialAnswer): void {
  const [name] = missing_stores;
  if (name !== undefined) throw new Problem("unavailable", `the ${name} does not answer`, { retryAfterSeconds: 1 });
}
