import { ALL_SITES, listTexts, type Scope, type SiteName } from "./caller.ts";

/** Returns the sites with these ids or names; unknown ones are missing in the result. */
export type ReadSiteNames = (texts: readonly string[]) => Promise<readonly SiteName[]>;

/**
 * The scope of work about records with these sites; null or an empty text for a record without a site. Only callers of
 * all sites see such a record, so work about it covers all sites.
 */
export async function readRecordScope(sites: readonly (string | null)[], findSites: ReadSiteNames): Promise<Scope> {
  const texts = [...new Set(sites.map((site) => site ?? ""))];
  if (texts.length === 0 || texts.includes("")) return ALL_SITES;
  const known = listTexts(await findSites(texts));
  // Records name their site by its id or its name, or by a text that is no site.
  return [...known, ...texts.filter((text) => !known.includes(text)).flatMap((text) => [text, text])];
}
