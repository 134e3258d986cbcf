import { Problem } from "@kit/problem";
import type { Caller } from "../caller/caller.ts";
import type { Needs } from "../caller/permissions.ts";
import { isUuid } from "../lists/uuid.ts";

/** A record that a search found, as one line of a list. */
export interface Found {
  id: string;
  title: string;
  /** What tells it from records with the same title. */
  subtitle: string;
  /** Null for records without a time. */
  at: Date | null;
}

/** Finds the records of one kind by what a person types. */
export interface Finder {
  /** The noun of the record, such as alert. */
  kind: string;
  needs: Needs;
  /** The best matches that the caller may see, at most `limit`. */
  find: (caller: Caller, q: string, limit: number) => Promise<Found[]>;
  /** Finds for a caller of some sites nothing but records of these sites. Other finders are not asked for such a caller. */
  bySite: boolean;
}

export function createFinder(kind: string, needs: Needs, find: Finder["find"]): Finder {
  return { kind, needs, find, bySite: false };
}

/** A finder that obeys the sites of the caller. */
export function createSiteFinder(kind: string, needs: Needs, find: Finder["find"]): Finder {
  return { kind, needs, find, bySite: true };
}

/** How many records of a list without a search of its own are looked at. */
export const MAX_SEARCHED = 200;

/** Reads the record with this id, or searches where the text is no id. */
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

/** Those whose title contains the text, for lists that have no search of their own. */
export function filterByTitle(found: readonly Found[], q: string, limit: number): Found[] {
  const wanted = q.toLowerCase();
  return found.filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, limit);
}
