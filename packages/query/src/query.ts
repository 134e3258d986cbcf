import type { Condition, Field } from "./condition.ts";
import { toAttributeName } from "./condition-field.ts";
import { FIELD_KINDS, isLogField } from "./log-field.ts";
import { findNearest } from "./query-nearest.ts";
import { refusal, type Token, tokenize, type Value } from "./query-syntax.ts";
import { comparisonTerm, fieldTerm, freeTerm, type RangeBound, rangeTerm, type TermContext } from "./query-terms.ts";

export interface QueryOptions {
  /** The value of `now`. A stored query, such as that of a rule, has none and cannot use relative times. */
  now?: Date;
  /** The fields of a record that is not a log, by their names in a query; they replace the fields of a log. */
  fields?: ReadonlyMap<string, Field>;
}

const MAX_DEPTH = 32;
const MAX_TERMS = 256;
const ATTRIBUTES = "attributes.";

/** Parses a query into a condition. An empty query matches everything. */
export function parseQuery(text: string, { now, fields }: QueryOptions = {}): Condition {
  const tokens = tokenize(text);
  const parser: Parser = { text, tokens, at: 0, depth: 0, terms: 0, now: now?.getTime(), fields };
  if (peek(parser).kind === "end") return { kind: "all" };
  const condition = parseOr(parser, undefined);
  const rest = peek(parser);
  if (rest.kind !== "end") throw refuseAt(parser, rest.place, "a closing parenthesis has no opening one");
  return condition;
}

interface Parser {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly now: number | undefined;
  readonly fields: ReadonlyMap<string, Field> | undefined;
  at: number;
  depth: number;
  terms: number;
}

function peek({ tokens, at, text }: Parser): Token {
  return tokens[at] ?? { kind: "end", place: text.length, end: text.length };
}

function take(parser: Parser): Token {
  const token = peek(parser);
  parser.at += 1;
  return token;
}

function refuseAt({ text }: Parser, place: number, reason: string) {
  return refusal(text, place, reason);
}

/** Within the parentheses of `field:(…)` every value belongs to that field. */
function parseOr(parser: Parser, field: Field | undefined): Condition {
  const of = [parseAnd(parser, field)];
  while (peek(parser).kind === "OR") {
    take(parser);
    of.push(parseAnd(parser, field));
  }
  return joined("or", of);
}

function parseAnd(parser: Parser, field: Field | undefined): Condition {
  const of = [parseNot(parser, field)];
  for (let { kind } = peek(parser); kind !== "OR" && kind !== ")" && kind !== "end"; { kind } = peek(parser)) {
    if (kind === "AND") take(parser);
    of.push(parseNot(parser, field));
  }
  return joined("and", withWordsTogether(of));
}

function parseNot(parser: Parser, field: Field | undefined): Condition {
  const { kind, place } = peek(parser);
  if (kind !== "NOT") return parseTerm(parser, field);
  take(parser);
  return { kind: "not", of: nested(parser, place, () => parseNot(parser, field)) };
}

function parseTerm(parser: Parser, field: Field | undefined): Condition {
  const token = take(parser);
  const { kind, place } = token;
  if (kind === "(") return parseGroup(parser, place, field);
  if (kind === "value") {
    countTerm(parser, place);
    const context = contextAt(parser, place);
    return field ? fieldTerm(field, token, context) : freeTerm(token, context);
  }
  if (kind !== "field") {
    throw refuseAt(parser, place, `something to look for is missing${kind === "end" ? " at the end" : ""}`);
  }
  if (field) throw refuseAt(parser, place, "a field is not allowed among the values of another field");
  return parseField(parser, token);
}

function parseGroup(parser: Parser, opened: number, field: Field | undefined): Condition {
  const condition = nested(parser, opened, () => parseOr(parser, field));
  if (take(parser).kind !== ")") throw refuseAt(parser, opened, "a parenthesis is not closed");
  return condition;
}

function nested(parser: Parser, place: number, parse: () => Condition): Condition {
  parser.depth += 1;
  if (parser.depth > MAX_DEPTH) throw refuseAt(parser, place, `it is nested more than ${MAX_DEPTH} deep`);
  const condition = parse();
  parser.depth -= 1;
  return condition;
}

function countTerm(parser: Parser, place: number): void {
  parser.terms += 1;
  if (parser.terms > MAX_TERMS) throw refuseAt(parser, place, `it has more than ${MAX_TERMS} terms`);
}

function contextAt(parser: Parser, place: number): TermContext {
  return { now: parser.now, refuse: (reason) => refuseAt(parser, place, reason) };
}

function parseField(parser: Parser, token: Extract<Token, { kind: "field" }>): Condition {
  const field = resolveField(parser, token);
  const next = takeBeside(parser, token);
  if (next.kind === "(") return parseGroup(parser, next.place, field);
  countTerm(parser, next.place);
  if (next.kind === "value") return fieldTerm(field, next, contextAt(parser, next.place));
  if (next.kind === "[" || next.kind === "{") return parseRange(parser, field, next);
  if (next.kind !== "sign") throw refuseAt(parser, token.end, "a value is missing");
  const value = valueIn(parser, takeBeside(parser, next));
  return comparisonTerm(field, next.sign, value, contextAt(parser, next.end));
}

/** The next token, which must follow directly, without a space. */
function takeBeside(parser: Parser, { end }: Token): Token {
  const next = take(parser);
  if (next.place !== end || next.kind === "end") throw refuseAt(parser, end, "a value is missing");
  return next;
}

function valueIn(parser: Parser, token: Token): Value {
  if (token.kind !== "value") throw refuseAt(parser, token.place, "a value is missing");
  return token;
}

function parseRange(parser: Parser, field: Field, opening: Token): Condition {
  const from = take(parser);
  const fromValue = valueIn(parser, from);
  const separator = take(parser);
  if (separator.kind !== "TO") throw refuseAt(parser, separator.place, "a range must be written as [from TO to]");
  const to = take(parser);
  const toValue = valueIn(parser, to);
  const closing = take(parser);
  if (closing.kind !== "]" && closing.kind !== "}") throw refuseAt(parser, opening.place, "the range is not closed");
  const buildBound = (value: Value, place: number, isIncluded: boolean): RangeBound => ({
    value,
    context: contextAt(parser, place),
    isIncluded,
  });
  return rangeTerm(
    field,
    buildBound(fromValue, from.place, opening.kind === "["),
    buildBound(toValue, to.place, closing.kind === "]"),
  );
}

function resolveField(parser: Parser, { name, place }: Extract<Token, { kind: "field" }>): Field {
  const { fields } = parser;
  const given = fields?.get(name);
  if (given) return given;
  if (!fields && isLogField(name)) return { name };
  if (!fields && name.startsWith(ATTRIBUTES)) return parseAttribute(parser, name.slice(ATTRIBUTES.length), place);
  const nearest = findNearest(name, fields ? [...fields.keys()] : [...Object.keys(FIELD_KINDS), "attributes."]);
  const hint = nearest === undefined ? "a text with a colon needs quotes" : `the closest is '${nearest}'`;
  throw refuseAt(parser, place, `there is no field '${name}' (${hint})`);
}

function parseAttribute(parser: Parser, path: string, place: number): Field {
  const attribute = path.split(".");
  try {
    toAttributeName(attribute);
  } catch (error) {
    throw refuseAt(parser, place, error instanceof Error ? error.message : "attributes: the name is not known");
  }
  return { attribute };
}

function joined(kind: "and" | "or", of: readonly Condition[]): Condition {
  const flat = of.flatMap((each) => (each.kind === kind ? each.of : [each]));
  return flat.length === 1 && flat[0] ? flat[0] : { kind, of: flat };
}

/** Words that must all occur are looked up together. */
function withWordsTogether(of: readonly Condition[]): Condition[] {
  const flat = of.flatMap((each) => (each.kind === "and" ? each.of : [each]));
  const words = flat.flatMap((each) => (isFreeWords(each) ? each.words : []));
  const rest = flat.filter((each) => !isFreeWords(each));
  return words.length === 0 ? rest : [{ kind: "words", words: [...new Set(words)] }, ...rest];
}

function isFreeWords(condition: Condition): condition is Extract<Condition, { kind: "words" }> {
  return condition.kind === "words" && !condition.isMessageOnly;
}
