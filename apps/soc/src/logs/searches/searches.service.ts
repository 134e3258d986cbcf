import { invalidField, Problem } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";

export type SearchesService = ReturnType<typeof createSearchesService>;

const SEARCH_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The running and waiting searches of this process, by the name that their caller chose. */
export function createSearchesService() {
  const running = new Map<string, Set<AbortController>>();
  // Names are per caller: another caller's search is unknown.
  const toKey = ({ kind, username }: Caller, search_id: string) => JSON.stringify([kind, username, search_id]);

  return {
    /** Several requests with the same name are one search. */
    begin(caller: Caller, search_id: string): { signal: AbortSignal; end: () => void } {
      if (!SEARCH_ID.test(search_id)) throw invalidField("search_id", "must be 1 to 64 letters, digits, _ or -");
      const key = toKey(caller, search_id);
      const same = running.get(key) ?? new Set();
      running.set(key, same);
      const stopping = new AbortController();
      same.add(stopping);
      const end = () => {
        same.delete(stopping);
        if (same.size === 0 && running.get(key) === same) running.delete(key);
      };
      return { signal: stopping.signal, end };
    },

    /** A search that has ended, or that another caller began, counts as none. */
    cancel(caller: Caller, search_id: string): { search_id: string; cancelled: number } {
      const key = toKey(caller, search_id);
      const found = [...(running.get(key) ?? [])];
      running.delete(key);
      for (const stopping of found) stopping.abort(new Problem("conflict", "search_id: the search was cancelled"));
      return { search_id, cancelled: found.length };
    },
  };
}
