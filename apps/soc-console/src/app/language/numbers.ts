import type { Language } from "./language.ts";
import { NUMBER_LOCALES } from "./locales.ts";

/** The text of each plural form; `#` is the number. A missing form falls back to `other`. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** `1,284`, with at most one decimal. */
export function numberWords(value: number, language: Language): string {
  return new Intl.NumberFormat(NUMBER_LOCALES[language], { maximumFractionDigits: 1 }).format(value);
}

/** `1 alert`, `1,284 alerts`. */
export function counted(count: number, forms: PluralForms, language: Language): string {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return form.replace("#", numberWords(count, language));
}

/** A share from 0 to 1 as `99.2%`. Only exact values are shown as 0% or 100%. */
export function percent(share: number, language: Language): string {
  const isBetween = share > 0 && share < 1;
  const shown = isBetween ? Math.min(0.999, Math.max(0.001, share)) : share;
  const format = { style: "percent", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(NUMBER_LOCALES[language], format).format(shown);
}
