import type { Condition } from "@kit/query/condition";
import type { Severity } from "../../alerts/alerts/alerts.schema.ts";
import { type LogSource, logSourceCondition } from "./log-source.ts";
import { parseCorrelation, type SigmaCorrelation } from "./sigma-correlation.ts";
import { joined, parseExpression } from "./sigma-expression.ts";
import { parseSelection } from "./sigma-selection.ts";
import {
  attempt,
  type Fields,
  isFields,
  type ParseFields,
  parseYamlFields,
  refused,
  splitDocuments,
  textAt,
} from "./sigma-yaml.ts";

/** An imported Sigma rule. Its detection and its log source form one condition. */
export interface SigmaRule {
  /** The rule's own id, which identifies newer versions of it; "" if it has none. */
  id: string;
  /** The name by which a correlation may refer to the rule; "" if it has none. */
  name: string;
  title: string;
  description: string;
  author: string;
  license: string;
  status: string;
  severity: Severity;
  mitre_techniques: string[];
  /** Short names such as credential-access. */
  mitre_tactics: string[];
  tags: string[];
  references: string[];
  falsepositives: string[];
  logsource: LogSource;
  /** For a correlation: an event of any of its rules. */
  condition: Condition;
  /** Only for a correlation: its criteria, and the conditions of its rules in order. */
  correlation?: SigmaCorrelation & { steps: Condition[] };
}

export type SigmaReading = { state: "read"; rule: SigmaRule } | { state: "refused"; reasons: string[] };

const MAX_CHARACTERS = 1_048_576;
const MAX_LIST_ITEMS = 1000;
const SEVERITY_OF: Readonly<Record<string, Severity>> = {
  critical: "critical",
  high: "high",
  medium: "medium",
  low: "low",
  informational: "info",
};

/**
 * Parses one rule, or one correlation together with the rules that it names. Unsupported parts are refused, and each
 * reason names the part.
 */
export function readSigma(yamlText: string, parse: ParseFields = parseYamlFields): SigmaReading {
  const reasons: string[] = [];
  const rule = attempt(reasons, () => readDocuments(yamlText, parse, reasons));
  return rule && reasons.length === 0 ? { state: "read", rule } : { state: "refused", reasons };
}

function readDocuments(yamlText: string, parse: ParseFields, reasons: string[]): SigmaRule {
  if (yamlText.length > MAX_CHARACTERS) throw refused("yaml", `must be at most ${MAX_CHARACTERS} characters`);
  const documents = splitDocuments(yamlText).map((yaml) => parse(yaml));
  const [correlation, ...others] = documents.filter(isCorrelation);
  if (correlation && others.length === 0) {
    const bases = documents.filter((document) => document !== correlation);
    return readCorrelated(correlation, bases, reasons);
  }
  const [only, ...more] = documents;
  if (!only || more.length > 0)
    throw refused("yaml", "must be one rule, or one correlation and the rules that it names");
  return readRule(only, reasons);
}

export function isCorrelation(fields: Fields): boolean {
  return fields.correlation !== undefined;
}

/** Other tools and versions define kinds of documents that are not supported here. */
function requireRule(fields: Fields): void {
  if (fields.filter !== undefined) {
    throw refused("filter", "filters are not supported: narrow the imported rule with its query, or add a suppression");
  }
  if (fields.action !== undefined) throw refused("action", "rule collections are not supported");
}

function readRule(fields: Fields, reasons: string[]): SigmaRule {
  requireRule(fields);
  const logsource = attempt(reasons, () => readLogSource(fields.logsource));
  const source = logsource && attempt(reasons, () => buildSourceCondition(logsource));
  const detection = attempt(reasons, () => readDetection(fields.detection, reasons));
  return {
    ...readMetadata(fields, reasons),
    logsource: logsource ?? {},
    condition: joined("and", [source ?? { kind: "none" }, detection ?? { kind: "none" }]),
  };
}

function readCorrelated(fields: Fields, bases: readonly Fields[], reasons: string[]): SigmaRule {
  const correlation = parseCorrelation(fields);
  const rules = bases.map((base) => readRule(base, reasons));
  const steps = correlation.rules.flatMap((reference) => {
    const found = rules.find(({ id, name }) => reference === id || reference === name);
    if (!found) reasons.push(`correlation.rules: '${reference}' is not a rule of this text`);
    return found ? [found.condition] : [];
  });
  if (rules.some(({ id, name }) => !correlation.rules.includes(id) && !correlation.rules.includes(name))) {
    throw refused("yaml", "must be one rule, or one correlation and the rules that it names");
  }
  return {
    ...readMetadata(fields, reasons),
    logsource: {},
    condition: joined("or", steps),
    correlation: { ...correlation, steps },
  };
}

function readMetadata(fields: Fields, reasons: string[]): Omit<SigmaRule, "logsource" | "condition" | "correlation"> {
  const tags = listAt(fields, "tags", reasons).map((tag) => tag.toLowerCase());
  return {
    id: textAt(fields, "id"),
    name: textAt(fields, "name"),
    title: attempt(reasons, () => readTitle(fields)) ?? "",
    description: textAt(fields, "description"),
    author: textAt(fields, "author"),
    license: textAt(fields, "license"),
    status: textAt(fields, "status"),
    severity: attempt(reasons, () => parseSeverity(fields.level)) ?? "medium",
    mitre_techniques: parseTechniques(tags),
    mitre_tactics: parseTactics(tags),
    tags,
    references: listAt(fields, "references", reasons),
    falsepositives: listAt(fields, "falsepositives", reasons),
  };
}

function readTitle(fields: Fields): string {
  const title = textAt(fields, "title");
  if (title === "") throw refused("title", "must not be empty");
  return title;
}

function parseSeverity(level: unknown): Severity {
  if (level === undefined) return "medium";
  const severity = typeof level === "string" && Object.hasOwn(SEVERITY_OF, level) ? SEVERITY_OF[level] : undefined;
  if (!severity) throw refused("level", `must be one of ${Object.keys(SEVERITY_OF).join(", ")}`);
  return severity;
}

function parseTechniques(tags: readonly string[]): string[] {
  const ids = tags.map((tag) => /^attack\.(t\d{4}(?:\.\d{3})?)$/.exec(tag)?.[1]);
  return [...new Set(ids.flatMap((id) => id?.toUpperCase() ?? []))];
}

/** Besides techniques and tactics, attack.* tags name groups, software and data sources. */
function parseTactics(tags: readonly string[]): string[] {
  const names = tags.map((tag) => /^attack\.(?!(?:t|g|s|ds)\d)([a-z_-]+)$/.exec(tag)?.[1]);
  return [...new Set(names.flatMap((name) => name?.replaceAll("_", "-") ?? []))];
}

function readLogSource(value: unknown): LogSource {
  if (!isFields(value)) throw refused("logsource", "must name a product, a category or a service");
  const { product, category, service, definition: _, ...others } = value;
  const [unknownName] = Object.keys(others);
  if (unknownName !== undefined) throw refused(`logsource.${unknownName}`, "is not supported");
  const parts = Object.entries({ product, category, service }).filter(([, part]) => part !== undefined);
  for (const [name, part] of parts) {
    if (typeof part !== "string") throw refused(`logsource.${name}`, "must be a text");
  }
  return Object.fromEntries(parts.map(([name, part]) => [name, String(part).toLowerCase()]));
}

function buildSourceCondition(logsource: LogSource): Condition {
  const condition = logSourceCondition(logsource);
  if (condition) return condition;
  const words = Object.entries(logsource).map(([name, part]) => `${name} '${part}'`);
  throw refused("logsource", words.length === 0 ? "must not be empty" : `${words.join(", ")} is not a known source`);
}

function readDetection(value: unknown, reasons: string[]): Condition | undefined {
  if (!isFields(value)) throw refused("detection", "must have a condition and selections");
  const { condition, timeframe, ...selections } = value;
  if (timeframe !== undefined) throw refused("detection.timeframe", "aggregations are not supported");
  const before = reasons.length;
  const read = Object.entries(selections).flatMap(([name, selection]): [string, Condition][] => {
    const asked = attempt(reasons, () => parseSelection(`detection.${name}`, selection));
    return asked ? [[name, asked]] : [];
  });
  // A refused selection is missing here; skip the expression, so that it is not reported as a second error.
  return reasons.length > before ? undefined : parseExpressions(condition, new Map(read));
}

/** Several expressions are alternatives. */
function parseExpressions(condition: unknown, selections: ReadonlyMap<string, Condition>): Condition {
  const texts: readonly unknown[] = Array.isArray(condition) ? condition : [condition];
  const expressions = texts.map((text) => {
    if (typeof text !== "string") throw refused("detection.condition", "must be a text");
    return parseExpression(text, selections);
  });
  if (expressions.length === 0) throw refused("detection.condition", "must not be empty");
  return joined("or", expressions);
}

function listAt(fields: Fields, name: string, reasons: string[]): string[] {
  const value = fields[name] ?? [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > MAX_LIST_ITEMS) reasons.push(`${name}: must have at most ${MAX_LIST_ITEMS} items`);
  return items.slice(0, MAX_LIST_ITEMS).flatMap((item) => {
    const isText = typeof item === "string" || typeof item === "bigint" || typeof item === "number";
    return isText ? [String(item).trim()] : [];
  });
}
