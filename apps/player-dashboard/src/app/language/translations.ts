import type { Language } from "./language.ts";

/** The phrases of a part of the page, in each language. */
export type Translations<Phrases> = Readonly<Record<Language, Phrases>>;

/** Fills `{name}` in a sentence. A value is text, never markup. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** Isolates a user-given name, so that its direction does not affect the sentence. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
