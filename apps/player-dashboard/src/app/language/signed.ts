import type { Language } from "./language.ts";
import { NUMBER_LOCALES } from "./locales.ts";

/** `+3`, `0` or `-2`, with direction marks for right-to-left text. */
export function signedWords(value: number, language: Language): string {
  return new Intl.NumberFormat(NUMBER_LOCALES[language], { signDisplay: "exceptZero" }).format(value);
}
