import { invalidField, Problem } from "@kit/problem";
import { bothCases, NAMED_RANGES, normalRanges, otherThan, type Range } from "./condition-regex-set.ts";

export type Edge = "start" | "end" | "line start" | "line end" | "word";

/** A parsed regular expression in its simplest form: no look-around, no back-reference, no capture. */
export type Regex =
  | { kind: "set"; ranges: readonly Range[] }
  | { kind: "sequence" | "choice"; of: readonly Regex[] }
  | { kind: "repeat"; of: Regex; min: number; max: number | undefined }
  | { kind: "edge"; edge: Edge };

export interface RegexFlags {
  isCased: boolean;
  isMultiline: boolean;
  dotAll: boolean;
}

const MAX_SOURCE = 4096;
const MAX_DEPTH = 64;
const MAX_REPEAT = 1000;
const MAX_SIZE = 5000;

/** Returns why a regular expression is refused; undefined if both back ends support it. */
export function checkRegex(source: string): string | undefined {
  try {
    parseRegex(source, { isCased: true, isMultiline: false, dotAll: false });
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

/**
 * Parses the syntax that means the same in PCRE, RE2 and JavaScript. Each back end receives the tree in its own syntax,
 * so that dialects make no difference: classes are ASCII, and a line ends with a line feed.
 */
export function parseRegex(source: string, flags: RegexFlags): Regex {
  if (source.length > MAX_SOURCE) {
    throw invalidField("regex", `must have at most ${MAX_SOURCE} characters`);
  }
  const regex = readAll({ source, place: 0, depth: 0, flags });
  if (sizeOf(regex) > MAX_SIZE) throw invalidField("regex", "is too large once its repetitions are expanded");
  return regex;
}

/** The number of steps after all repetitions are expanded. */
function sizeOf(regex: Regex): number {
  switch (regex.kind) {
    case "set":
    case "edge":
      return 1;
    case "sequence":
    case "choice":
      return regex.of.reduce((size, each) => size + sizeOf(each), 1);
    case "repeat":
      return 1 + sizeOf(regex.of) * Math.max(1, regex.max ?? regex.min + 1);
    default:
      return regex satisfies never;
  }
}

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["t", 0x09],
  ["n", 0x0a],
  ["v", 0x0b],
  ["f", 0x0c],
  ["r", 0x0d],
  ["a", 0x07],
  ["e", 0x1b],
]);

const EDGES: ReadonlyMap<string, Edge> = new Map([
  ["A", "start"],
  ["z", "end"],
  ["Z", "end"],
  ["b", "word"],
]);

const GROUP_START = /\(\?(?:P?<[A-Za-z_]\w*>|(?<flags>[ims]*(?:-[ims]+)?)(?<end>[:)]))/y;
const COUNT = /\{(?<min>\d+)(?:(?<comma>,)(?<max>\d+)?)?\}/y;
const HEX = /x(?:(?<two>[0-9A-Fa-f]{2})|\{(?<more>[0-9A-Fa-f]{1,6})\})|u(?<four>[0-9A-Fa-f]{4})/y;

interface Reader {
  readonly source: string;
  place: number;
  depth: number;
  flags: RegexFlags;
}

function readAll(reader: Reader): Regex {
  const regex = readChoice(reader);
  if (reader.place < reader.source.length) throw refusal(reader, "a closing parenthesis has no opening one");
  return regex;
}

function readChoice(reader: Reader): Regex {
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw refusal(reader, `groups are nested more than ${MAX_DEPTH} deep`);
  const { flags } = reader;
  const choices = [readSequence(reader)];
  while (take(reader, "|")) choices.push(readSequence(reader));
  reader.flags = flags;
  reader.depth -= 1;
  return choices.length === 1 && choices[0] ? choices[0] : { kind: "choice", of: choices };
}

function readSequence(reader: Reader): Regex {
  const parts: Regex[] = [];
  while (reader.place < reader.source.length && next(reader) !== "|" && next(reader) !== ")") {
    const part = readPart(reader);
    if (part) parts.push(readRepeat(reader, part));
  }
  return parts.length === 1 && parts[0] ? parts[0] : { kind: "sequence", of: parts };
}

/** Undefined for a group that only sets flags. */
function readPart(reader: Reader): Regex | undefined {
  const start = reader.place;
  const character = takeCharacter(reader);
  switch (character) {
    case "(":
      reader.place = start;
      return readGroup(reader);
    case "[":
      return { kind: "set", ranges: readClass(reader) };
    case ".":
      return { kind: "set", ranges: reader.flags.dotAll ? otherThan([]) : otherThan([[0x0a, 0x0a]]) };
    case "^":
      return { kind: "edge", edge: reader.flags.isMultiline ? "line start" : "start" };
    case "$":
      return { kind: "edge", edge: reader.flags.isMultiline ? "line end" : "end" };
    case "\\":
      return readEscape(reader);
    case "*":
    case "+":
    case "?":
      throw refusalAt(reader, start, `'${character}' has nothing to repeat`);
    default:
      return buildSet(reader, single(character));
  }
}

function readGroup(reader: Reader): Regex | undefined {
  const opened = reader.place;
  const match = takeMatch(reader, GROUP_START);
  const { flags } = reader;
  if (match) {
    reader.flags = withFlags(flags, match.groups?.flags ?? "");
    // A group that only sets flags applies to the rest of its enclosing group.
    if (match.groups?.end === ")") return undefined;
  } else {
    if (reader.source.startsWith("(?", reader.place))
      throw refusal(reader, groupReason(reader.source.slice(reader.place)));
    reader.place += 1;
  }
  const regex = readChoice(reader);
  reader.flags = flags;
  if (!take(reader, ")")) {
    throw refusalAt(reader, opened, "a parenthesis is not closed");
  }
  return regex;
}

function readRepeat(reader: Reader, part: Regex): Regex {
  const start = reader.place;
  const counts = readCounts(reader);
  if (!counts) return part;
  const { min, max } = counts;
  const isTooMany = min > MAX_REPEAT || (max ?? 0) > MAX_REPEAT;
  if (isTooMany || (max !== undefined && max < min) || part.kind === "edge") {
    throw refusalAt(
      reader,
      start,
      part.kind === "edge" ? "an edge cannot be repeated" : `a repetition must be from 0 to ${MAX_REPEAT}`,
    );
  }
  if (take(reader, "?")) return { kind: "repeat", of: part, min, max };
  if (next(reader) === "+") throw refusal(reader, "a possessive quantifier is not supported");
  if (next(reader) === "*" || takeMatch(reader, COUNT)) throw refusal(reader, "a quantifier follows another one");
  return { kind: "repeat", of: part, min, max };
}

function readCounts(reader: Reader): { min: number; max: number | undefined } | undefined {
  if (take(reader, "*")) return { min: 0, max: undefined };
  if (take(reader, "+")) return { min: 1, max: undefined };
  if (take(reader, "?")) return { min: 0, max: 1 };
  const match = takeMatch(reader, COUNT);
  if (!match) return undefined;
  const { min = "0", comma, max } = match.groups ?? {};
  if (comma === undefined) return { min: Number(min), max: Number(min) };
  return { min: Number(min), max: max === undefined ? undefined : Number(max) };
}

function readEscape(reader: Reader): Regex {
  const start = reader.place - 1;
  const letter = next(reader) ?? "";
  const edge = EDGES.get(letter);
  if (edge) {
    reader.place += 1;
    return { kind: "edge", edge };
  }
  const named = NAMED_RANGES.get(letter);
  if (named) {
    reader.place += 1;
    return { kind: "set", ranges: named };
  }
  return buildSet(reader, single(String.fromCodePoint(readEscapedCode(reader, start))));
}

function readEscapedCode(reader: Reader, start: number): number {
  const hex = takeMatch(reader, HEX);
  const digits = hex?.groups?.two ?? hex?.groups?.more ?? hex?.groups?.four;
  const code = digits === undefined ? undefined : Number.parseInt(digits, 16);
  if (code !== undefined && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return code;
  if (code !== undefined) throw refusalAt(reader, start, "the character does not exist");
  const letter = takeCharacter(reader);
  const control = CONTROLS.get(letter);
  if (control !== undefined) return control;
  if (letter === "" || /[0-9A-Za-z]/.test(letter)) {
    throw refusalAt(reader, start, escapeReason(letter));
  }
  return letter.codePointAt(0) ?? 0;
}

function readClass(reader: Reader): Range[] {
  const opened = reader.place - 1;
  const isOther = take(reader, "^");
  const ranges: Range[] = [];
  for (let isFirst = true; isFirst || next(reader) !== "]"; isFirst = false) {
    if (reader.place >= reader.source.length) {
      throw refusalAt(reader, opened, "a class is not closed");
    }
    if (reader.source.startsWith("[:", reader.place)) throw refusal(reader, "a POSIX class is not supported");
    ranges.push(...readClassPart(reader));
  }
  reader.place += 1;
  const cased = reader.flags.isCased ? normalRanges(ranges) : bothCases(ranges);
  return isOther ? otherThan(cased) : cased;
}

function readClassPart(reader: Reader): readonly Range[] {
  const start = reader.place;
  const first = readClassCharacter(reader);
  if (typeof first !== "number") return first;
  const isRange =
    next(reader) === "-" && reader.place + 1 < reader.source.length && reader.source[reader.place + 1] !== "]";
  if (!isRange) return [[first, first]];
  reader.place += 1;
  const last = readClassCharacter(reader);
  if (typeof last !== "number" || last < first) {
    throw refusalAt(reader, start, "a range of a class must go from a lower to a higher character");
  }
  return [[first, last]];
}

function readClassCharacter(reader: Reader): number | readonly Range[] {
  const start = reader.place;
  const character = takeCharacter(reader);
  if (character !== "\\") return character.codePointAt(0) ?? 0;
  const letter = next(reader) ?? "";
  const named = NAMED_RANGES.get(letter);
  if (named) reader.place += 1;
  return named ?? readEscapedCode(reader, start);
}

function buildSet(reader: Reader, ranges: readonly Range[]): Regex {
  return { kind: "set", ranges: reader.flags.isCased ? ranges : bothCases(ranges) };
}

function next(reader: Reader): string | undefined {
  return reader.source[reader.place];
}

function take(reader: Reader, character: string): boolean {
  const isNext = next(reader) === character;
  if (isNext) reader.place += 1;
  return isNext;
}

function takeCharacter(reader: Reader): string {
  const code = reader.source.codePointAt(reader.place);
  if (code === undefined) return "";
  const character = String.fromCodePoint(code);
  reader.place += character.length;
  return character;
}

function takeMatch(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.place;
  const match = pattern.exec(reader.source);
  if (match) reader.place = pattern.lastIndex;
  return match;
}

function refusal(reader: Reader, reason: string): Problem {
  return refusalAt(reader, reader.place, reason);
}

function refusalAt({ source }: Reader, place: number, reason: string): Problem {
  return invalidField("regex", `${reason}, at character ${Array.from(source.slice(0, place)).length + 1}`);
}

function single(character: string): Range[] {
  const code = character.codePointAt(0) ?? 0;
  return [[code, code]];
}

function withFlags(flags: RegexFlags, letters: string): RegexFlags {
  const [on = "", off = ""] = letters.split("-");
  const isOn = (letter: string, now: boolean) => (on.includes(letter) || now) && !off.includes(letter);
  return {
    isCased: !isOn("i", !flags.isCased),
    isMultiline: isOn("m", flags.isMultiline),
    dotAll: isOn("s", flags.dotAll),
  };
}

function groupReason(rest: string): string {
  if (/^\(\?<?[=!]/.test(rest)) return "look-around is not supported";
  if (rest.startsWith("(?>")) return "an atomic group is not supported";
  if (rest.startsWith("(?P=")) return "a back-reference is not supported";
  return "this kind of group is not supported";
}

function escapeReason(letter: string): string {
  if (letter === "") return "a backslash has nothing to escape";
  if (/[0-9k]/.test(letter)) return "a back-reference is not supported";
  return `the escape '\\${letter}' is not supported`;
}
