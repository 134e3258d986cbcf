import { isIP } from "node:net";
import { invalidField } from "@kit/problem";
import type { Comparison, Condition, Field, Pattern } from "@kit/query/condition";
import { plainTextOf, withJsonSpelling } from "@kit/query/condition-pattern";
import { checkRegex } from "../../logs/module.ts";
import { joined } from "./sigma-expression.ts";
import { holdsNumber, toField } from "./sigma-field.ts";
import { type Encoding, type Modifiers, parseModifiers } from "./sigma-modifiers.ts";
import { base64Offsets, parsePattern, withAnyAround, withEachDash } from "./sigma-text.ts";

const MAX_VALUES = 10_000;

/** The field of a selection entry, its modifiers, and its key for refusals. */
interface SelectionKey {
  key: string;
  field: Field;
  modifiers: Modifiers;
}

/** A selection: a map means "and", a list means "or", and a value without a field is searched everywhere. */
export function parseSelection(key: string, selection: unknown): Condition {
  if (Array.isArray(selection)) {
    return joined(
      "or",
      requireValues(key, selection).map((each) => parseSelection(key, each)),
    );
  }
  if (!isMap(selection)) return buildKeyword(key, selection);
  const entries = Object.entries(selection);
  if (entries.length === 0) throw invalidField(key, "must not be empty");
  return joined(
    "and",
    entries.map(([name, values]) => parseEntry(key, name, values)),
  );
}

function parseEntry(selection: string, name: string, given: unknown): Condition {
  const [fieldName = "", ...modifierNames] = name.split("|");
  const key = `${selection}.${name}`;
  const values = requireValues(key, Array.isArray(given) ? given : [given]);
  if (fieldName === "") return buildKeywords(key, modifierNames, values);
  const asked = { key, field: toField(fieldName), modifiers: parseModifiers(key, modifierNames) };
  return joined(
    asked.modifiers.needsAll ? "and" : "or",
    values.map((value) => comparedWith(asked, value)),
  );
}

function requireValues(key: string, values: readonly unknown[]): readonly unknown[] {
  if (values.length === 0) throw invalidField(key, "must not be an empty list");
  if (values.length > MAX_VALUES) throw invalidField(key, `has more than ${MAX_VALUES} values`);
  return values;
}

function buildKeywords(key: string, modifierNames: readonly string[], values: readonly unknown[]): Condition {
  const { needsAll, isCased, ...others } = parseModifiers(key, modifierNames);
  const isPlain = others.kind === "text" && others.encodings.length === 0;
  if (!isPlain) throw invalidField(key, "a value without a field accepts only the modifiers all and cased");
  return joined(
    needsAll ? "and" : "or",
    values.map((value) => buildKeyword(key, value, isCased)),
  );
}

function buildKeyword(key: string, value: unknown, isCased = false): Condition {
  const text = toText(value);
  if (text === undefined || text === "") throw invalidField(key, "must be a text to search for");
  return joined(
    "or",
    withJsonSpelling(parsePattern(text)).map((pattern) => ({ kind: "anywhere", pattern, isCased })),
  );
}

function comparedWith(asked: SelectionKey, value: unknown): Condition {
  const { field, modifiers } = asked;
  if (modifiers.kind === "exists") return buildExistsCondition(asked, value);
  if (value === null || value === undefined) return { kind: "not", of: { kind: "exists", field } };
  const text = toText(value);
  if (text === undefined) throw invalidField(asked.key, "a value must be a text, a number or null");
  switch (modifiers.kind) {
    case "re":
      return buildRegexCondition(asked, text);
    case "cidr":
      return buildNetworkCondition(asked, text);
    case "fieldref":
      return {
        ...{ kind: "same", field, other: toField(text), isCased: modifiers.isCased },
        how: modifiers.position ?? "equals",
      };
    case "number":
      return buildNumberCondition(asked, text);
    case "text":
      return buildTextCondition(asked, text);
    default:
      return modifiers.kind satisfies never;
  }
}

function buildExistsCondition({ key, field }: SelectionKey, value: unknown): Condition {
  if (typeof value !== "boolean") throw invalidField(key, "must be true or false");
  const exists = { kind: "exists", field } as const;
  return value ? exists : { kind: "not", of: exists };
}

function buildTextCondition({ key, field, modifiers }: SelectionKey, text: string): Condition {
  const { position, isCased, encodings } = modifiers;
  if (text === "" && position === undefined) return { kind: "not", of: { kind: "exists", field } };
  if (holdsNumber(field) && position === undefined && /^\d+$/.test(text)) {
    return { kind: "number", field, comparison: "eq", value: Number(text) };
  }
  const isOpenBefore = position === "contains" || position === "endswith";
  const isOpenAfter = position === "contains" || position === "startswith";
  return joined(
    "or",
    encodePatterns(key, text, encodings).map((pattern) => ({
      ...{ kind: "text", field, isCased },
      pattern: withAnyAround(pattern, isOpenBefore, isOpenAfter),
    })),
  );
}

function encodePatterns(key: string, text: string, encodings: readonly Encoding[]): Pattern[] {
  if (encodings.length === 0) return [parsePattern(text)];
  if (encodings.every((encoding) => encoding === "windash")) return dashed(key, text).map(parsePattern);
  const plain = plainTextOf(parsePattern(text));
  if (plain === undefined) throw invalidField(key, `wildcards cannot be encoded ('${text}')`);
  // Bytes are represented as Latin-1 text, one character per byte.
  let values = [Buffer.from(plain).toString("latin1")];
  for (const encoding of encodings) values = values.flatMap((value) => encode(key, value, encoding));
  return values.map((value) => [{ text: value }]);
}

function encode(key: string, value: string, encoding: Encoding): string[] {
  const bytes = Buffer.from(value, "latin1");
  const wide = Buffer.from(bytes.toString("utf8"), "utf16le");
  switch (encoding) {
    case "base64":
      return [bytes.toString("base64")];
    case "base64offset":
      return base64Offsets(bytes);
    case "wide":
    case "utf16le":
      return [wide.toString("latin1")];
    case "utf16be":
      return [Buffer.from(wide).swap16().toString("latin1")];
    case "utf16":
      return [`\u00ff\u00fe${wide.toString("latin1")}`];
    case "windash":
      return dashed(key, bytes.toString("utf8")).map((each) => Buffer.from(each).toString("latin1"));
    default:
      return encoding satisfies never;
  }
}

function dashed(key: string, text: string): string[] {
  const texts = withEachDash(text);
  if (texts === undefined) throw invalidField(key, `has too many dashes for windash ('${text}')`);
  return texts;
}

function buildRegexCondition({ key, field, modifiers }: SelectionKey, source: string): Condition {
  const refusal = checkRegex(source);
  if (refusal !== undefined) throw invalidField(key, refusal);
  const { flags } = modifiers;
  return {
    kind: "regex",
    field,
    source,
    isCased: !flags.has("i"),
    isMultiline: flags.has("m"),
    dotAll: flags.has("s"),
  };
}

function buildNetworkCondition({ key, field }: SelectionKey, text: string): Condition {
  const [address = "", bits, ...more] = text.split("/");
  const maxBits = isIP(address) === 6 ? 128 : 32;
  const prefixBits = bits === undefined ? maxBits : Number(bits || Number.NaN);
  const isNetwork = isIP(address) !== 0 && more.length === 0 && Number.isInteger(prefixBits) && prefixBits >= 0;
  if (!isNetwork || prefixBits > maxBits) throw invalidField(key, `is not a network ('${text}')`);
  return { kind: "network", field, address, prefixBits };
}

const COMPARISON_OF = { gt: "gt", gte: "ge", lt: "lt", lte: "le" } as const satisfies Record<string, Comparison>;

function buildNumberCondition({ key, field, modifiers }: SelectionKey, text: string): Condition {
  const value = Number(text || Number.NaN);
  if (!Number.isFinite(value)) throw invalidField(key, `must be a number ('${text}')`);
  return { kind: "number", field, comparison: COMPARISON_OF[modifiers.comparison ?? "gt"], value };
}

function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const isPlain = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
  return isPlain ? String(value) : undefined;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
