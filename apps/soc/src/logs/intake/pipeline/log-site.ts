import type { SiteName } from "../../../foundation/caller/caller.ts";

/** The sites that the request names or allows for its logs. */
export interface SitesOfOrigin {
  /** For events that do not name their own. */
  site?: string;
  /** The sites for which the sender may send; all if undefined. */
  sites?: readonly SiteName[];
}

export type ChosenSite = { site: string; reason?: undefined } | { site: ""; reason: string };

const MAX_SITE_LENGTH = 200;

/**
 * Chooses the site of a log. A sender with one site sends for this site, whatever the event says. A sender with several
 * sites names one by id or name; an event that names none of them is refused.
 */
export function chooseSite({ site, sites }: SitesOfOrigin, named: unknown): ChosenSite {
  const wanted = readSite(named) ?? site;
  if (!sites) return { site: wanted ?? "" };
  const chosen = findOwnSite(sites, wanted);
  if (chosen !== undefined) return { site: chosen };
  return { site: "", reason: `site: must be one of the sites of the sender: ${formatSites(sites)}` };
}

/** Returns the name of the site that the sender means; undefined if it is not one of its own. */
export function findOwnSite(sites: readonly SiteName[], wanted: string | undefined): string | undefined {
  const [only, ...others] = sites;
  if (only && others.length === 0) return only.name;
  return sites.find(({ id, name }) => wanted === id || wanted === name)?.name;
}

function formatSites(sites: readonly SiteName[]): string {
  return sites.length === 0 ? "it has none" : sites.map(({ name }) => name).join(", ");
}

function readSite(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= MAX_SITE_LENGTH ? value : undefined;
}
