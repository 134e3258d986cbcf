import type { Condition } from "@kit/query/condition";
import { parseRegex, type Regex } from "../../logs/module.ts";

import { rarityOf } from "./text-rarity.ts";

const MAX_TEXTS = 50;

/** Texts of which every match of the expression contains at least one, ignoring case; undefined if there are none. */
export function findRegexLiterals({ source, ...flags }: Extract<Condition, { kind: "regex" }>): string[] | undefined {
  return findLiterals(parseRegex(source, flags));
}

function findLiterals(regex: Regex): string[] | undefined {
  switch (regex.kind) {
    case "set":
      return undefined;
    case "edge":
      return undefined;
    case "choice":
      return combineAlternatives(regex.of.map(findLiterals));
    case "repeat":
      return regex.min > 0 ? findLiterals(regex.of) : undefined;
    case "sequence":
      return pickRarest([...findRuns(regex.of).map((run) => [run]), ...regex.of.map(findLiterals)]);
    default:
      return regex satisfies never;
  }
}

/** Sequences of single characters. */
function findRuns(parts: readonly Regex[]): string[] {
  const runs = [""];
  for (const part of parts) {
    const character = toSingleCharacter(part);
    if (character === undefined) runs.push("");
    else runs.push((runs.pop() ?? "") + character);
  }
  return runs.filter((run) => run !== "");
}

/** The only ASCII character that the set matches, ignoring case. */
function toSingleCharacter(regex: Regex): string | undefined {
  if (regex.kind !== "set") return undefined;
  const codes = regex.ranges.flatMap(([first, last]) => (first === last ? [first] : [first, last, Number.NaN]));
  const letters = new Set(codes.map((code) => (code < 128 ? String.fromCharCode(code).toLowerCase() : "")));
  const [letter = ""] = letters;
  return letters.size === 1 && letter !== "" ? letter : undefined;
}

function combineAlternatives(all: readonly (string[] | undefined)[]): string[] | undefined {
  const known = all.filter((texts) => texts !== undefined);
  const texts = [...new Set(known.flat())];
  return known.length < all.length || texts.length > MAX_TEXTS ? undefined : texts;
}

/** The alternative whose most frequent text is the rarest. */
function pickRarest(all: readonly (string[] | undefined)[]): string[] | undefined {
  let best: string[] | undefined;
  for (const texts of all) if (texts && rarityIn(texts) > (best ? rarityIn(best) : 0)) best = texts;
  return best;
}

function rarityIn(texts: readonly string[]): number {
  return Math.min(...texts.map(rarityOf));
}
