import { ALL_SITES, listTexts, type Scope, type SiteName } from "../../foundation/caller/caller.ts";

/** Reads the records that decide in which sites an execution runs. */
export interface ScopeReads {
  /** The sites of a case by name or id; an empty text stands for content without a site. */
  caseSites(case_id: string): Promise<readonly string[]>;
  /** The sites with these ids or names. */
  findSites(texts: readonly string[]): Promise<readonly SiteName[]>;
}

/** Who starts an execution, and for what. */
export interface ScopeRequest {
  actor: string;
  /** The sites that the caller works for. */
  caller: Scope;
  alert: { site: string | null } | undefined;
  case_id: string | null;
}

/**
 * The sites in which an execution reads and acts: those of its alert, otherwise those of its case. A person who names
 * both chose both; an automation, an agent or a key stays within the alert.
 */
export async function readExecutionScope(request: ScopeRequest, reads: ScopeReads): Promise<Scope> {
  const { actor, caller, alert, case_id } = request;
  const ofAlert = alert && [alert.site ?? ""];
  const isPerson = !actor.includes(":");
  const ofCase = case_id !== null && (!ofAlert || isPerson) ? await reads.caseSites(case_id) : [];
  const texts = [...new Set([...(ofAlert ?? []), ...ofCase])];
  // A record without a site is visible only to callers of all sites.
  if (texts.length === 0 || texts.includes("")) return caller;
  const known = listTexts(await reads.findSites(texts));
  // Records name their site by its id or its name, or by a text that is no site.
  const sites = [...known, ...texts.filter((text) => !known.includes(text)).flatMap((text) => [text, text])];
  return caller === ALL_SITES ? sites : sites.filter((text) => caller.includes(text));
}
