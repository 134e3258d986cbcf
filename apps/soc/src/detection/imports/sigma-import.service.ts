import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, Problem } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { updatedAt } from "../../foundation/records/if-match.ts";
import type { YamlReader } from "../../foundation/yaml/yaml-reader.ts";
import { isVisible } from "../../logs/module.ts";
import type { RuleRow } from "../rules/rule.ts";
import { formatDocument } from "../rules/rule-document.ts";
import type { ImportRulesRequest } from "../rules/rules.schema.ts";
import { type RulesService, requireSharing, toFoundRule } from "../rules/rules.service.ts";
import { createRulesWriter, type FoundRule } from "../rules/rules.store.ts";
import { createCallerYaml } from "../sigma/caller-yaml.ts";
import type { ParseFields } from "../sigma/sigma-yaml.ts";
import {
  buildDocumentedRule,
  buildImportedRule,
  buildReimportedRule,
  type DocumentImport,
  parseAhead,
  readSigmaDocuments,
  type SigmaImport,
} from "./sigma-import.ts";
import { createStandAloneTest, listIds, listReferences, resolveCorrelations } from "./sigma-references.ts";

export interface SigmaImportServiceDeps {
  rules: Pick<RulesService, "storeAll">;
  yaml: Pick<YamlReader, "parse">;
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
  parse: ParseFields;
}

type ParsedImport = Extract<SigmaImport, { state: "read" }>;
interface ImportedItem {
  result: ImportedRules["items"][number]["result"];
  rule: RuleRow;
}
type Outcome = ImportedItem | ImportedRules["refused"][number];

/** Imports Sigma rules: each is stored, or refused with every reason. */
export function createSigmaImportService({ rules, yaml: reader, clock, ids }: SigmaImportServiceDeps) {
  function decideImport(caller: Caller, read: ParsedImport, known: RuleRow | undefined, enabled: boolean): Outcome {
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

  /**
   * Selects the rule with the document's id or, without an id, the rule that was imported from the same Sigma rule.
   */
  function decideDocument(
    caller: Caller,
    read: DocumentImport,
    { byId, bySigmaId, deleted }: ExistingRules,
  ): ImportedItem {
    const same = read.sigma && bySigmaId.get(read.sigma.rule.id);
    const id = read.given.id ?? same?.id ?? ids.next();
    if (same && same.id !== id) throw invalidField("id", `the Sigma rule already exists as rule '${same.id}'`);
    const current = byId.get(id) ?? same;
    const former = current ?? deleted.get(id);
    if (former && !isVisible(former, caller)) throw invalidField("id", `'${id}' is a rule that is not shared with you`);
    const importing = { id, by: caller.username, now: clock.now(), enabled: read.given.enabled ?? true };
    const rule = buildDocumentedRule(read, former, importing);
    if (!current) return { result: "created", rule };
    if (formatDocument(current) === formatDocument(rule)) return { result: "unchanged", rule: current };
    requireSharing(caller, current, rule);
    return { result: "updated", rule };
  }

  /** An invalid rule does not affect the others. */
  function tryDecide({ document, title }: { document: number; title: string }, decide: () => Outcome): Outcome {
    try {
      return decide();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { document, title, reasons: [error.message] };
    }
  }

  return {
    /** Reading is slow, so it runs outside the transaction and yields to the event loop after each rule. */
    async prepare({ yaml, enabled = true }: ImportRulesRequest): Promise<PreparedImport> {
      const given = createCallerYaml(reader);
      await parseAhead(yaml, given);
      const documents: SigmaImport[] = [];
      for (const document of readSigmaDocuments(yaml, given.parse)) {
        documents.push(document);
        await clock.sleep(0);
      }
      return { documents, enabled, parse: given.parse };
    },

    async importRules(tx: Tx, caller: Caller, prepared: PreparedImport): Promise<ImportedRules> {
      const known = await lockKnown(tx, prepared.documents);
      const stored = await createRulesWriter(tx).findSigma(caller, listReferences(prepared.documents));
      const documents = resolveCorrelations(prepared.documents, stored, prepared.parse);
      const raisesAlone = createStandAloneTest(prepared.documents);
      const done: ImportedItem[] = [];
      const refused: ImportedRules["refused"] = [];
      for (const each of documents) {
        const outcome = decide(each);
        if ("rule" in outcome) {
          done.push(outcome);
          // The same rule may occur again later in the import. A rule without a Sigma id is always new.
          known.byId.set(outcome.rule.id, outcome.rule);
          if (sigmaIdOf(outcome.rule) !== "") known.bySigmaId.set(sigmaIdOf(outcome.rule), outcome.rule);
        } else refused.push({ document: outcome.document, title: outcome.title, reasons: outcome.reasons });
      }
      if (done.length === 0) throw buildRefusal(refused);
      const changed = done.filter(({ result }) => result !== "unchanged").map(({ rule }) => rule);
      await rules.storeAll(tx, caller, changed);
      return { items: done.map(({ result, rule }) => ({ result, rule: toFoundRule(rule, null) })), refused };

      function decide(each: (typeof documents)[number]): Outcome {
        if (each.state === "refused") return each;
        if (each.state === "document") return tryDecide(each, () => decideDocument(caller, each, known));
        const { document, sigma } = each;
        const enabled = prepared.enabled && raisesAlone(sigma);
        return tryDecide({ document, title: sigma.title }, () =>
          decideImport(caller, each, known.bySigmaId.get(sigma.id), enabled),
        );
      }
    },
  };
}

interface ExistingRules {
  byId: Map<string, RuleRow>;
  bySigmaId: Map<string, RuleRow>;
  /** The last versions of deleted rules. */
  deleted: Map<string, RuleRow>;
}

/** The stored rules that the import may change, regardless of who may see them. */
async function lockKnown(tx: Tx, documents: readonly SigmaImport[]): Promise<ExistingRules> {
  const given = documents.flatMap((each) => (each.state === "document" ? (each.given.id ?? []) : []));
  const writer = createRulesWriter(tx);
  const rules = await writer.lockSigma(documents.flatMap(listIds), given);
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const deleted = await writer.findDeleted(given.filter((id) => !byId.has(id)));
  return {
    byId,
    bySigmaId: new Map(rules.filter((rule) => sigmaIdOf(rule) !== "").map((rule) => [sigmaIdOf(rule), rule])),
    deleted: new Map(deleted.map((rule) => [rule.id, rule])),
  };
}

function sigmaIdOf({ sigma }: RuleRow): string {
  return sigma?.id ?? "";
}

/** The request fails if no rule could be imported. */
function buildRefusal(refused: ImportedRules["refused"]): Problem {
  const [first] = refused;
  if (!first) return invalidField("yaml", "must contain a rule");
  const others = refused.length > 1 ? ` (and ${refused.length - 1} more rules)` : "";
  return invalidField("yaml", `rule ${first.document} is refused: ${first.reasons.join("; ")}${others}`);
}
