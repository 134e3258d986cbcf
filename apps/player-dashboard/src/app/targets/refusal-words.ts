import type { ApiError } from "../api/api-client.ts";
import { errorWords } from "../api/error-words.ts";
import type { Language } from "../language/language.ts";
import { targetsPhrases } from "./targets-phrases.ts";
import { findTrouble } from "./trouble.ts";

/** Why the device refused, in plain words; the device's own words when it is not a known case. */
export function refusalWords(error: ApiError, language: Language): string {
  const trouble = findTrouble(error);
  return trouble ? targetsPhrases[language].troubles[trouble] : errorWords(error, language);
}
