import type { Language } from "../language/language.ts";
import { numberWords } from "../language/numbers.ts";
import { fill } from "../language/translations.ts";
import type { ApiError } from "./api-client.ts";
import { apiPhrases } from "./api-phrases.ts";

/** Why a request failed, for the owner. */
export function errorWords({ status, message, retryAfterSeconds }: ApiError, language: Language): string {
  const { noAnswer, tooMany, refused } = apiPhrases[language];
  if (status === 0) return noAnswer;
  if (status === 429) return fill(tooMany, { seconds: numberWords(Math.max(1, retryAfterSeconds ?? 0), language) });
  return fill(refused, { error: message || String(status) });
}
