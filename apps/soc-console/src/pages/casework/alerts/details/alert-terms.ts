import { readTokens } from "../alert-filter.ts";

/** A part of a text; marked if it matches a search term. */
export interface MarkedPart {
  text: string;
  isMarked: boolean;
}

const MIN_LENGTH = 2;
const MAX_TERMS = 40;

/** The texts that a rule's query searches for: values without wildcards, longest first. */
export function listTerms(query: string): string[] {
  const values = (readTokens(query) ?? []).flatMap((token) => (token.kind === "value" ? [token.pattern] : []));
  const texts = values.flatMap(splitPattern).filter((text) => text.length >= MIN_LENGTH);
  return [...new Set(texts)].toSorted((a, b) => b.length - a.length).slice(0, MAX_TERMS);
}

/** `*powershell*` yields `powershell`; text between wildcards is one term each. */
function splitPattern(pattern: readonly ({ text: string } | { wildcard: string })[]): string[] {
  return pattern
    .map((part) => ("text" in part ? part.text : "\n"))
    .join("")
    .split("\n")
    .map((text) => text.trim());
}

/** Splits the text into matches of the terms, in any case, and the rest. */
export function markTerms(text: string, terms: readonly string[]): MarkedPart[] {
  const wanted = terms
    .filter((term) => term !== "")
    .map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (wanted.length === 0) return [{ text, isMarked: false }];
  return text
    .split(new RegExp(`(${wanted.join("|")})`, "giu"))
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}
