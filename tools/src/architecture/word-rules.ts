import { fileRule, type Rule } from "./rule.ts";

const OLD_WORDS = new Set(["told", "heard", "nobody", "somebody", "whoever", "anew", "away"]);
const MAX_ALLOWED_WORDS = 30;
const MAX_OF_FUNCTIONS = 150;
/** The words of prose and of identifiers in camel, snake and kebab case. */
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const OLD_LIMIT = /\b(?:[A-Z\d]+_)*MOST_[A-Z\d]\w*|\b[A-Z\d]\w*_AT_(?:ONCE|MOST)\b/g;

/** How often a file may use one of the words, and why. */
type WordAllowance = Readonly<Record<string, { count: number; reason: string }>>;

export const WORDS_ALLOWED: WordAllowance = {
  "apps/player/src/live/client.ts": { count: 1, reason: "the close reason that clients receive" },
  "docs/STYLE.md": { count: 7, reason: "quotes sentences that use the words" },
  "tools/src/architecture/word-rules.ts": { count: 7, reason: "lists the words" },
  "tools/src/architecture/planted-structure.ts": { count: 5, reason: "plants the words" },
};

interface FoundWord {
  word: string;
  line: number;
}

function oldWordsIn(text: string): FoundWord[] {
  return text
    .split("\n")
    .flatMap((content, at) =>
      (content.match(WORD) ?? [])
        .filter((word) => OLD_WORDS.has(word.toLowerCase()))
        .map((word) => ({ word, line: at + 1 })),
    );
}

function findingsIn(path: string, text: string, allowed: number): string[] {
  const found = oldWordsIn(text);
  if (found.length < allowed) return [`${path}:1 uses ${found.length} of ${allowed} allowed words: lower the number`];
  if (found.length === allowed) return [];
  return found.map(({ word, line }) => `${path}:${line} '${word}'`);
}

export function plainWords(allowance: WordAllowance): Rule {
  const total = Object.values(allowance).reduce((sum, { count }) => sum + count, 0);
  return {
    name: "words are plain",
    because: "an engineer in Cairo, Lagos or São Paulo reads a sentence once, and so does a machine that translates it",
    check: ({ files, documents }) => {
      const found = [...files, ...documents].flatMap(({ path, text }) =>
        findingsIn(path, text, allowance[path]?.count ?? 0),
      );
      return total < MAX_ALLOWED_WORDS ? found : [`allows ${total} words, not under ${MAX_ALLOWED_WORDS}`, ...found];
    },
  };
}

export const limitNames = fileRule(
  "limits are spelled MAX_",
  "a reader who searches for limits finds all of them by one word",
  ({ text }) =>
    text
      .split("\n")
      .flatMap((content, at) =>
        [...content.matchAll(OLD_LIMIT)].map(([name]) => ({ line: at + 1, message: `rename ${name}` })),
      ),
);

export const functionNames: Rule = {
  name: "few functions end in Of",
  because: "a verb says what a function does: parse, build, find, format; …Of is left for a property of its argument",
  check: ({ files }) => {
    const found = files.flatMap(({ path, declarations }) => {
      const named = declarations.filter((each) => each.kind === "function" && /[a-z\d]Of$/.test(each.name ?? ""));
      const byName = new Map(named.toReversed().map(({ name = "", line }) => [name, line]));
      return [...byName].toReversed().map(([name, line]) => `${path}:${line} ${name}`);
    });
    return found.length < MAX_OF_FUNCTIONS ? [] : found;
  },
};
