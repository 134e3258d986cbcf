import type { Language } from "./language.ts";

/** What a part of the page says, once per language. */
export type Translations<Phrases> = Readonly<Record<Language, Phrases>>;

/** Fills `{name}` in a sentence. A value is text, never markup. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** A name that somebody gave, kept together where the sentence runs in the other direction. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
