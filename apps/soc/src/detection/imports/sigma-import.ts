import { invalidField, Problem } from "@kit/problem";
import { updatedAt } from "../../foundation/records/if-match.ts";
import { toSql } from "../../logs/module.ts";
import type { RuleRow } from "../rules/rule.ts";
import { buildFields, buildRule, checkedFields, DEFAULT_TITLE, patchRule } from "../rules/rule.ts";
import { completeDetails } from "../rules/rule-details.ts";
import { completeDocument, isRuleDocument, parseDocument } from "../rules/rule-document.ts";
import type { RuleDocument, UpdateRuleRequest } from "../rules/rules.schema.ts";
import type { CallerYaml } from "../sigma/caller-yaml.ts";
import { isCorrelation, readSigma, type SigmaRule } from "../sigma/sigma.ts";
import { parseCorrelation } from "../sigma/sigma-correlation.ts";
import { attempt, type ParseFields, parseYamlFields, splitDocuments, textAt } from "../sigma/sigma-yaml.ts";

/** One YAML document of the import. */
export interface SigmaDocument {
  /** Counted from one. */
  document: number;
  yaml: string;
}

/** A correlation whose rules are not resolved yet: they may follow in the same import, or be stored. */
export interface UnresolvedCorrelation extends SigmaDocument {
  state: "unresolved";
  id: string;
  name: string;
  title: string;
  /** Names or ids of the correlated rules. */
  rules: string[];
  isGenerating: boolean;
}

export type ResolvedImport =
  | { state: "read"; document: number; yaml: string; sigma: SigmaRule }
  | { state: "refused"; document: number; title: string; reasons: string[] };

/** A rule in the export format, which contains the Sigma rule. */
export interface DocumentImport {
  state: "document";
  document: number;
  title: string;
  given: RuleDocument;
  sigma?: { rule: SigmaRule; yaml: string };
}

export type SigmaImport = ResolvedImport | DocumentImport | UnresolvedCorrelation;

const MAX_DOCUMENTS = 1000;
const MAX_NAME_LENGTH = 200;
const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 100;
const MAX_TECHNIQUES = 100;
const MAX_DESCRIPTION_LENGTH = 20_000;

/** Splits a text into its rules. Documents beyond the limit are reported as refused, never dropped silently. */
export function* readSigmaDocuments(
  text: string,
  parse: ParseFields = parseYamlFields,
): Generator<SigmaImport, void, undefined> {
  const documents = splitDocuments(text).map((yaml, index) => ({ document: index + 1, yaml }));
  for (const document of documents.slice(0, MAX_DOCUMENTS)) yield readAny(document, parse);
  const [beyond] = documents.slice(MAX_DOCUMENTS);
  if (!beyond) return;
  const reasons = [`yaml: must have at most ${MAX_DOCUMENTS} rules; this one and all after it were not read`];
  yield { state: "refused", document: beyond.document, title: "", reasons };
}

/** Parses what `readSigmaDocuments` will read. A document of the export has the Sigma rule as a text of its own. */
export async function parseAhead(text: string, yaml: CallerYaml): Promise<void> {
  for (const document of splitDocuments(text).slice(0, MAX_DOCUMENTS)) {
    if (!isRuleDocument(document)) {
      await yaml.addSigma(document);
      continue;
    }
    await yaml.add(completeDocument(document), false);
    const given = attempt([], () => parseDocument(document, yaml.parse));
    if (given?.sigma !== undefined) await yaml.addSigma(given.sigma);
  }
}

function readAny(document: SigmaDocument, parse: ParseFields): SigmaImport {
  if (isRuleDocument(document.yaml)) return readRuleDocument(document, parse);
  return findCorrelation(document, parse) ?? readOne(document, parse);
}

function readRuleDocument({ document, yaml }: SigmaDocument, parse: ParseFields): SigmaImport {
  const reasons: string[] = [];
  const given = attempt(reasons, () => parseDocument(yaml, parse));
  const title = given?.name ?? titleIn(given?.sigma ?? "");
  if (!given) return { state: "refused", document, title, reasons };
  if (given.sigma === undefined) return { state: "document", document, title, given };
  const read = readOne({ document, yaml: given.sigma.replace(/\n+$/, ""), title }, parse);
  if (read.state === "refused") return { ...read, reasons: read.reasons.map((reason) => `sigma: ${reason}`) };
  return { state: "document", document, title, given, sigma: { rule: read.sigma, yaml: read.yaml } };
}

/** A document that parses as a correlation. Reading it as a rule reports every refusal. */
function findCorrelation({ document, yaml }: SigmaDocument, parse: ParseFields): UnresolvedCorrelation | undefined {
  if (!/^\s*["']?correlation["']?\s*:/m.test(yaml)) return undefined;
  return attempt([], () => {
    const fields = parse(yaml);
    if (!isCorrelation(fields)) return undefined;
    const { rules, isGenerating } = parseCorrelation(fields);
    const names = { id: textAt(fields, "id"), name: textAt(fields, "name"), title: titleIn(yaml) };
    return { state: "unresolved", document, yaml, rules, isGenerating, ...names };
  });
}

/** The YAML that a reference of a correlation resolves to. */
export interface CorrelatedText {
  yaml: string;
  isCorrelation: boolean;
}

/** Reads a correlation together with the YAML of its rules. A missing rule refuses it. */
export function resolveCorrelation(
  { document, yaml, title, rules }: UnresolvedCorrelation,
  find: (reference: string) => CorrelatedText | undefined,
  parse: ParseFields,
): ResolvedImport {
  const bases = rules.map((reference) => ({ reference, base: find(reference) }));
  const reasons = bases.flatMap(({ reference, base }) => {
    if (!base) return [`correlation.rules: '${reference}' is not a rule of this import or an imported rule`];
    if (!base.isCorrelation) return [];
    return [`correlation.rules: '${reference}' is a correlation, and a correlation of correlations is not supported`];
  });
  if (reasons.length > 0) return { state: "refused", document, title, reasons };
  const texts = new Set([...bases.map(({ base }) => base?.yaml.trim()), yaml]);
  return readOne({ document, yaml: [...texts].join("\n---\n"), title }, parse);
}

function readOne(
  { document, yaml, title = titleIn(yaml) }: SigmaDocument & { title?: string },
  parse: ParseFields,
): ResolvedImport {
  const reading = readSigma(yaml, parse);
  const reasons = reading.state === "read" ? findSizeRefusal(reading.rule) : reading.reasons;
  if (reading.state === "refused" || reasons.length > 0) {
    return { state: "refused", document, title, reasons };
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

interface ImportContext {
  id: string;
  by: string;
  now: Date;
  enabled: boolean;
}

/** Builds the rule of a first import. */
export function buildImportedRule(sigma: SigmaRule, yaml: string, { id, by, now, enabled }: ImportContext): RuleRow {
  const name = sigma.title.slice(0, MAX_NAME_LENGTH);
  const rule = buildFields({ name, enabled, sharing_mode: "team" }, id, by, now);
  return checkedFields({ ...rule, ...toBaseFields(sigma, yaml) });
}

/** Builds the next version: the new base, with the users' local changes on top. */
export function buildReimportedRule(rule: RuleRow, sigma: SigmaRule, yaml: string, updated_at: Date): RuleRow {
  const base: Partial<RuleRow> = toBaseFields(sigma, yaml);
  const kept = Object.entries(base).filter(([name]) => !rule.overlay.includes(name));
  const next = { ...rule, ...Object.fromEntries(kept), version: rule.version + 1, updated_at };
  const threshold = completeDetails(next.type, next.threshold, sigma.correlation !== undefined);
  return checkedFields({ ...next, threshold });
}

/** Builds the rule that a document describes; for an existing rule, its next version. */
export function buildDocumentedRule(
  { given, sigma }: DocumentImport,
  known: RuleRow | undefined,
  importing: ImportContext,
) {
  const { manara_rule: _, id: __, sigma: ___, name, ...fields } = given;
  const built = sigma
    ? changeImported(buildImportedRule(sigma.rule, sigma.yaml, importing), { ...(name && { name }), ...fields })
    : buildRule({ ...fields, name: requireName(name) }, importing.id, importing.by, importing.now);
  if (!known) return built;
  const { created_by, created_at, version } = known;
  return { ...built, created_by, created_at, version: version + 1, updated_at: updatedAt(known, importing.now) };
}

/** Excludes the fields that no import contains, which are not local changes. */
function changeImported(rule: RuleRow, patch: UpdateRuleRequest): RuleRow {
  const { enabled: _, sharing_mode: __, shared_with_roles: ___, ...changes } = patch;
  const overlay = Object.keys(changes).toSorted();
  const isPlain = overlay.length === 0 && (patch.sharing_mode ?? "team") === "team";
  return isPlain ? rule : { ...patchRule(rule, patch, rule.updated_at), overlay, version: rule.version };
}

function requireName(name: string | undefined): string {
  if (name === undefined) throw invalidField("name", "is required for a rule without sigma");
  return name;
}

function toBaseFields(sigma: SigmaRule, sigma_yaml: string) {
  const { id, name, title, author, license, status, references, falsepositives, logsource, correlation } = sigma;
  const description = sigma.description.slice(0, MAX_DESCRIPTION_LENGTH / 2);
  return {
    name: title.slice(0, MAX_NAME_LENGTH),
    description,
    alert_severity: sigma.severity,
    alert_title_template: DEFAULT_TITLE,
    alert_description_template: `${description}\n\n{message}`.trim(),
    mitre_techniques: sigma.mitre_techniques.slice(0, MAX_TECHNIQUES),
    tags: sigma.tags.slice(0, MAX_TAGS).map((tag) => tag.slice(0, MAX_TAG_LENGTH)),
    type: correlation?.type ?? ("query" as const),
    threshold: correlation ? completeDetails(correlation.type, correlation.threshold, true) : null,
    // Only single-event rules can run on the stream.
    ...(correlation && { schedule_enabled: true }),
    sigma: { id, ...(name !== "" && { name }), title, author, license, status, references, falsepositives, logsource },
    sigma_yaml,
  };
}
