import { invalidField } from "@kit/problem";
import { ALL_SITES, findOnlySite, type Scope } from "./caller.ts";

/**
 * Returns the site of a new record. A caller restricted to several sites must name one of them; a caller with one site
 * may omit it.
 */
export function chooseSite(scope: Scope, site: string | undefined): string | undefined {
  if (scope === ALL_SITES) return site;
  const chosen = site ?? findOnlySite(scope);
  if (chosen === undefined) throw invalidField("site", "is required for a caller with several sites");
  if (!scope.includes(chosen)) throw invalidField("site", `'${chosen}' is not one of your sites`);
  return chosen;
}
