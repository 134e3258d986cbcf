import type { Language } from "./language.ts";

/** The phrases of a part of the console, in each language. */
export type Translations<Phrases> = Readonly<Record<Language, Phrases>>;
