import { sha256 } from "../../foundation/records/digest.ts";
import type { RelyingParty } from "../webauthn/relying-party.ts";
import type { CreationOptionsBody, RequestOptionsBody } from "../webauthn/webauthn.schema.ts";

/** A security key or a passkey. */
export interface SecurityKey {
  factor_id: string;
  username: string;
  /** In base64url. */
  credential_id: string;
  public_key: Uint8Array;
  transports: string[];
  /** It can replace the password, because its authenticator stores it and has verified the user. */
  is_passkey: boolean;
  /** When its counter decreased: a copy of the key exists, and the key is no longer accepted. */
  cloned_at: Date | null;
}

/** How long a browser waits for its user, in milliseconds. Must be less than the lifetime of a challenge. */
const WAIT_MS = 2 * 60_000;
/** EdDSA, ES256 and RS256. Fixed, so that every host verifies what another host accepted, on any version of Node. */
export const ALGORITHMS = [-8, -7, -257];

/** Identifies a user to authenticators without revealing the name. */
export function formatUserHandle(username: string): string {
  return Buffer.from(sha256(Buffer.from(JSON.stringify(["webauthn user", username])))).toString("base64url");
}

function describeKeys(keys: readonly SecurityKey[]): RequestOptionsBody["allowCredentials"] {
  return keys.map(({ credential_id, transports }) => ({ id: credential_id, type: "public-key", transports }));
}

export function buildCreationOptions(
  { id }: RelyingParty,
  challenge: string,
  username: string,
  known: readonly SecurityKey[],
): CreationOptionsBody {
  return {
    challenge,
    timeout: WAIT_MS,
    rp: { id, name: "Manara SOC" },
    user: { id: formatUserHandle(username), name: username, displayName: username },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: describeKeys(known),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    attestation: "none",
    extensions: { credProps: true },
  };
}

/** Without keys the authenticator offers its passkeys. It must then verify its user, because there is no password. */
export function buildRequestOptions(
  { id: rpId }: RelyingParty,
  challenge: string,
  keys: readonly SecurityKey[] | undefined,
): RequestOptionsBody {
  const userVerification = keys ? "discouraged" : "required";
  return { challenge, timeout: WAIT_MS, rpId, allowCredentials: describeKeys(keys ?? []), userVerification };
}
