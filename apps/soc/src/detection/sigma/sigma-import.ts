import type { RuleRow } from "../rules/rule.ts";
import { buildRule, checkedFields } from "../rules/rule.ts";
import { readSigma, type SigmaRule } from "./sigma.ts";

/** One document of what was given. */
export interface SigmaDocument {
  /** Counted from one, as people do. */
  document: number;
  yaml: string;
}

export type SigmaImport =
  | { state: "read"; document: number; yaml: string; sigma: SigmaRule }
  | { state: "refused"; document: number; title: string; reasons: string[] };

const MAX_DOCUMENTS = 1000;
const NAME = 200;
const TAGS = 50;
const TAG = 100;
const TECHNIQUES = 100;
const DESCRIPTION = 20_000;

/** Parts a text into its rules, one after the other. What is left over is told as a refusal, never dropped. */
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
  if (reading.state === "read") return { state: "read", document, yaml: `${yaml}\n`, sigma: reading.rule };
  return { state: "refused", document, title: titleIn(yaml), reasons: reading.reasons };
}

/** For people to know which one was refused. */
function titleIn(yaml: string): string {
  return (/^title:[ \t]*(.+)$/m.exec(yaml)?.[1] ?? "").trim().slice(0, NAME);
}

interface Importing {
  id: string;
  by: string;
  now: Date;
  enabled: boolean;
}

/** The rule that an import makes. */
export function buildImportedRule(sigma: SigmaRule, yaml: string, { id, by, now, enabled }: Importing): RuleRow {
  const rule = buildRule({ name: sigma.title.slice(0, NAME), enabled, sharing_mode: "team" }, id, by, now);
  return checkedFields({ ...rule, ...toBaseFields(sigma, yaml) });
}

/** The next version: the new base, and over it what people have changed. */
export function buildReimportedRule(rule: RuleRow, sigma: SigmaRule, yaml: string, updated_at: Date): RuleRow {
  const base: Partial<RuleRow> = toBaseFields(sigma, yaml);
  const kept = Object.entries(base).filter(([name]) => !rule.overlay.includes(name));
  return checkedFields({ ...rule, ...Object.fromEntries(kept), version: rule.version + 1, updated_at });
}

function toBaseFields(sigma: SigmaRule, sigma_yaml: string) {
  const { id, title, author, license, status, references, falsepositives, logsource } = sigma;
  const description = sigma.description.slice(0, DESCRIPTION / 2);
  return {
    name: title.slice(0, NAME),
    description,
    alert_severity: sigma.severity,
    alert_title_template: "{rule_name} on {host}",
    alert_description_template: `${description}\n\n{message}`.trim(),
    mitre_techniques: sigma.mitre_techniques.slice(0, TECHNIQUES),
    tags: sigma.tags.slice(0, TAGS).map((tag) => tag.slice(0, TAG)),
    sigma: { id, title, author, license, status, references, falsepositives, logsource },
    sigma_yaml,
  };
}
