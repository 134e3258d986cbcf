import { keyOf } from "@kit/query/condition-field";
import { toField } from "./sigma-field.ts";
import { type Fields, isFields, refused } from "./sigma-yaml.ts";

/** How often, within what time and in which groups the correlated rules must match. */
interface CorrelationThreshold {
  count?: number;
  group_by?: string[];
  within_minutes?: number;
  within_seconds?: number;
  distinct_field?: string;
  steps?: string[];
  any_order?: boolean;
}

/** A parsed correlation, before the rules that it names are known. */
export interface SigmaCorrelation {
  /** The type of our rule that evaluates it. */
  type: "threshold" | "sequence";
  /** Names or ids of the correlated rules. */
  rules: string[];
  threshold: CorrelationThreshold;
  /** Whether the correlated rules also raise alerts on their own. */
  isGenerating: boolean;
}

const TYPES = ["event_count", "value_count", "temporal", "temporal_ordered"] as const;
type CorrelationType = (typeof TYPES)[number];

const MAX_RULES = 20;
const MAX_GROUP_FIELDS = 3;
const MIN_COUNT = 2;
const MAX_COUNT = 10_000;
const MAX_SECONDS = 7 * 86_400;
const SECONDS_IN: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const KNOWN = new Set(["type", "rules", "group-by", "timespan", "condition", "aliases", "generate"]);

/** Parses the correlation of a document. Refuses unsupported features by their field. */
export function parseCorrelation(document: Fields): SigmaCorrelation {
  const { correlation } = document;
  if (!isFields(correlation)) throw refused("correlation", "must have a type, rules and a timespan");
  const type = parseType(correlation.type);
  if (correlation.aliases !== undefined) {
    throw refused("correlation.aliases", "is not supported: the group-by fields must have one name in all rules");
  }
  const unknownName = Object.keys(correlation).find((name) => !KNOWN.has(name));
  if (unknownName !== undefined) throw refused(`correlation.${unknownName}`, "is not supported");
  const rules = parseTexts("correlation.rules", correlation.rules);
  const group_by = parseGroupBy(correlation["group-by"]);
  const generate = document.generate ?? correlation.generate ?? false;
  const details = buildDetails(type, correlation.condition, rules);
  const threshold = { ...details.threshold, group_by, ...parseTimespan(correlation.timespan) };
  return { ...details, rules, threshold, isGenerating: generate === true };
}

function parseType(type: unknown): CorrelationType {
  const known = TYPES.find((each) => each === type);
  if (!known)
    throw refused("correlation.type", `'${String(type)}' is not supported: must be one of ${TYPES.join(", ")}`);
  return known;
}

function buildDetails(
  type: CorrelationType,
  condition: unknown,
  rules: readonly string[],
): Pick<SigmaCorrelation, "type" | "threshold"> {
  switch (type) {
    case "event_count":
      return { type: "threshold", threshold: { count: parseCount(readCriteria(condition, [])) } };
    case "value_count": {
      const criteria = readCriteria(condition, ["field"]);
      return {
        type: "threshold",
        threshold: { count: parseCount(criteria), distinct_field: parseDistinctField(criteria.field) },
      };
    }
    case "temporal":
    case "temporal_ordered":
      requireAllRules(condition, rules.length);
      return { type: "sequence", threshold: type === "temporal" ? { any_order: true } : {} };
    default:
      return type satisfies never;
  }
}

/** The criteria of a condition: our thresholds have a lower bound and nothing else. */
function readCriteria(condition: unknown, others: readonly string[]): Fields {
  if (!isFields(condition)) throw refused("correlation.condition", "must have gte or gt");
  const foreign = Object.keys(condition).find((name) => !["gte", "gt", ...others].includes(name));
  if (foreign !== undefined) throw refused(`correlation.condition.${foreign}`, "is not supported: only gte or gt is");
  return condition;
}

function parseCount({ gte, gt }: Fields): number {
  if (gte !== undefined && gt !== undefined) throw refused("correlation.condition.gt", "must not be combined with gte");
  const name = gte === undefined ? "gt" : "gte";
  const bound = toInteger(gte ?? gt);
  const count = bound === undefined ? undefined : bound + (name === "gt" ? 1 : 0);
  if (count === undefined || count < MIN_COUNT || count > MAX_COUNT) {
    throw refused(`correlation.condition.${name}`, `must be ${MIN_COUNT} to ${MAX_COUNT}`);
  }
  return count;
}

function parseDistinctField(value: unknown): string {
  const [name, ...more] = parseTexts("correlation.condition.field", value);
  if (name === undefined || more.length > 0) {
    throw refused("correlation.condition.field", "must be one field: several are not supported");
  }
  return keyOf(toField(name));
}

/** A sequence needs all of its steps, and the condition of a temporal correlation must not require anything else. */
function requireAllRules(condition: unknown, count: number): void {
  if (count < 2) throw refused("correlation.rules", "must name at least two rules");
  if (condition === undefined) return;
  const entries = isFields(condition) ? Object.entries(condition) : [];
  const asksForAll = entries.every(([name, value]) => {
    const bound = toInteger(value);
    return ((name === "gte" || name === "eq") && bound === count) || (name === "gt" && bound === count - 1);
  });
  if (entries.length === 0 || !asksForAll) {
    throw refused("correlation.condition", `is not supported unless it requires all ${count} rules`);
  }
}

function parseGroupBy(value: unknown): string[] {
  if (value === undefined) return [];
  const names = parseTexts("correlation.group-by", value);
  if (names.length > MAX_GROUP_FIELDS) {
    throw refused("correlation.group-by", `must have at most ${MAX_GROUP_FIELDS} fields`);
  }
  return names.map((name) => keyOf(toField(name)));
}

function parseTimespan(value: unknown): Pick<CorrelationThreshold, "within_minutes" | "within_seconds"> {
  const [, digits = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(String(value)) ?? [];
  const seconds = Number(digits) * (SECONDS_IN[unit] ?? 0);
  if (seconds < 1) throw refused("correlation.timespan", "must be a number and s, m, h or d, such as 15m");
  if (seconds > MAX_SECONDS) throw refused("correlation.timespan", `'${String(value)}' is longer than 7 days`);
  return seconds % 60 === 0 ? { within_minutes: seconds / 60 } : { within_seconds: seconds };
}

/** A string, or a list of strings. */
function parseTexts(key: string, value: unknown): string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = items.map((item) => (typeof item === "string" ? item.trim() : ""));
  if (texts.length === 0 || texts.includes("")) throw refused(key, "must be a text or a list of texts");
  if (texts.length > MAX_RULES) throw refused(key, `must have at most ${MAX_RULES} items`);
  return [...new Set(texts)];
}

function toInteger(value: unknown): number | undefined {
  const number = typeof value === "bigint" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
