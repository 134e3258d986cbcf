import type { Language } from "./language.ts";

/** The name that a new device has, and as it is written in each language. */
const NEW_NAME = "Manara";
const PRODUCT: Readonly<Record<Language, string>> = { en: NEW_NAME, ar: "منارة" };

/** The owner's name for the device. Until it has one, the name of the product. */
export function formatDeviceName(name: string | undefined, language: Language): string {
  return name === undefined || name === NEW_NAME ? PRODUCT[language] : name;
}
