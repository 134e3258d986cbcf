import type { Language } from "../language/language.ts";

const LOCALES: Readonly<Record<Language, string>> = { en: "en", ar: "ar-u-nu-arab" };

/** `+3`, `0` or `-2`, with the signs that keep it together in a line that runs the other way. */
export function signedWords(value: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], { signDisplay: "exceptZero" }).format(value);
}
