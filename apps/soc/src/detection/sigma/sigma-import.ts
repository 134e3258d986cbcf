import { Problem } from "@kit/problem";
import { toSql } from "../../logs/query/condition-sql.ts";
import type { RuleRow } from "../rules/rule.ts";
import { buildFields, checkedFields, DEFAULT_TITLE } from "../rules/rule.ts";
import { readSigma, type SigmaRule } from "./sigma.ts";

/** One YAML document of the import. */
export interface SigmaDocument {
  /** Counted from one. */
  document: number;
  yaml: string;
}

export type SigmaImport =
  | { state: "read"; document: number; yaml: string; sigma: SigmaRule }
  | { state: "refused"; document: number; title: string; reasons: string[] };

const MAX_DOCUMENTS = 1000;
const MAX_NAME_LENGTH = 200;
const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 100;
const MAX_TECHNIQUES = 100;
const MAX_DESCRIPTION_LENGTH = 20_000;

/** Splits a text into its rules. Documents beyond the limit are reported as refused, never dropped silently. */
export function* readSigmaDocuments(text: string): Generator<SigmaImport, void, undefined> {
  const documents = text
    .split(/^---(?:[ \t].*)?\r?$/m)
    .map((yaml) => yaml.trim())
    .filter((yaml) => yaml !== "")
    .map((yaml, index) => ({ document: index + 1, yaml }));
  for (const document of documents.slice(0, MAX_DOCUMENTS)) yield readOne(document);
  const [beyond] = documents.slice(MAX_DOCUMENTS);
  if (!beyond) return;
  const reasons = [`yaml: must have at most ${MAX_DOCUMENTS} rules; this one and all after it were not read`];
  yield { state: "refused", document: beyond.document, title: "", reasons };
}

function readOne({ document, yaml }: SigmaDocument): SigmaImport {
  const reading = readSigma(yaml);
  const reasons = reading.state === "read" ? findSizeRefusal(reading.rule) : reading.reasons;
  if (reading.state === "refused" || reasons.length > 0) {
    return { state: "refused", document, title: titleIn(yaml), reasons };
  }
  return { state: "read", document, yaml: `${yaml}\n`, sigma: reading.rule };
}

/** A rule that is too large for the log store could be stored but never run. */
function findSizeRefusal({ condition }: SigmaRule): string[] {
  try {
    toSql(condition);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.message];
  }
}

/** The title identifies a refused rule for the user. */
function titleIn(yaml: string): string {
  return (/^title:[ \t]*(.+)$/m.exec(yaml)?.[1] ?? "").trim().slice(0, MAX_NAME_LENGTH);
}

interface Importing {
  id: string;
  by: string;
  now: Date;
  enabled: boolean;
}

/** Builds the rule of a first import. */
export function buildImportedRule(sigma: SigmaRule, yaml: string, { id, by, now, enabled }: Importing): RuleRow {
  const name = sigma.title.slice(0, MAX_NAME_LENGTH);
  const rule = buildFields({ name, enabled, sharing_mode: "team" }, id, by, now);
  return checkedFields({ ...rule, ...toBaseFields(sigma, yaml) });
}

/** The next version: the new base, with the local changes of users on top. */
export function buildReimportedRule(rule: RuleRow, sigma: SigmaRule, yaml: string, updated_at: Date): RuleRow {
  const base: Partial<RuleRow> = toBaseFields(sigma, yaml);
  const kept = Object.entries(base).filter(([name]) => !rule.overlay.includes(name));
  return checkedFields({ ...rule, ...Object.fromEntries(kept), version: rule.version + 1, updated_at });
}

function toBaseFields(sigma: SigmaRule, sigma_yaml: string) {
  const { id, title, author, license, status, references, falsepositives, logsource } = sigma;
  const description = sigma.description.slice(0, MAX_DESCRIPTION_LENGTH / 2);
  return {
    name: title.slice(0, MAX_NAME_LENGTH),
    description,
    alert_severity: sigma.severity,
    alert_title_template: DEFAULT_TITLE,
    alert_description_template: `${description}\n\n{message}`.trim(),
    mitre_techniques: sigma.mitre_techniques.slice(0, MAX_TECHNIQUES),
    tags: sigma.tags.slice(0, MAX_TAGS).map((tag) => tag.slice(0, MAX_TAG_LENGTH)),
    sigma: { id, title, author, license, status, references, falsepositives, logsource },
    sigma_yaml,
  };
}
