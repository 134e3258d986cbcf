import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { invalidField } from "@kit/problem";
import { type Caller, isCallerAllowed } from "../caller/caller.ts";
import { requireStorable } from "../records/storable.ts";
import type { Finder } from "./finder.ts";
import type { SearchBody, SearchQuery } from "./search.schema.ts";

export interface SearchServiceDeps {
  finders: readonly Finder[];
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}
export type SearchService = ReturnType<typeof createSearchService>;

type Items = SearchBody["items"];

const DEFAULT_LIMIT = 5;
/** A person keeps typing: a response with fewer kinds is better than a late one. */
const TIMEOUT_MS = 1000;

/** Searches the records of all features for one text. */
export function createSearchService({ finders, clock, log }: SearchServiceDeps) {
  const known = finders.map(({ kind }) => kind);

  function choose(caller: Caller, kinds: readonly string[] = known): Finder[] {
    const unknown = kinds.find((kind) => !known.includes(kind));
    if (unknown !== undefined) throw invalidField("kinds", `'${unknown}' is not one of ${known.join(", ")}`);
    const open = finders.filter(({ bySite }) => bySite || caller.sites === undefined);
    return open.filter(({ kind, needs }) => kinds.includes(kind) && isCallerAllowed(caller, needs));
  }

  return {
    async search(caller: Caller, { q, kinds, limit = DEFAULT_LIMIT }: SearchQuery): Promise<SearchBody> {
      const text = q.trim();
      requireStorable({ q: text });
      if (!/[\p{L}\p{N}]/u.test(text)) throw invalidField("q", "must contain a letter or a digit");
      const chosen = choose(caller, kinds);
      const waiting = new AbortController();
      const late = clock.sleep(TIMEOUT_MS, waiting.signal).then(
        () => undefined,
        () => undefined,
      );
      const found = await Promise.all(
        chosen.map(async ({ kind, find }): Promise<Items | undefined> => {
          const searched = find(caller, text, limit).then(
            (items) => items.map((item) => ({ kind, ...item })),
            (error: unknown) => {
              log.warn({ err: error, kind }, "one kind of a search failed");
              return undefined;
            },
          );
          return Promise.race([searched, late]);
        }),
      );
      waiting.abort();
      return {
        items: found.flatMap((items) => items ?? []),
        kinds: chosen.filter((_, place) => found[place] !== undefined).map(({ kind }) => kind),
        is_partial: found.includes(undefined),
      };
    },
  };
}
