import type { Language } from "./language.ts";

/** The default name of a device, in each language. */
const NEW_NAME = "Manara";
const PRODUCT: Readonly<Record<Language, string>> = { en: NEW_NAME, ar: "منارة" };

/** The owner's name for the device. Default: the product name. */
export function formatDeviceName(name: string | undefined, language: Language): string {
  return name === undefined || name === NEW_NAME ? PRODUCT[language] : name;
}
