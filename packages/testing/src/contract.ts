import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What no test can check, and why. */
export type UncheckedQuotes = readonly (readonly [quoted: string, reason: string])[];

const LETTER = /[\p{L}\p{N}]/gu;
const CALL = /\bquote\(\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')\s*,?\s*\)/g;
const ANY_CALL = /\bquote\(/g;

/** A contract document. `quote` returns the text of a row or a sentence, and throws unless the document has it exactly once. */
export function openContract(path: URL) {
  const document = readFileSync(path, "utf8");
  return {
    document,
    quote: (text: string): string => {
      findOnce(document, text);
      return text;
    },
  };
}

/**
 * Every part of a contract document that no `quote("…")` in the sources of the folder covers and that is not declared unchecked.
 * Each word of a row, a list item or a paragraph counts; headings and the heads of tables state nothing.
 */
export function findUnquoted(document: string, folder: string, unchecked: UncheckedQuotes): string[] {
  return findUncovered(document, readQuotes(folder), unchecked);
}

export function findUncovered(document: string, quotes: readonly string[], unchecked: UncheckedQuotes): string[] {
  const checked = findCovered(document, quotes);
  const excused = findCovered(
    document,
    unchecked.map(([text]) => text),
  );
  const twice = unchecked
    .filter(([text]) => isWithin(checked, findOnce(document, text), text))
    .map(([text]) => `is checked, and need not be declared unchecked: ${text}`);
  return [...twice, ...findGaps(document, (at) => checked.has(at) || excused.has(at))];
}

/** The quotes of a source text. One that is computed would not be found here, so it is refused. */
export function parseQuotes(source: string, path: string): string[] {
  const calls = source.match(ANY_CALL) ?? [];
  const found = [...source.matchAll(CALL)];
  if (found.length !== calls.length) throw new Error(`${path}: quote() takes one string literal`);
  return found.map(([, double = "", single]) => (single ?? double).replaceAll(/\\(.)/g, "$1"));
}

function readQuotes(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => parseQuotes(readFileSync(join(folder, path), "utf8"), path));
}

function findOnce(document: string, text: string): number {
  const at = document.indexOf(text);
  if (at < 0 || text === "") throw new Error(`the document does not say: ${text}`);
  if (document.includes(text, at + 1)) throw new Error(`the document says more than once: ${text}`);
  return at;
}

function findCovered(document: string, quotes: readonly string[]): Set<number> {
  const covered = new Set<number>();
  for (const text of quotes) {
    const start = findOnce(document, text);
    for (let at = start; at < start + text.length; at += 1) covered.add(at);
  }
  return covered;
}

function isWithin(covered: ReadonlySet<number>, start: number, text: string): boolean {
  return Array.from(text, (_letter, at) => start + at).every((at) => covered.has(at));
}

function findGaps(document: string, isCovered: (at: number) => boolean): string[] {
  const lines = document.split("\n");
  const gaps: string[] = [];
  let start = 0;
  lines.forEach((line, i) => {
    const isHead = line.startsWith("#") || (line.startsWith("|") && (lines[i + 1] ?? "").startsWith("|---"));
    const from = start;
    const open = line.replaceAll(LETTER, (letter, at: number) => (isCovered(from + at) ? " " : letter));
    const first = open.search(LETTER);
    if (!isHead && first >= 0) gaps.push(`line ${i + 1}: ${open.slice(first).trim().replaceAll(/\s+/g, " ")}`);
    start += line.length + 1;
  });
  return gaps;
}
