import type { Language } from "./language.ts";

/** What a part of the page says, once per language. */
export type Translations<Phrases> = Readonly<Record<Language, Phrases>>;

/** Fills `{name}` in a sentence. A value is text, never markup. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
