import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { SignJWT } from "jose";
import { sha256Hex } from "../../foundation/records/digest.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { ISSUER, type KeyRing, TOLERANCE_SECONDS, verifySigned } from "../sessions/tokens.ts";
import type { ChallengesStore } from "./challenges.store.ts";

/** The purpose of a signed challenge: a new key, the second factor of a user, or a sign-in without a password. */
export type Purpose = "enrol" | "factor" | "passkey";

export interface ChallengesServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: Pick<ChallengesStore, "use">; showcase: Pick<ChallengesStore, "use"> };
  keys: KeyRing;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "secret">;
}
export type ChallengesService = ReturnType<typeof createChallengesService>;

const CHALLENGE_MS = 5 * 60_000;
/** Web Authentication, section 13.4.3: at least 16. */
const NONCE_BYTES = 32;
const AUDIENCE = "manara-soc/webauthn";
const TYPE = "webauthn+jwt";

/** Challenges are signed and stored by the client, so starting costs the database nothing. Each is accepted once. */
export function createChallengesService({ runtime, stores, keys, clock, ids }: ChallengesServiceDeps) {
  return {
    /** Returns base64url, as browsers expect it. */
    async create(purpose: Purpose, username = ""): Promise<string> {
      const { kid, privateKey } = await keys.current();
      const signed = await new SignJWT({ purpose, username })
        .setProtectedHeader({ alg: "EdDSA", typ: TYPE, kid })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setJti(ids.secret(NONCE_BYTES).toString("base64url"))
        .setExpirationTime(Math.floor((clock.now().getTime() + CHALLENGE_MS) / 1000))
        .sign(privateKey);
      return Buffer.from(signed).toString("base64url");
    },

    /**
     * Whether the challenge was issued by this platform for this purpose and user, has not expired, and is used for the
     * first time.
     */
    async accept(challenge: string, purpose: Purpose, username = ""): Promise<boolean> {
      const signed = Buffer.from(challenge, "base64url").toString("utf8");
      const expected = { typ: TYPE, audience: AUDIENCE, requiredClaims: ["exp", "jti"] };
      const payload = await verifySigned(keys, signed, expected, clock.now());
      if (payload?.purpose !== purpose || payload.username !== username) return false;
      const endsAt = new Date(clock.now().getTime() + CHALLENGE_MS + TOLERANCE_SECONDS * 1000);
      return (await runtime.choose(stores)).use(sha256Hex(payload.jti ?? ""), endsAt);
    },
  };
}
