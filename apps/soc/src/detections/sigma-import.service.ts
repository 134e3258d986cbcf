import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import type { Caller } from "../auth/tokens.ts";
import { updatedAt } from "../records/if-match.ts";
import type { Tx } from "../runtime/changes.service.ts";
import { isVisible } from "../siem/hunt.ts";
import type { ImportRulesRequest } from "./rules.schema.ts";
import { type RulesService, shownOf } from "./rules.service.ts";
import { type FoundRule, lockSigmaRule } from "./rules.store.ts";
import { importedRuleOf, readSigmaDocuments, reimportedRuleOf, type SigmaImport } from "./sigma-import.ts";

export interface SigmaImportServiceDeps {
  rules: Pick<RulesService, "store">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type SigmaImportService = ReturnType<typeof createSigmaImportService>;

export interface ImportedRules {
  items: { result: "created" | "updated" | "unchanged"; rule: FoundRule }[];
  refused: { document: number; title: string; reasons: string[] }[];
}

type Read = Extract<SigmaImport, { state: "read" }>;
type Outcome = ImportedRules["items"][number] | ImportedRules["refused"][number];

/** Rules of other people: read, or refused with every reason. */
export function createSigmaImportService({ rules, clock, ids }: SigmaImportServiceDeps) {
  async function importOne(tx: Tx, caller: Caller, read: Read, enabled: boolean): Promise<Outcome> {
    const { document, sigma, yaml } = read;
    const known = await lockSigmaRule(tx, sigma.id);
    if (!known) {
      const rule = importedRuleOf(sigma, yaml, { id: ids.next(), by: caller.username, now: clock.now(), enabled });
      await rules.store(tx, caller, rule);
      return { result: "created", rule: shownOf(rule, null) };
    }
    if (!isVisible(known, caller)) {
      const reasons = [`id: '${sigma.id}' was imported before, as a rule that is not shared with you`];
      return { document, title: sigma.title, reasons };
    }
    if (known.sigma_yaml === yaml) return { result: "unchanged", rule: shownOf(known, null) };
    const rule = reimportedRuleOf(known, sigma, yaml, updatedAt(known, clock.now()));
    await rules.store(tx, caller, rule);
    return { result: "updated", rule: shownOf(rule, null) };
  }

  return {
    async importRules(tx: Tx, caller: Caller, request: ImportRulesRequest): Promise<ImportedRules> {
      const { yaml, enabled = true } = request;
      const items: ImportedRules["items"] = [];
      const refused: ImportedRules["refused"] = [];
      for (const each of readSigmaDocuments(yaml)) {
        const outcome = each.state === "read" ? await importOne(tx, caller, each, enabled) : each;
        if ("rule" in outcome) items.push(outcome);
        else refused.push({ document: outcome.document, title: outcome.title, reasons: outcome.reasons });
      }
      if (items.length === 0) throw refusalOf(refused);
      return { items, refused };
    },
  };
}

/** Nothing could be imported: as loud as a refusal can be. */
function refusalOf(refused: ImportedRules["refused"]): Problem {
  const [first] = refused;
  if (!first) return new Problem("invalid", "yaml: must have a rule");
  const others = refused.length > 1 ? ` (and ${refused.length - 1} more rules)` : "";
  return new Problem("invalid", `yaml: rule ${first.document} is refused: ${first.reasons.join("; ")}${others}`);
}
