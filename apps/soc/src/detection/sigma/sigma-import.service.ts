import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, Problem } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { updatedAt } from "../../foundation/records/if-match.ts";
import { isVisible } from "../../logs/hunts/hunt.ts";
import type { RuleRow } from "../rules/rule.ts";
import type { ImportRulesRequest } from "../rules/rules.schema.ts";
import { type RulesService, toFoundRule } from "../rules/rules.service.ts";
import { createRulesWriter, type FoundRule } from "../rules/rules.store.ts";
import { buildImportedRule, buildReimportedRule, readSigmaDocuments, type SigmaImport } from "./sigma-import.ts";
import { createStandAloneTest, listIds, listReferences, resolveCorrelations } from "./sigma-references.ts";

export interface SigmaImportServiceDeps {
  rules: Pick<RulesService, "storeAll">;
  clock: Pick<Clock, "now" | "sleep">;
  ids: Pick<Ids, "next">;
}
export type SigmaImportService = ReturnType<typeof createSigmaImportService>;

export interface ImportedRules {
  items: { result: "created" | "updated" | "unchanged"; rule: FoundRule }[];
  refused: { document: number; title: string; reasons: string[] }[];
}

/** The parsed documents, before anything is stored. */
export interface PreparedImport {
  documents: SigmaImport[];
  enabled: boolean;
}

type Read = Extract<SigmaImport, { state: "read" }>;
interface Done {
  result: ImportedRules["items"][number]["result"];
  rule: RuleRow;
}
type Outcome = Done | ImportedRules["refused"][number];

/** Imports Sigma rules: each is stored, or refused with every reason. */
export function createSigmaImportService({ rules, clock, ids }: SigmaImportServiceDeps) {
  function decideImport(caller: Caller, read: Read, known: RuleRow | undefined, enabled: boolean): Outcome {
    const { document, sigma, yaml } = read;
    if (!known) {
      const rule = buildImportedRule(sigma, yaml, { id: ids.next(), by: caller.username, now: clock.now(), enabled });
      return { result: "created", rule };
    }
    if (!isVisible(known, caller)) {
      const reasons = [`id: '${sigma.id}' already exists as a rule that is not shared with you`];
      return { document, title: sigma.title, reasons };
    }
    if (known.sigma_yaml === yaml) return { result: "unchanged", rule: known };
    return { result: "updated", rule: buildReimportedRule(known, sigma, yaml, updatedAt(known, clock.now())) };
  }

  /** An invalid rule does not make the others fail. */
  function tryDecideImport(...given: Parameters<typeof decideImport>): Outcome {
    try {
      return decideImport(...given);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const [, { document, sigma }] = given;
      return { document, title: sigma.title, reasons: [error.message] };
    }
  }

  return {
    /** Parsing is slow: it runs outside the transaction and yields to the event loop after each rule. */
    async prepare({ yaml, enabled = true }: ImportRulesRequest): Promise<PreparedImport> {
      const documents: SigmaImport[] = [];
      for (const document of readSigmaDocuments(yaml)) {
        documents.push(document);
        await clock.sleep(0);
      }
      return { documents, enabled };
    },

    async importRules(tx: Tx, caller: Caller, prepared: PreparedImport): Promise<ImportedRules> {
      const known = await lockKnown(tx, prepared.documents);
      const stored = await createRulesWriter(tx).findSigma(caller, listReferences(prepared.documents));
      const documents = resolveCorrelations(prepared.documents, stored);
      const raisesAlone = createStandAloneTest(prepared.documents);
      const done: Done[] = [];
      const refused: ImportedRules["refused"] = [];
      for (const each of documents) {
        const outcome =
          each.state === "read"
            ? tryDecideImport(caller, each, known.get(each.sigma.id), prepared.enabled && raisesAlone(each.sigma))
            : each;
        if ("rule" in outcome) {
          done.push(outcome);
          // The same rule may occur again later in the import. A rule without an id is always new.
          if (sigmaIdOf(outcome.rule) !== "") known.set(sigmaIdOf(outcome.rule), outcome.rule);
        } else refused.push({ document: outcome.document, title: outcome.title, reasons: outcome.reasons });
      }
      if (done.length === 0) throw buildRefusal(refused);
      const changed = done.filter(({ result }) => result !== "unchanged").map(({ rule }) => rule);
      await rules.storeAll(tx, caller, changed);
      return { items: done.map(({ result, rule }) => ({ result, rule: toFoundRule(rule, null) })), refused };
    },
  };
}

/** The stored rules that the import may change, by Sigma id. */
async function lockKnown(tx: Tx, documents: readonly SigmaImport[]): Promise<Map<string, RuleRow>> {
  const rules = await createRulesWriter(tx).lockSigma(documents.flatMap(listIds));
  return new Map(rules.map((rule) => [sigmaIdOf(rule), rule]));
}

function sigmaIdOf({ sigma }: RuleRow): string {
  return sigma?.id ?? "";
}

/** The request fails when no rule could be imported. */
function buildRefusal(refused: ImportedRules["refused"]): Problem {
  const [first] = refused;
  if (!first) return invalidField("yaml", "must have a rule");
  const others = refused.length > 1 ? ` (and ${refused.length - 1} more rules)` : "";
  return invalidField("yaml", `rule ${first.document} is refused: ${first.reasons.join("; ")}${others}`);
}
