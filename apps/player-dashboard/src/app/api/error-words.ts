import type { Language } from "../language/language.ts";
import { numberWords } from "../language/numbers.ts";
import { fill } from "../language/translations.ts";
import type { ApiError } from "./api-client.ts";
import { apiPhrases } from "./api-phrases.ts";
import { findTrouble } from "./trouble.ts";

/** Why a request failed, for the owner. The device's own message is English and never shown. */
export function errorWords(error: ApiError, language: Language): string {
  const { status, retryAfterSeconds } = error;
  const { noAnswer, tooMany, troubles } = apiPhrases[language];
  if (status === 0) return noAnswer;
  if (status === 429) return fill(tooMany, { seconds: numberWords(Math.max(1, retryAfterSeconds ?? 0), language) });
  return troubles[findTrouble(error)];
}
