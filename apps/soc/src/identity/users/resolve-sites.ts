import { invalidField } from "@kit/problem";
import type { FindSites, SiteName } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";

/** Returns the sites that a request names by id or name; null for all sites. Throws if one of them does not exist. */
export async function resolveSites(
  tx: Tx,
  findSites: FindSites,
  given: readonly string[] | null,
): Promise<SiteName[] | null> {
  if (given === null) return null;
  const found = await findSites(tx, given);
  const unknown = given.find((text) => !found.some(({ id, name }) => id === text || name === text));
  if (unknown !== undefined) throw invalidField("sites", `site '${unknown}' does not exist`);
  return found;
}
