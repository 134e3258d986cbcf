import type { Clock } from "@kit/clock";
import { SignJWT } from "jose";
import { findCookie } from "../sessions/session.ts";
import { ISSUER, type KeyRing, verifySigned } from "../sessions/tokens.ts";

/** A sign-in that the browser continues at a provider. Only this browser stores it. */
export interface Attempt {
  provider: string;
  state: string;
  nonce: string;
  verifier: string;
  /** The page to open after the sign-in. */
  next: string;
}

export const ATTEMPT_SECONDS = 10 * 60;
const AUDIENCE = "manara-soc/sign-in";
const TYPE = "sign-in+jwt";
// Lax, unlike the session cookie, because the browser returns from another site.
const COOKIE = "__Host-soc_sign_in";
export const NO_ATTEMPT_COOKIE = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`;

/** Attempts are signed and stored by the browser, so starting one costs the database nothing. */
export function createAttempts({ clock, keys }: { clock: Pick<Clock, "now">; keys: KeyRing }) {
  return {
    async toCookie({ provider, state, nonce, verifier, next }: Attempt): Promise<string> {
      const { kid, privateKey } = await keys.current();
      const now = Math.floor(clock.now().getTime() / 1000);
      const signed = await new SignJWT({ provider, state, nonce, verifier, next })
        .setProtectedHeader({ alg: "EdDSA", typ: TYPE, kid })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setExpirationTime(now + ATTEMPT_SECONDS)
        .sign(privateKey);
      return `${COOKIE}=${signed}; Path=/; Max-Age=${ATTEMPT_SECONDS}; HttpOnly; Secure; SameSite=Lax`;
    },

    /** Undefined if the browser has no attempt, or an expired one. */
    async read(cookies: string | undefined): Promise<Attempt | undefined> {
      const signed = findCookie(cookies, COOKIE);
      if (signed === undefined) return undefined;
      const expected = { typ: TYPE, audience: AUDIENCE, requiredClaims: ["exp"] };
      const payload = await verifySigned(keys, signed, expected, clock.now());
      return payload && toAttempt(payload);
    },
  };
}

export type SignInAttempts = ReturnType<typeof createAttempts>;

function toAttempt({ provider, state, nonce, verifier, next }: Record<string, unknown>): Attempt {
  return {
    provider: String(provider),
    state: String(state),
    nonce: String(nonce),
    verifier: String(verifier),
    next: String(next),
  };
}
