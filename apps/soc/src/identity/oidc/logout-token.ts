import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import type { OidcProvider } from "./provider.ts";
import { PROVIDER_TOLERANCE_S } from "./provider-clients.ts";

/** A provider's request to end one session, or all sessions of a user. */
export interface LogoutToken {
  jti: string;
  expiresAt: Date;
  subject: string | undefined;
  sid: string | undefined;
}

interface PublishedKeys {
  issuer: string;
  keys: JSONWebKeySet;
}

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Asymmetric algorithms only: anyone with the client secret could sign a symmetric token. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const MAX_AGE_S = 300;

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. Undefined if the token is not valid. */
export async function verifyLogoutToken(
  token: string,
  { client_id }: Pick<OidcProvider, "client_id">,
  { issuer, keys }: PublishedKeys,
  now: Date,
): Promise<LogoutToken | undefined> {
  const expected = {
    algorithms: ALGORITHMS,
    issuer,
    audience: client_id,
    requiredClaims: ["iat", "jti", "events"],
    maxTokenAge: MAX_AGE_S,
    currentDate: now,
    clockTolerance: PROVIDER_TOLERANCE_S,
  };
  try {
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), expected);
    const { jti, iat = 0, sub, sid, events, nonce } = payload;
    const isOfType = protectedHeader.typ === undefined || /^(application\/)?(logout\+)?jwt$/i.test(protectedHeader.typ);
    const isLogout = typeof events === "object" && events !== null && Object.hasOwn(events, EVENT);
    if (!isOfType || !isLogout || nonce !== undefined || typeof jti !== "string") return undefined;
    if (sid !== undefined && typeof sid !== "string") return undefined;
    if (sub === undefined && sid === undefined) return undefined;
    const expiresAt = new Date((iat + MAX_AGE_S + 2 * PROVIDER_TOLERANCE_S) * 1000);
    return { jti, expiresAt, subject: sub, sid };
  } catch {
    // An invalid token ends nothing, whatever is wrong with it.
    return undefined;
  }
}
