import type { Language } from "./language.ts";
import type { PluralForms } from "./numbers.ts";

/** What a translation of `English` must have: the same keys. The plural forms depend on the language. */
export type Phrases<English> = English extends string
  ? string
  : English extends { one: string; other: string }
    ? PluralForms
    : { readonly [Key in keyof English]: Phrases<English[Key]> };

/** The phrases of a part of the console, in each language. */
export type Translations<P> = Readonly<Record<Language, P>>;
