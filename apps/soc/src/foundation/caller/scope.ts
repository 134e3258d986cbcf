import type { Tx } from "../database/tables.ts";
import type { Caller } from "./caller.ts";

/**
 * Of which sites a query reads records: of all, or of those that a record names by one of these texts. Every store of
 * records with a site takes it. A record without a site is in the scope of all sites only.
 */
export type Scope = typeof ALL_SITES | readonly string[];

export const ALL_SITES = "all sites" as const;

/** A site as users and API keys are bound to it. It is never renamed. */
export interface SiteName {
  id: string;
  name: string;
}

/** The sites with these ids or names, in a transaction; those that do not exist are missing. */
export type FindSites = (tx: Tx, texts: readonly string[]) => Promise<SiteName[]>;

export function toScope({ sites }: Pick<Caller, "sites">): Scope {
  return sites ?? ALL_SITES;
}

/** Some records name the id of their site, others its name. */
export function listTexts(sites: readonly SiteName[]): string[] {
  return sites.flatMap(({ id, name }) => [id, name]);
}

/** The sites whose texts these are. */
export function pairTexts(texts: readonly string[]): SiteName[] {
  return texts.flatMap((id, place) => {
    const name = texts[place + 1];
    return place % 2 === 0 && name !== undefined ? [{ id, name }] : [];
  });
}

/** The name of the site, where the scope has exactly one. */
export function findOnlySite(scope: Scope): string | undefined {
  return scope !== ALL_SITES && scope.length === 2 ? scope[1] : undefined;
}

export function isSameScope(one: Scope, other: Scope): boolean {
  if (one === ALL_SITES || other === ALL_SITES) return one === other;
  return one.length === other.length && one.every((text) => other.includes(text));
}

export function includesSite(scope: Scope, site: string | null): boolean {
  return scope === ALL_SITES || (site !== null && scope.includes(site));
}
