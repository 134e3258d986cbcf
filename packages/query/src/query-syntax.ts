import { invalidField, type Problem } from "@kit/problem";
import type { Pattern } from "./condition.ts";

/** A token of a query, with the position of its first character and the position after its last. */
export type Token = { place: number; end: number } & (
  | { kind: Mark | Operator | "end" }
  /** A name and its colon. */
  | { kind: "field"; name: string }
  | { kind: "sign"; sign: Sign }
  | ({ kind: "value" } & Value)
);

type Mark = "(" | ")" | "[" | "]" | "{" | "}";
export type Sign = ">=" | ">" | "<=" | "<";
export type Operator = "AND" | "OR" | "NOT" | "TO";

export interface Value {
  pattern: Pattern;
  /** Within quotes no character has a special meaning. */
  isQuoted: boolean;
}

export const SIGNS: readonly Sign[] = [">=", ">", "<=", "<"];
const MAX_CHARACTERS = 4096;
// A backslash before any other character is literal, so that most Windows paths need no escaping.
const ESCAPABLE = /[\s\\"():*?[\]{}<>]/;

/** Where in the text a query is wrong, in UTF-16 units, and why: the cause of its Problem. */
export interface QueryFault {
  reason: string;
  place: number;
}

/** The position and the reason of a syntax error. Characters are counted from 1. */
export function refusal(text: string, place: number, reason: string): Problem {
  const cause: QueryFault = { reason, place };
  return invalidField("query", `${reason}, at character ${Array.from(text.slice(0, place)).length + 1}`, { cause });
}

/** The tokens of a query; the last one is its end. */
export function tokenize(query: string): Token[] {
  // A lone surrogate is stored as U+FFFD, so the query must search for U+FFFD.
  const text = query.replaceAll(/\p{Surrogate}/gu, "\ufffd");
  if (text.length > MAX_CHARACTERS) {
    throw refusal(text, MAX_CHARACTERS, `it must have at most ${MAX_CHARACTERS} characters`);
  }
  const reader: Reader = { text, tokens: [], place: 0, isRange: false };
  skipSpace(reader);
  while (reader.place < text.length) {
    reader.tokens.push(readToken(reader));
    skipSpace(reader);
  }
  return [...reader.tokens, { kind: "end", place: text.length, end: text.length }];
}

interface Reader {
  readonly text: string;
  readonly tokens: Token[];
  place: number;
  /** Between the brackets of a range, where a bracket ends a word. */
  isRange: boolean;
}

function skipSpace(reader: Reader): void {
  while (/\s/.test(reader.text.charAt(reader.place))) reader.place += 1;
}

function readToken(reader: Reader): Token {
  const { text, place } = reader;
  const character = text.charAt(place);
  if (character === '"') return readQuoted(reader);
  if (isMark(reader, character)) {
    reader.isRange = character === "[" || character === "{";
    reader.place += 1;
    return { kind: character, place, end: reader.place };
  }
  const sign = isAfter(reader, "field") ? SIGNS.find((each) => text.startsWith(each, place)) : undefined;
  if (!sign) return readWord(reader);
  reader.place += sign.length;
  return { kind: "sign", sign, place, end: reader.place };
}

function isMark(reader: Reader, character: string): character is Mark {
  if (character === "(" || character === ")") return true;
  if (character === "[" || character === "{") return isAfter(reader, "field");
  return reader.isRange && (character === "]" || character === "}");
}

/** Whether the current position directly follows such a token, without a space. */
function isAfter({ tokens, place }: Reader, ...kinds: Token["kind"][]): boolean {
  const last = tokens.at(-1);
  return last !== undefined && kinds.includes(last.kind) && last.end === place;
}

function readQuoted(reader: Reader): Token {
  const { text, place } = reader;
  let value = "";
  for (let at = place + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      reader.place = at + 1;
      if (/[^\s()[\]{}]/.test(text.charAt(at + 1))) throw refusal(text, at + 1, "a space is missing after the quotes");
      return { kind: "value", pattern: [{ text: value }], isQuoted: true, place, end: at + 1 };
    }
    const escaped = character === "\\" ? escapedAt(text, at) : undefined;
    if (escaped !== undefined) at += 1;
    value += escaped ?? character;
  }
  throw refusal(text, place, "the quotes are not closed");
}

function escapedAt(text: string, backslash: number): string | undefined {
  const next = text.charAt(backslash + 1);
  return ESCAPABLE.test(next) ? next : undefined;
}

function readWord(reader: Reader): Token {
  const { text, place, isRange } = reader;
  const isValue = isRange || isAfter(reader, "field", "sign");
  const pattern: Pattern[number][] = [];
  for (; reader.place < text.length && !endsWord(reader); reader.place += 1) {
    const character = text.charAt(reader.place);
    if (character === '"') throw refusal(text, reader.place, "a space is missing before the quotes");
    if (character === ":" && !isValue && reader.place > place && text.charAt(place) !== ":") {
      reader.place += 1;
      return { kind: "field", name: toFieldName(text, place, pattern), place, end: reader.place };
    }
    pattern.push(readCharacter(reader));
  }
  const end = reader.place;
  const operator = findOperator(text.slice(place, end), isRange);
  if (operator && (isRange || !isValue)) return { kind: operator, place, end };
  return { kind: "value", pattern, isQuoted: false, place, end };
}

function endsWord({ text, place, isRange }: Reader): boolean {
  const character = text.charAt(place);
  return /[\s()]/.test(character) || (isRange && (character === "]" || character === "}"));
}

function readCharacter(reader: Reader): Pattern[number] {
  const { text, place } = reader;
  const character = text.charAt(place);
  if (character === "*") return { wildcard: "any" };
  if (character === "?") return { wildcard: "one" };
  const escaped = character === "\\" ? escapedAt(text, place) : undefined;
  if (escaped !== undefined) reader.place += 1;
  return { text: escaped ?? character };
}

function toFieldName(text: string, place: number, pattern: Pattern): string {
  return pattern
    .map((part) => {
      if ("text" in part) return part.text;
      throw refusal(text, place, "the name of a field cannot have wildcards");
    })
    .join("");
}

function findOperator(word: string, isRange: boolean): Operator | undefined {
  const operators: readonly Operator[] = isRange ? ["TO"] : ["AND", "OR", "NOT"];
  return operators.find((each) => each === word);
}
