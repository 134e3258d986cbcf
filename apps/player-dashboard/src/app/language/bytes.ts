import type { Language } from "./language.ts";
import { counted, type PluralForms } from "./numbers.ts";
import type { Translations } from "./translations.ts";

/** Units; each is 1024 times the previous one. */
const UNITS: Translations<readonly PluralForms[]> = {
  en: [
    { one: "# byte", other: "# bytes" },
    { one: "# kilobyte", other: "# kilobytes" },
    { one: "# megabyte", other: "# megabytes" },
    { one: "# gigabyte", other: "# gigabytes" },
  ],
  ar: [{ other: "# بايت" }, { other: "# كيلوبايت" }, { other: "# ميغابايت" }, { other: "# غيغابايت" }],
};

/** One decimal below ten, none above; 1,023.9 kilobytes are a megabyte, not 1,024 kilobytes. */
export function bytesWords(sizeBytes: number, language: Language): string {
  const [smallest, ...larger] = UNITS[language];
  let value = sizeBytes;
  let unit = smallest ?? { other: "#" };
  for (const next of larger) {
    if (Math.round(value) < 1024) break;
    value /= 1024;
    unit = next;
  }
  return counted(value < 10 ? Math.round(value * 10) / 10 : Math.round(value), unit, language);
}
