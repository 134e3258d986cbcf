import type { Condition, Field, Pattern } from "@kit/query/condition";
import { splitWords } from "@kit/query/condition-words";
import { findRegexLiterals } from "./stream-matcher-regex.ts";

/** A text that a field must contain for a condition to match; "" if the field only has to exist. */
export interface Need {
  field: Field;
  /** Lower-case ASCII, or `BEYOND_ASCII`. */
  text: string;
}

/** Represents any non-ASCII character. The index only knows whether a text contains such a character. */
export const BEYOND_ASCII = "\u0080";

/** A condition matches only if one of the needs is met; a higher worth means that this is rarer. */
interface Needs {
  needs: readonly Need[];
  worth: number;
}

const MAX_TEXT_LENGTH = 32;
const MAX_NEEDS = 3000;
const MESSAGE: Field = { name: "message" };
const RAW: Field = { name: "raw" };

/**
 * What an event must contain for the condition to match, as far as an index can decide; undefined if nothing is
 * required.
 */
export function findNeeds(condition: Condition, worthOf: (need: Need) => number): readonly Need[] | undefined {
  return required(condition, worthOf)?.needs;
}

function required(condition: Condition, worthOf: (need: Need) => number): Needs | undefined {
  // A built-in field always exists, even if it is "".
  const one = (field: Field, text: string) =>
    text === "" && "name" in field ? undefined : weighed([{ field, text }], worthOf);
  switch (condition.kind) {
    case "and":
      return pickRarest(condition.of.map((each) => required(each, worthOf)));
    case "or":
      return combineAlternatives(condition.of.map((each) => required(each, worthOf)));
    case "none":
      return { needs: [], worth: Number.POSITIVE_INFINITY };
    case "text":
      return pickRarest([
        one(condition.field, longestText(condition.pattern)),
        isBeyondAscii(condition) ? one(condition.field, BEYOND_ASCII) : undefined,
      ]);
    case "anywhere":
      return combineAlternatives([MESSAGE, RAW].map((field) => one(field, longestText(condition.pattern))));
    case "words":
      return combineAlternatives(
        (condition.isMessageOnly ? [MESSAGE] : [MESSAGE, RAW]).map((field) =>
          one(field, findLongest(splitWords(condition.words.join(" ")).flatMap(asciiRuns))),
        ),
      );
    case "regex": {
      const texts = findRegexLiterals(condition) ?? [""];
      return combineAlternatives(texts.map((text) => one(condition.field, findLongest(asciiRuns(text)))));
    }
    case "number":
    case "network":
    case "exists":
    case "same":
      return one(condition.field, "");
    case "all":
    case "not":
    case "instant":
      return undefined;
    default:
      return condition satisfies never;
  }
}

function weighed(needs: readonly Need[], worthOf: (need: Need) => number): Needs {
  return { needs, worth: Math.min(...needs.map(worthOf)) };
}

/** All needs must be met, so testing the rarest one is enough. */
function pickRarest(all: readonly (Needs | undefined)[]): Needs | undefined {
  let best: Needs | undefined;
  for (const needs of all) if (needs && (best === undefined || needs.worth > best.worth)) best = needs;
  return best;
}

function combineAlternatives(all: readonly (Needs | undefined)[]): Needs | undefined {
  const known = all.filter((needs) => needs !== undefined);
  const needs = known.flatMap((each) => each.needs);
  if (known.length < all.length || needs.length > MAX_NEEDS) return undefined;
  return { needs, worth: Math.min(...known.map(({ worth }) => worth)) };
}

/** Whether the pattern requires a character that remains non-ASCII in lower case, in which texts are compared. */
function isBeyondAscii({ pattern, isCased }: Extract<Condition, { kind: "text" }>): boolean {
  return pattern.some((piece) => "text" in piece && /[^\0-\x7f]/.test(isCased ? piece.text : piece.text.toLowerCase()));
}

function longestText(pattern: Pattern): string {
  return findLongest(pattern.flatMap((piece) => ("text" in piece ? asciiRuns(piece.text) : [])));
}

/**
 * The parts of a text that vary only by the case of ASCII letters. The lower case of a non-ASCII letter depends on its
 * neighbours, so the index omits these letters, as well as control characters.
 */
function asciiRuns(text: string): string[] {
  return text.split(/[^ -~]+/).map((run) => run.toLowerCase());
}

function findLongest(texts: readonly string[]): string {
  const longest = texts.reduce((best, text) => (text.length > best.length ? text : best), "");
  // Paths often share their beginning and differ at the end.
  return longest.slice(-MAX_TEXT_LENGTH);
}

/** Every text that the condition searches for, outside negations. */
export function listTexts(condition: Condition): Need[] {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.flatMap(listTexts);
  return condition.kind === "text" ? [{ field: condition.field, text: longestText(condition.pattern) }] : [];
}
