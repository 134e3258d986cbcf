import type { Condition, Pattern } from "@kit/query/condition";
import { hasCase, lowerPattern, plainTextOf, simplify, toLike } from "@kit/query/condition-pattern";
import type { Parameters } from "./condition-sql-values.ts";

type TextTest = Pick<Extract<Condition, { kind: "text" }>, "pattern" | "isCased">;

// multiSearchAny accepts fewer than 2^8 texts.
const SEARCH_BATCH_SIZE = 255;

/** The texts of a list by the way in which they are compared; each way needs one expression for many texts. */
interface Lists {
  whole: string[];
  within: string[];
  /** By length in bytes. */
  starts: Map<number, string[]>;
  ends: Map<number, string[]>;
  others: Pattern[];
}

/**
 * Tests whether a text matches one of the patterns. Lists of values become set lookups: the engine needs seconds to plan a
 * thousand alternatives, and milliseconds to plan a list of a thousand texts.
 */
export function buildTextTests(text: string, wanted: readonly TextTest[], parameters: Parameters): string[] {
  const exact: Pattern[] = [];
  const folded: Pattern[] = [];
  for (const { pattern, isCased } of wanted) {
    // Without letters, the pattern is compared with the column itself, so that an index on the column can be used.
    if (isCased || !hasCase(pattern)) exact.push(pattern);
    else folded.push(lowerPattern(pattern));
  }
  return [
    ...buildListTests(text, splitByWay(exact), parameters),
    ...buildListTests(`lowerUTF8(${text})`, splitByWay(folded), parameters),
  ];
}

function splitByWay(patterns: readonly Pattern[]): Lists {
  const lists: Lists = { whole: [], within: [], starts: new Map(), ends: new Map(), others: [] };
  for (const pattern of patterns) {
    const plain = plainTextOf(pattern);
    if (plain === undefined) sortIn(simplify(pattern), lists);
    else lists.whole.push(plain);
  }
  return lists;
}

function sortIn(pattern: Pattern, lists: Lists): void {
  const shape = pattern.map((part) => ("text" in part ? "text" : part.wildcard)).join(" ");
  const text = pattern.map((part) => ("text" in part ? part.text : "")).join("");
  switch (shape) {
    case "any text any":
      lists.within.push(text);
      break;
    case "text any":
      addByLength(lists.starts, text);
      break;
    case "any text":
      addByLength(lists.ends, text);
      break;
    default:
      lists.others.push(pattern);
  }
}

function addByLength(byLength: Map<number, string[]>, text: string): void {
  const length = Buffer.byteLength(text);
  const texts = byLength.get(length);
  if (texts) texts.push(text);
  else byLength.set(length, [text]);
}

function buildListTests(subject: string, lists: Lists, parameters: Parameters): string[] {
  const like = (pattern: Pattern) => `${subject} LIKE ${parameters.add(toLike(pattern), "String")}`;
  const [only, ...more] = lists.whole;
  const isOne = only !== undefined && more.length === 0;
  return [
    ...(isOne ? [`${subject} = ${parameters.add(only, "String")}`] : buildLookup(subject, lists.whole, parameters)),
    ...buildSearches(subject, lists.within, parameters, like),
    ...[...lists.starts].flatMap(([length, texts]) =>
      texts.length === 1
        ? texts.map((each) => like([{ text: each }, { wildcard: "any" }]))
        : buildLookup(`substring(${subject}, 1, ${parameters.add(length, "Int64")})`, texts, parameters),
    ),
    ...[...lists.ends].flatMap(([length, texts]) =>
      texts.length === 1
        ? texts.map((each) => like([{ wildcard: "any" }, { text: each }]))
        : buildLookup(`substring(${subject}, ${parameters.add(-length, "Int64")})`, texts, parameters),
    ),
    ...lists.others.map(like),
  ];
}

function buildLookup(subject: string, texts: readonly string[], parameters: Parameters): string[] {
  return texts.length === 0 ? [] : [`${subject} IN ${parameters.addList(texts)}`];
}

function buildSearches(
  subject: string,
  texts: readonly string[],
  parameters: Parameters,
  like: (pattern: Pattern) => string,
): string[] {
  if (texts.length < 2) return texts.map((text) => like([{ wildcard: "any" }, { text }, { wildcard: "any" }]));
  const batches = Array.from({ length: Math.ceil(texts.length / SEARCH_BATCH_SIZE) }, (_, at) =>
    texts.slice(at * SEARCH_BATCH_SIZE, (at + 1) * SEARCH_BATCH_SIZE),
  );
  return batches.map((batch) => `multiSearchAny(${subject}, ${parameters.addList(batch)})`);
}
