import type { Language } from "./language.ts";
import { NUMBER_LOCALES } from "./locales.ts";

/** The text for each plural form; `#` is the number. A missing form falls back to `other`. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export function numberWords(value: number, language: Language): string {
  return new Intl.NumberFormat(NUMBER_LOCALES[language], { maximumFractionDigits: 1 }).format(value);
}

export function counted(count: number, forms: PluralForms, language: Language): string {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return form.replace("#", numberWords(count, language));
}
