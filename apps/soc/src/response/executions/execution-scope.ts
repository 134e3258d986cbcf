import { ALL_SITES, isPerson, type Scope } from "../../foundation/caller/caller.ts";
import { type ReadSiteNames, readRecordScope } from "../../foundation/caller/record-scope.ts";

/** Reads the records that decide in which sites an execution runs. */
export interface ScopeReads {
  /** The sites of a case by name or id; an empty text stands for content without a site. */
  caseSites(case_id: string): Promise<readonly string[]>;
  findSites: ReadSiteNames;
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
  const ofCase = case_id !== null && (!ofAlert || isPerson(actor)) ? await reads.caseSites(case_id) : [];
  const sites = await readRecordScope([...(ofAlert ?? []), ...ofCase], reads.findSites);
  if (sites === ALL_SITES || caller === ALL_SITES) return sites === ALL_SITES ? caller : sites;
  return sites.filter((text) => caller.includes(text));
}
