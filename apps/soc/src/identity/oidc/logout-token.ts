import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import type { OidcProvider } from "./provider.ts";
import { PROVIDER_TOLERANCE_S, type ProviderKeys } from "./provider-clients.ts";

/** A provider's request to end one session, or all sessions of a user. */
export interface LogoutToken {
  jti: string;
  expiresAt: Date;
  subject: string | undefined;
  sid: string | undefined;
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

/**
 * Reads an unverified token, so that nothing is asked of the provider for a text that cannot be its own. Returns the id
 * of its key; undefined if the token is not for this client, of another issuer, or not of now.
 */
export function readLogoutClaims(
  token: string,
  { client_id }: Pick<OidcProvider, "client_id">,
  isIssuer: (issuer: string) => boolean,
  now: Date,
): { kid: string | undefined } | undefined {
  try {
    const { kid, alg = "" } = decodeProtectedHeader(token);
    const { iss = "", aud, iat = 0 } = decodeJwt(token);
    const age = now.getTime() / 1000 - iat;
    const isOfNow = age > -PROVIDER_TOLERANCE_S && age < MAX_AGE_S + PROVIDER_TOLERANCE_S;
    const isOurs = ALGORITHMS.includes(alg) && isIssuer(iss) && [aud].flat().includes(client_id);
    return isOurs && isOfNow ? { kid } : undefined;
  } catch {
    return undefined;
  }
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. Undefined if the token is not valid. */
export async function verifyLogoutToken(
  token: string,
  { client_id }: Pick<OidcProvider, "client_id">,
  { issuer, keys }: ProviderKeys,
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
