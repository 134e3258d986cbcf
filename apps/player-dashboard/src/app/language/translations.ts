import type { Language } from "./language.ts";
import type { PluralForms } from "./numbers.ts";

/** What a translation of `English` must have: the same keys. The plural forms depend on the language. */
export type Phrases<English> = English extends string
  ? string
  : English extends { one: string; other: string }
    ? PluralForms
    : { readonly [Key in keyof English]: Phrases<English[Key]> };

/** The phrases of a part of the page, in each language. */
export type Translations<P> = Readonly<Record<Language, P>>;

/** Fills `{name}` in a sentence. A value is text, never markup. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** Isolates a user-given name, so that its direction does not affect the sentence. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
