import { fill } from "../../../app/language/language-context.tsx";
import type { ApiError } from "../../../app/server/api-error.ts";
import type { SignInPhrases } from "./sign-in-phrases.ts";

const MINUTE = 60;

/** Why the sign-in failed, and what to do. `timeIn` is the time of day in that many seconds. */
export function troubleWords(
  { status, message, retryAfterSeconds }: Pick<ApiError, "status" | "message" | "retryAfterSeconds">,
  words: SignInPhrases["troubles"],
  timeIn: (seconds: number) => string,
): string {
  if (status === 0) return words.noAnswer;
  if (status === 503) return words.unavailable;
  if (status === 429) return fill(words.tooMany, { time: timeIn(retryAfterSeconds ?? MINUTE) });
  if (status === 401 && /^(?:code|webauthn|credential):/.test(message)) return words.factor;
  if (status === 401) return words.password;
  if (status === 403 && /switched off|provider/.test(message)) return words.provider;
  if (status === 409) return words.noKey;
  return message;
}
