import { invalidField } from "@kit/problem";
import type { Comparison, Condition } from "@kit/query/condition";
import { boundsOf, LEADING_ZERO, spellAddress } from "@kit/query/condition-address";
import { anywhereIn } from "@kit/query/condition-pattern";
import { splitWords } from "@kit/query/condition-words";
import { FIELD_KINDS } from "@kit/query/log-field";
import { INDEXED_TEXT } from "../../ports/log-store.ts";
import { parseRegex } from "./condition-regex.ts";
import { toRe2 } from "./condition-regex-print.ts";
import { buildTextTests } from "./condition-sql-texts.ts";
import {
  attributeSql,
  buildTextSql,
  buildTextsSql,
  createParameters,
  type Parameters,
  type ParameterValue,
  quoteColumn,
} from "./condition-sql-values.ts";
import { groupAlternatives, type ValueCondition } from "./condition-value.ts";

export interface ConditionSql {
  /** A WHERE expression that is 0 or 1, never NULL. */
  sql: string;
  /** The value of each `{name:Type}` in it. */
  parameters: Readonly<Record<string, ParameterValue>>;
}

const OPERATORS: Readonly<Record<Comparison | "eq", string>> = { lt: "<", le: "<=", gt: ">", ge: ">=", eq: "=" };

// The range of DateTime64; an instant outside it is compared as the nearest bound.
const FIRST_INSTANT = Date.UTC(1900, 0, 1);
const LAST_INSTANT = Date.UTC(2299, 11, 31, 23, 59, 59, 999);

// The engine refuses a statement beyond 256 KiB and needs seconds to plan one of half that size.
const MAX_SQL_CHARACTERS = 128 * 1024;
// Parameters travel in the URL, which the engine limits to 1 MiB.
const MAX_PARAMETER_CHARACTERS = 512 * 1024;
const MAX_ENCODED_WIDTH = 3;

/**
 * Compiles the condition to ClickHouse SQL. Every word of the SQL comes from this code; every external value is a
 * parameter. A condition that is too large for the log store is refused.
 */
export function toSql(condition: Condition, prefix = "p"): ConditionSql {
  const parameters = createParameters(prefix);
  const sql = compileSql(condition, parameters);
  requireSize("characters of SQL", sql.length, MAX_SQL_CHARACTERS);
  requireSize("characters of values", countCharacters(parameters.values), MAX_PARAMETER_CHARACTERS);
  return { sql, parameters: parameters.values };
}

function requireSize(unit: string, size: number, max: number): void {
  if (size > max) throw invalidField("query", `is too large for the log store: ${size} ${unit}, at most ${max}`);
}

/** The URL-encoded length of all values; computed only if it could matter. */
function countCharacters(values: ConditionSql["parameters"]): number {
  const texts = Object.values(values).flat();
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes * MAX_ENCODED_WIDTH <= MAX_PARAMETER_CHARACTERS) return bytes;
  return texts.reduce((sum, text) => sum + new URLSearchParams([["", text]]).toString().length, 0);
}

type AnywhereCondition = Extract<Condition, { kind: "anywhere" }>;

function compileSql(condition: Condition, parameters: Parameters): string {
  switch (condition.kind) {
    case "all":
      return "true";
    case "none":
      return "false";
    case "and":
      return joined(
        condition.of.map((each) => compileSql(each, parameters)),
        "AND",
      );
    case "or":
      return orSql(condition.of, parameters);
    case "not":
      return `NOT (${compileSql(condition.of, parameters)})`;
    case "words":
      return wordsSql(condition, parameters);
    case "anywhere":
      return anywhereSql([condition], parameters);
    case "instant":
      return instantSql(condition, parameters);
    case "same":
      return sameSql(condition, parameters);
    case "text":
    case "regex":
    case "number":
    case "network":
    case "exists":
      return valueSql([condition], parameters);
    default:
      return condition satisfies never;
  }
}

function joined(parts: readonly string[], operator: "AND" | "OR"): string {
  const [first] = parts;
  if (first === undefined) return operator === "AND" ? "true" : "false";
  return parts.length === 1 ? first : `(${parts.join(` ${operator} `)})`;
}

function orSql(alternatives: readonly Condition[], parameters: Parameters): string {
  const { groups, rest } = groupAlternatives(alternatives);
  const anywhere = rest.filter((each) => each.kind === "anywhere");
  const parts = [
    ...groups.map((group) => valueSql(group, parameters)),
    ...(anywhere.length > 0 ? [anywhereSql(anywhere, parameters)] : []),
    ...rest.filter(({ kind }) => kind !== "anywhere").map((each) => compileSql(each, parameters)),
  ];
  return joined(parts, "OR");
}

function wordsSql({ words, isMessageOnly }: Extract<Condition, { kind: "words" }>, parameters: Parameters): string {
  const wanted = splitWords(words.join(" "));
  if (wanted.length === 0) return "false";
  const tokens = parameters.add(wanted.join(" "), "String");
  const isAnywhere = `hasAllTokens(${INDEXED_TEXT}, ${tokens})`;
  return isMessageOnly ? `(${isAnywhere} AND hasAllTokens(lower(message), ${tokens}))` : isAnywhere;
}

function anywhereSql(conditions: readonly AnywhereCondition[], parameters: Parameters): string {
  const wanted = conditions.map(({ pattern, isCased }) => ({ pattern: anywhereIn(pattern), isCased }));
  return joined(
    ["message", "raw"].flatMap((text) => buildTextTests(text, wanted, parameters)),
    "OR",
  );
}

function instantSql(condition: Extract<Condition, { kind: "instant" }>, parameters: Parameters): string {
  const { field, comparison, value } = condition;
  if (!("name" in field) || FIELD_KINDS[field.name] !== "instant") {
    throw invalidField("instant", "only timestamp and ingested_at hold an instant");
  }
  const instant = Math.min(Math.max(Math.trunc(value), FIRST_INSTANT), LAST_INSTANT);
  return `${quoteColumn(field.name)} ${OPERATORS[comparison]} fromUnixTimestamp64Milli(${parameters.add(instant, "Int64")})`;
}

/** A value of the field matches one of the conditions, which are all on this field. */
function valueSql(conditions: readonly ValueCondition[], parameters: Parameters): string {
  const [first] = conditions;
  if (!first) return "false";
  const { field } = first;
  const wanted = conditions.filter((each) => each.kind === "text");
  const others = conditions.filter((each) => each.kind !== "text");
  if ("name" in field) {
    const tests = others.map((each) => columnSql(field.name, each, parameters));
    const isMatch = joined([...buildTextTests(buildTextSql(field.name), wanted, parameters), ...tests], "OR");
    // A port of 0 means that the log has no port.
    return FIELD_KINDS[field.name] === "port" ? `(${quoteColumn(field.name)} != 0 AND ${isMatch})` : isMatch;
  }
  const buildTests = (text: string) =>
    joined(
      [...buildTextTests(text, wanted, parameters), ...others.map((each) => testSql(text, each, parameters))],
      "OR",
    );
  const { isScalar, text, isList, texts } = attributeSql(field, parameters);
  // Lists are rare: a lambda over every value takes many times as long as a test of a single value.
  return `((${isScalar} AND ${buildTests(text)}) OR (${isList} AND arrayExists(v -> ${buildTests("v")}, ${texts})))`;
}

type OtherCondition = Exclude<ValueCondition, { kind: "text" }>;

function columnSql(name: keyof typeof FIELD_KINDS, condition: OtherCondition, parameters: Parameters): string {
  const column = quoteColumn(name);
  const kind = FIELD_KINDS[name];
  if (condition.kind === "number" && kind === "port") {
    return `${column} ${OPERATORS[condition.comparison]} ${parameters.add(condition.value, "Float64")}`;
  }
  if (condition.kind === "exists") {
    return kind === "instant" || kind === "severity" || kind === "port" ? "true" : `${column} != ''`;
  }
  return testSql(buildTextSql(name), condition, parameters);
}

/** One text matches. */
function testSql(text: string, condition: OtherCondition, parameters: Parameters): string {
  switch (condition.kind) {
    case "regex":
      return `match(${text}, ${parameters.add(toRe2(parseRegex(condition.source, condition)), "String")})`;
    case "number": {
      const number = `toFloat64OrNull(${text})`;
      const compared = `${number} ${OPERATORS[condition.comparison]} ${parameters.add(condition.value, "Float64")}`;
      return `ifNull(isFinite(${number}) AND ${compared}, false)`;
    }
    case "network":
      return networkSql(text, condition, parameters);
    case "exists":
      return `${text} != ''`;
    default:
      return condition satisfies never;
  }
}

function networkSql(text: string, network: Extract<Condition, { kind: "network" }>, parameters: Parameters): string {
  const bounds = boundsOf(network);
  if (!bounds) throw invalidField("network", `'${network.address}/${network.prefixBits}' is not a network`);
  const [first, last] = bounds.map((bound) => `toIPv6(${parameters.add(spellAddress(bound), "String")})`);
  const isWithin = `ifNull(toIPv6OrNull(${text}) BETWEEN ${first} AND ${last}, false)`;
  return `(${isWithin} AND NOT match(${text}, '${LEADING_ZERO}'))`;
}

const SAME: Readonly<Record<Extract<Condition, { kind: "same" }>["how"], (a: string, b: string) => string>> = {
  equals: (a, b) => `${a} = ${b}`,
  startswith: (a, b) => `startsWith(${a}, ${b})`,
  endswith: (a, b) => `endsWith(${a}, ${b})`,
  contains: (a, b) => `position(${a}, ${b}) > 0`,
};

function sameSql(condition: Extract<Condition, { kind: "same" }>, parameters: Parameters): string {
  const { field, other, how, isCased } = condition;
  const folded = (name: string) => (isCased ? name : `lowerUTF8(${name})`);
  const test = `(w != '' AND ${SAME[how](folded("v"), folded("w"))})`;
  return `arrayExists(v -> arrayExists(w -> ${test}, ${buildTextsSql(other, parameters)}), ${buildTextsSql(field, parameters)})`;
}
