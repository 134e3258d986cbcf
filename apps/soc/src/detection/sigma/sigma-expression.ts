import { invalidField, type Problem } from "@kit/problem";
import type { Condition } from "@kit/query/condition";

const TOKEN = /[()|]|[^\s()|]+/g;
const MAX_CHARACTERS = 5000;
const MAX_DEPTH = 50;
const MAX_STARS = 2;
const QUANTITIES = new Set(["1", "any", "all"]);

/**
 * Parses the condition over the selections of a rule: and, or, not, parentheses, "1 of name*", "all of them". Throws a
 * refusal that names the unsupported part.
 */
export function parseExpression(text: string, selections: ReadonlyMap<string, Condition>): Condition {
  const tokens = tokenize(text);
  const reader: Reader = { peek: () => tokens[0], take: () => tokens.shift(), selections, depth: 0 };
  const condition = readOr(reader);
  const left = reader.peek();
  if (left !== undefined) throw refused(`expected and, or, or the end but found '${left}'`);
  return condition;
}

interface Reader {
  peek(): string | undefined;
  take(): string | undefined;
  selections: ReadonlyMap<string, Condition>;
  depth: number;
}

function tokenize(text: string): string[] {
  if (text.length > MAX_CHARACTERS) throw refused(`is longer than ${MAX_CHARACTERS} characters`);
  const tokens: string[] = text.match(TOKEN) ?? [];
  if (tokens.includes("|")) throw refused(`'${text.slice(text.indexOf("|")).trim()}': aggregations are not supported`);
  if (tokens.length === 0) throw refused("must not be empty");
  return tokens;
}

function readOr(reader: Reader): Condition {
  return readChain(reader, "or", () => readChain(reader, "and", () => readNot(reader)));
}

function readChain(reader: Reader, kind: "and" | "or", readNext: () => Condition): Condition {
  const of = [readNext()];
  while (reader.peek()?.toLowerCase() === kind) {
    reader.take();
    of.push(readNext());
  }
  return joined(kind, of);
}

function readNot(reader: Reader): Condition {
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw refused(`is nested more than ${MAX_DEPTH} deep`);
  const condition = reader.peek()?.toLowerCase() === "not" ? readNegation(reader) : readOperand(reader);
  reader.depth -= 1;
  return condition;
}

function readNegation(reader: Reader): Condition {
  reader.take();
  return { kind: "not", of: readNot(reader) };
}

function readOperand(reader: Reader): Condition {
  const token = reader.take();
  if (token === undefined) throw refused("expected the name of a selection but the condition ends");
  if (token === "(") {
    const inner = readOr(reader);
    if (reader.take() !== ")") throw refused("a parenthesis is not closed");
    return inner;
  }
  if (reader.peek()?.toLowerCase() === "of") return readQuantity(reader, token);
  const selection = reader.selections.get(token);
  if (selection === undefined) throw refused(`'${token}' is not a selection of this rule`);
  return selection;
}

function readQuantity(reader: Reader, quantity: string): Condition {
  reader.take();
  const name = reader.take() ?? "";
  if (!QUANTITIES.has(quantity.toLowerCase())) throw refused(`'${quantity} of' is not supported: 1, any or all of`);
  if (name.split("*").length - 1 > MAX_STARS) throw refused(`'${name}' has more than ${MAX_STARS} wildcards`);
  const isThem = name.toLowerCase() === "them";
  const fits = isThem ? /^[^_]/ : new RegExp(`^${name.split("*").map(escaped).join(".*")}$`);
  const of = [...reader.selections].filter(([each]) => fits.test(each)).map(([, selection]) => selection);
  if (of.length === 0) throw refused(`'${quantity} of ${name}' names no selection of this rule`);
  return joined(quantity.toLowerCase() === "all" ? "and" : "or", of);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A single condition needs no wrapper. */
export function joined(kind: "and" | "or", of: readonly Condition[]): Condition {
  const [first, ...rest] = of;
  if (first === undefined) return { kind: kind === "and" ? "all" : "none" };
  return rest.length === 0 ? first : { kind, of };
}

function refused(why: string): Problem {
  return invalidField("detection.condition", why);
}
