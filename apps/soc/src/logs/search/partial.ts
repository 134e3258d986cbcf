import { Problem } from "@kit/problem";
import type { MissingStores } from "../../ports/log-store.ts";

/** What an answer says when it lacks the logs of stores that are unreachable. */
export interface PartialAnswer {
  is_partial?: boolean;
  missing_stores?: string[];
}

/** Nothing when no store is missing. */
export function toPartial(missing: MissingStores): PartialAnswer {
  return missing.size === 0 ? {} : { is_partial: true, missing_stores: [...missing].toSorted() };
}

/** Refuses an answer that cannot say that it is partial. */
export function requireAllStores({ missing_stores = [] }: PartialAnswer): void {
  const [name] = missing_stores;
  if (name !== undefined) throw new Problem("unavailable", `the ${name} does not answer`, { retryAfterSeconds: 1 });
}
