import { expect, it } from "vitest";
import { signInPhrases } from "./sign-in-phrases.ts";
import { troubleWords } from "./sign-in-trouble.ts";

const { troubles } = signInPhrases.en;
const spell = (status: number, message: string, retryAfterSeconds?: number) =>
  troubleWords({ status, message, retryAfterSeconds }, troubles, (seconds) => `now+${seconds}`);

// The messages are those of the service's auth.service.ts.
it.each([
  [0, "fetch failed", troubles.noAnswer],
  [503, "the database is unavailable", troubles.unavailable],
  [401, "username or password is wrong", troubles.password],
  [401, "code: is wrong or was used already", troubles.factor],
  [401, "credential: is wrong or was used already", troubles.factor],
  [403, "sign-in with a passkey is disabled; use a provider of GET /auth/methods", troubles.provider],
  [403, "sign in through your provider; see GET /auth/methods", troubles.provider],
  [409, "you have no security key: POST /api/v1/me/factors/webauthn", troubles.noKey],
  [400, "username: must not be empty", "username: must not be empty"],
])("gives instructions for %i %s", (status, message, words) => {
  expect(spell(status, message)).toBe(words);
});

it("says when the next attempt is accepted", () => {
  expect(spell(429, "too many attempts", 90)).toBe(troubles.tooMany.replace("{time}", "now+90"));
});
