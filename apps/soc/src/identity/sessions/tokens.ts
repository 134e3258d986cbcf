import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { type CryptoKey, decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import type { Role } from "../../foundation/caller/permissions.ts";

/** The state of a user when the token was issued. */
export interface Claims {
  username: string;
  role: Role;
  token_version: number;
  /** The hash of the session that ends the token. Tokens of 2.0.0 have none. */
  session?: string | undefined;
  /** When the user passed a second factor for this token. */
  factor_at?: Date | undefined;
}

/** The key that signs tokens now, and the public keys of tokens that may still be valid. */
export interface KeyRing {
  current(): Promise<{ kid: string; privateKey: CryptoKey }>;
  findPublic(kid: string): Promise<CryptoKey | undefined>;
}

export interface Tokens {
  lifetimeSeconds: number;
  issue(claims: Claims): Promise<string>;
  /** The claims of a genuine and currently valid token, otherwise undefined. */
  verify(token: string): Promise<Claims | undefined>;
}

export const ISSUER = "manara-soc";
export const TOKEN_SECONDS = 30 * 60;
// Allows for clock differences: a token of one machine must be valid on another one at once.
export const TOLERANCE_SECONDS = 5;

export interface TokensDeps {
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
  keys: KeyRing;
}

export function createTokens({ clock, ids, keys }: TokensDeps): Tokens {
  return {
    lifetimeSeconds: TOKEN_SECONDS,

    async issue({ username, role, token_version, session, factor_at }) {
      const { kid, privateKey } = await keys.current();
      const now = Math.floor(clock.now().getTime() / 1000);
      const factor = factor_at && { fa: Math.floor(factor_at.getTime() / 1000) };
      return new SignJWT({ role, tv: token_version, ...(session !== undefined && { sid: session }), ...factor })
        .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid })
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setSubject(username)
        .setJti(ids.next())
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + TOKEN_SECONDS)
        .sign(privateKey);
    },

    async verify(token) {
      const expected = { typ: "JWT", audience: ISSUER, requiredClaims: ["sub", "exp", "nbf", "jti"] };
      const payload = await verifySigned(keys, token, expected, clock.now());
      return payload && parseClaims(payload);
    },
  };
}

/** Distinguishes one kind of signed text from another. */
interface Kind {
  typ: string;
  audience: string;
  requiredClaims: string[];
}

/** Returns the payload of a text that this platform has signed and that is valid now, otherwise undefined. */
export async function verifySigned(
  keys: Pick<KeyRing, "findPublic">,
  signed: string,
  kind: Kind,
  now: Date,
): Promise<JWTPayload | undefined> {
  const kid = kidOf(signed);
  const key = kid === undefined ? undefined : await keys.findPublic(kid);
  if (!key) return undefined;
  const expected = {
    ...kind,
    algorithms: ["EdDSA"],
    issuer: ISSUER,
    currentDate: now,
    clockTolerance: TOLERANCE_SECONDS,
  };
  return (await jwtVerify(signed, key, expected).catch(() => undefined))?.payload;
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

function parseClaims({ sub, role, tv, sid, fa }: Record<string, unknown>): Claims | undefined {
  const known = ROLES.find((each) => each === role);
  if (typeof sub !== "string" || !known || !Number.isInteger(tv)) return undefined;
  if (sid !== undefined && typeof sid !== "string") return undefined;
  const factor_at = Number.isInteger(fa) ? new Date(Number(fa) * 1000) : undefined;
  return { username: sub, role: known, token_version: Number(tv), session: sid, factor_at };
}
