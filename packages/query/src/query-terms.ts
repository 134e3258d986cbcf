import type { Problem } from "@kit/problem";
import type { Condition, Field, Pattern } from "./condition.ts";
import { parseAddress, parseNetwork, spellAddress, spellCanonical } from "./condition-address.ts";
import { parseNumber } from "./condition-number.ts";
import { anywhereIn, plainTextOf, simplify, withJsonSpelling } from "./condition-pattern.ts";
import { splitWords } from "./condition-words.ts";
import { FIELD_KINDS, type FieldKind, QUERY_SEVERITIES } from "./log-field.ts";
import { isRelative, parseSpan, type Span } from "./query-instant.ts";
import type { Sign, Value } from "./query-syntax.ts";

export interface TermContext {
  /** The value of `now`; if undefined, relative times are refused. */
  now: number | undefined;
  /** Builds the error with the position of the value. */
  refuse: (reason: string) => Problem;
}

const MAX_PORT = 65_535;

function kindOf(field: Field): FieldKind | "attribute" {
  return "name" in field ? FIELD_KINDS[field.name] : "attribute";
}

function labelOf(field: Field): string {
  return "name" in field ? field.name : `attributes.${field.attribute.join(".")}`;
}

function textCondition(field: Field, pattern: Pattern, isCased = false): Condition {
  return { kind: "text", field, pattern: simplify(pattern), isCased };
}

/** A word or quoted words without a field: they are looked for in the message and in the raw event. */
export function freeTerm({ pattern }: Value, { refuse }: TermContext): Condition {
  const text = plainTextOf(pattern);
  if (text === undefined) return isAny(pattern) ? { kind: "all" } : containsAnywhere(pattern);
  if (text === "&&" || text === "||" || text === "!")
    throw refuse(`'${text}' is not an operator: write AND, OR or NOT`);
  return findText(requireText(text, refuse), { kind: "words", words: [] }, containsAnywhere([{ text }]));
}

function requireText(text: string, refuse: TermContext["refuse"]): string {
  if (text.trim() === "") throw refuse("a text to look for must not be empty");
  return text;
}

function containsAnywhere(pattern: Pattern): Condition {
  const of = withJsonSpelling(simplify(pattern)).map(
    (each): Condition => ({ kind: "anywhere", pattern: each, isCased: false }),
  );
  return of.length === 1 && of[0] ? of[0] : { kind: "or", of };
}

/**
 * ASCII words are looked up as whole words, which an index makes fast. A text that is more than one such word must also
 * occur exactly as written. For words beyond ASCII only that is tested, because the index keeps their original case.
 */
function findText(text: string, lookup: Extract<Condition, { kind: "words" }>, contains: Condition): Condition {
  const words = splitWords(text);
  const indexed = words.filter((word) => /^[0-9a-z]+$/.test(word));
  const [first] = indexed;
  if (words.length === 1 && first === text.toLowerCase()) return { ...lookup, words: [first] };
  return first === undefined ? contains : { kind: "and", of: [{ ...lookup, words: indexed }, contains] };
}

function isAny(pattern: Pattern): boolean {
  const [first, ...rest] = simplify(pattern);
  return first !== undefined && "wildcard" in first && first.wildcard === "any" && rest.length === 0;
}

/** `field:value` */
export function fieldTerm(field: Field, value: Value, context: TermContext): Condition {
  const { pattern, isQuoted } = value;
  if (isAny(pattern)) return { kind: "exists", field };
  const kind = kindOf(field);
  const text = plainTextOf(pattern);
  if (kind === "instant") return spanCondition(field, spanOrRefuse(text, context));
  if (kind === "long text") return longTextTerm(field, pattern, context);
  if (kind === "address" && text !== undefined) return addressTerm(field, text, isQuoted, context);
  if (text === undefined || isQuoted) return textCondition(field, pattern);
  switch (kind) {
    case "severity":
      return textCondition(field, [{ text: severityOrRefuse(text, context) }]);
    case "port":
      return { kind: "number", field, comparison: "eq", value: numberOrRefuse(field, text, context) };
    case "address":
    case "text":
      return textCondition(field, pattern);
    case "attribute":
      return attributeTerm(field, text);
    case "id":
      return textCondition(field, [{ text: text.toLowerCase() }], true);
    default:
      return kind satisfies never;
  }
}

/** The message and the raw event match when a part of them matches. */
function longTextTerm(field: Field, pattern: Pattern, { refuse }: TermContext): Condition {
  const text = plainTextOf(pattern);
  if (text === "") return textCondition(field, []);
  const contains = textCondition(field, anywhereIn(pattern));
  if (text === undefined || !("name" in field) || field.name !== "message") return contains;
  return findText(requireText(text, refuse), { kind: "words", words: [], isMessageOnly: true }, contains);
}

function addressTerm(field: Field, text: string, isQuoted: boolean, { refuse }: TermContext): Condition {
  const network = parseNetwork(text);
  if (network) return { kind: "network", field, ...network };
  const value = parseAddress(text);
  if (value === undefined) {
    if (isQuoted) return textCondition(field, [{ text }]);
    throw refuse(`${labelOf(field)} must be an address, a network such as 10.0.0.0/8 or a pattern, not '${text}'`);
  }
  const canonical = spellCanonical(value);
  if (!canonical.includes(":")) return textCondition(field, [{ text: canonical }], true);
  // Logs that were stored by earlier versions have the address as the sender wrote it; an index answers a list of texts.
  const padded = spellAddress(value);
  const expanded = padded.replaceAll(/\b0{1,3}(?=[0-9a-f])/g, "");
  return { kind: "or", of: [canonical, expanded, padded].map((each) => textCondition(field, [{ text: each }])) };
}

function attributeTerm(field: Field, text: string): Condition {
  const network = text.includes("/") ? parseNetwork(text) : undefined;
  return network ? { kind: "network", field, ...network } : textCondition(field, [{ text }]);
}

/** `field:>=value` */
export function comparisonTerm(field: Field, sign: Sign, value: Value, context: TermContext): Condition {
  const text = toBoundText(value, context);
  const kind = kindOf(field);
  switch (kind) {
    case "instant":
      return instantComparison(field, sign, spanOrRefuse(text, context));
    case "severity":
      return severitiesFrom(field, severityOrRefuse(text, context), sign);
    case "port":
    case "attribute":
    case "text":
      return { kind: "number", field, comparison: COMPARISONS[sign], value: numberOrRefuse(field, text, context) };
    case "id":
    case "address":
    case "long text":
      throw context.refuse(`${labelOf(field)} has no order`);
    default:
      return kind satisfies never;
  }
}

/** A bound of a range; undefined for one that is open. */
export type RangeBound = { value: Value; context: TermContext; isIncluded: boolean };

/** `field:[from TO to]`; braces exclude a bound. */
export function rangeTerm(field: Field, from: RangeBound, to: RangeBound): Condition {
  const bounds = [
    { ...from, sign: from.isIncluded ? ">=" : ">" },
    { ...to, sign: to.isIncluded ? "<=" : "<" },
  ] as const;
  const of = bounds
    .filter(({ value }) => !isAny(value.pattern))
    .map(({ value, sign, context }) => comparisonTerm(field, sign, value, context));
  if (of.length === 0) return { kind: "exists", field };
  return of.length === 1 && of[0] ? of[0] : { kind: "and", of };
}

const COMPARISONS = { ">=": "ge", ">": "gt", "<=": "le", "<": "lt" } as const;

function toBoundText({ pattern }: Value, { refuse }: TermContext): string {
  const text = plainTextOf(pattern);
  if (text === undefined) throw refuse("a bound cannot have wildcards");
  return text;
}

function spanOrRefuse(text: string | undefined, { now, refuse }: TermContext): Span {
  const span = text === undefined ? undefined : parseSpan(text, now);
  if (span) return span;
  if (text !== undefined && isRelative(text)) throw refuse("a time relative to now has no meaning here");
  throw refuse("a time must be a day such as 2026-05-31, an instant such as 2026-05-31T08:00:00Z, or now-1h");
}

function spanCondition(field: Field, { from, to }: Span): Condition {
  return {
    kind: "and",
    of: [
      { kind: "instant", field, comparison: "ge", value: from },
      { kind: "instant", field, comparison: "lt", value: to },
    ],
  };
}

/** A day means the whole day: "after" starts when the day is over, and "up to" includes its last millisecond. */
function instantComparison(field: Field, sign: Sign, { from, to }: Span): Condition {
  const isAbove = sign === ">" || sign === ">=";
  const value = sign === ">" || sign === "<=" ? to : from;
  return { kind: "instant", field, comparison: isAbove ? "ge" : "lt", value };
}

function numberOrRefuse(field: Field, text: string, { refuse }: TermContext): number {
  const value = parseNumber(text);
  const isPort = kindOf(field) === "port";
  if (value === undefined || (isPort && !(Number.isInteger(value) && value >= 0 && value <= MAX_PORT))) {
    throw refuse(
      `${labelOf(field)} must be compared with a number${isPort ? ` from 0 to ${MAX_PORT}` : ""}, not '${text}'`,
    );
  }
  return value;
}

function severityOrRefuse(text: string, { refuse }: TermContext): string {
  const severity = QUERY_SEVERITIES.find((each) => each === text.toLowerCase());
  if (!severity) throw refuse(`severity must be one of ${QUERY_SEVERITIES.join(", ")}, not '${text}'`);
  return severity;
}

/** The severities are in order, from info up to critical. */
function severitiesFrom(field: Field, severity: string, sign: Sign): Condition {
  const ranked: readonly string[] = QUERY_SEVERITIES;
  const bound = ranked.indexOf(severity);
  const isWanted: Readonly<Record<Sign, (rank: number) => boolean>> = {
    ">=": (rank) => rank <= bound,
    ">": (rank) => rank < bound,
    "<=": (rank) => rank >= bound,
    "<": (rank) => rank > bound,
  };
  const of = ranked.filter((_, rank) => isWanted[sign](rank)).map((text) => textCondition(field, [{ text }], true));
  return of.length === 0 ? { kind: "none" } : { kind: "or", of };
}
