import { invalidField, Problem } from "@kit/problem";
import { parseDocument } from "yaml";
import type { Severity } from "../../casework/alerts/alerts.schema.ts";
import type { Condition } from "../../logs/query/condition.ts";
import { type LogSource, logSourceCondition } from "./log-source.ts";
import { joined, parseExpression } from "./sigma-expression.ts";
import { parseSelection } from "./sigma-selection.ts";

/** An imported Sigma rule. Its detection and its log source form one condition. */
export interface SigmaRule {
  /** The rule's own id, which identifies newer versions of it; "" when it has none. */
  id: string;
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
  condition: Condition;
}

export type SigmaReading = { state: "read"; rule: SigmaRule } | { state: "refused"; reasons: string[] };

type Fields = Readonly<Record<string, unknown>>;

const MAX_CHARACTERS = 1_048_576;
const MAX_ALIASES = 20;
const MAX_LIST_ITEMS = 1000;
const SEVERITY_OF: Readonly<Record<string, Severity>> = {
  critical: "critical",
  high: "high",
  medium: "medium",
  low: "low",
  informational: "info",
};

/** Parses one rule. Unsupported parts are refused, and each reason names the part. */
export function readSigma(yamlText: string): SigmaReading {
  const reasons: string[] = [];
  const rule = attempt(reasons, () => readRule(parseYamlFields(yamlText), reasons));
  return rule && reasons.length === 0 ? { state: "read", rule } : { state: "refused", reasons };
}

/** Continues after a refusal, so that all reasons are reported together. */
function attempt<Result>(reasons: string[], read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    reasons.push(error.message);
    return undefined;
  }
}

function parseYamlFields(yamlText: string): Fields {
  if (yamlText.length > MAX_CHARACTERS) throw refused("yaml", `must be at most ${MAX_CHARACTERS} characters`);
  // Integers may exceed the exact range of a number.
  const document = parseDocument(yamlText, { intAsBigInt: true });
  const [error] = document.errors;
  if (error?.code === "MULTIPLE_DOCS") throw refused("yaml", "must be one document");
  if (error) throw refused("yaml", error.message.split("\n", 1)[0] ?? "");
  const value: unknown = attemptAliases(() => document.toJS({ maxAliasCount: MAX_ALIASES }));
  if (!isFields(value)) throw refused("yaml", "must be a rule with title, logsource and detection");
  return value;
}

function attemptAliases(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReferenceError) throw refused("yaml", "has too many or unknown aliases");
    throw error;
  }
}

function readRule(fields: Fields, reasons: string[]): SigmaRule {
  for (const name of ["correlation", "filter", "action"]) {
    if (fields[name] !== undefined) throw refused(name, "correlations, filters and rule collections are not supported");
  }
  const logsource = attempt(reasons, () => readLogSource(fields.logsource));
  const source = logsource && attempt(reasons, () => buildSourceCondition(logsource));
  const detection = attempt(reasons, () => readDetection(fields.detection, reasons));
  const tags = listAt(fields, "tags", reasons).map((tag) => tag.toLowerCase());
  return {
    id: textAt(fields, "id"),
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
    logsource: logsource ?? {},
    condition: joined("and", [source ?? { kind: "none" }, detection ?? { kind: "none" }]),
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

function textAt(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" || typeof value === "bigint" ? String(value).trim() : "";
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

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(field: string, why: string): Problem {
  return invalidField(field, why);
}
