import { invalidField } from "@kit/problem";
import { ALL_SITES, findOnlySite, type Scope } from "./scope.ts";

/** The site of a new record. A caller of some sites names one of them; a caller of one site need not name it. */
export function chooseSite(scope: Scope, site: string | undefined): string | undefined {
  if (scope === ALL_SITES) return site;
  const chosen = site ?? findOnlySite(scope);
  if (chosen === undefined) throw invalidField("site", "is required from a caller who works for several sites");
  if (!scope.includes(chosen)) throw invalidField("site", `'${chosen}' is none of the sites that you work for`);
  return chosen;
}
