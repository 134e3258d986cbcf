import { Problem } from "@kit/problem";
import type { Caller } from "../caller/caller.ts";
import type { Needs } from "../caller/permissions.ts";
import { isUuid } from "../lists/page.ts";

/** A search result, as one line of a list. */
export interface SearchHit {
  id: string;
  title: string;
  /** Distinguishes it from records with the same title. */
  subtitle: string;
  /** Null for records without a time. */
  at: Date | null;
}

/** Finds the records of one kind by the text that a person types. */
export interface Finder {
  /** The noun of the record, such as alert. */
  kind: string;
  needs: Needs;
  /** The best matches that the caller may see, at most `limit`. */
  find: (caller: Caller, q: string, limit: number) => Promise<SearchHit[]>;
  /**
   * For a caller restricted to sites, finds only records of these sites. Other finders are not called for such a
   * caller.
   */
  bySite: boolean;
}

export function createFinder(kind: string, needs: Needs, find: Finder["find"]): Finder {
  return { kind, needs, find, bySite: false };
}

/** Creates a finder that respects the sites of the caller. */
export function createSiteFinder(kind: string, needs: Needs, find: Finder["find"]): Finder {
  return { kind, needs, find, bySite: true };
}

/** How many records of a list without its own search are checked. */
export const MAX_SEARCHED = 200;

/** Reads the record with this id, or searches if the text is not an id. */
export async function findOrSearch<Item>(
  q: string,
  get: (id: string) => Promise<Item>,
  search: () => Promise<{ items: readonly Item[] }>,
): Promise<readonly Item[]> {
  if (!isUuid(q)) return (await search()).items;
  try {
    return [await get(q)];
  } catch (error) {
    if (error instanceof Problem && error.kind === "not_found") return [];
    throw error;
  }
}

/** Returns the records whose title contains the text, for lists without their own search. */
export function filterByTitle(found: readonly SearchHit[], q: string, limit: number): SearchHit[] {
  const wanted = q.toLowerCase();
  return found.filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, limit);
}
