import type {
  AssertionBody,
  AttestationBody,
  CreationOptionsBody,
  RequestOptionsBody,
} from "@soc/service/contract/identity/webauthn/webauthn";

/** Whether this browser supports security keys and passkeys on this site. */
export function hasSecurityKeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/** Asks the user to sign with a key; undefined if the user cancels or the time runs out. */
export async function signWithKey(options: RequestOptionsBody): Promise<AssertionBody | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const signed = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(signed instanceof PublicKeyCredential)) return undefined;
  const { id, rawId, response } = signed.toJSON();
  return "signature" in response ? { id, rawId, type: "public-key", response } : undefined;
}

/** Asks the user to create a key for this site; undefined if the user cancels or has the key already. */
export async function createKey(options: CreationOptionsBody): Promise<AttestationBody | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(made instanceof PublicKeyCredential)) return undefined;
  const { id, rawId, response, clientExtensionResults } = made.toJSON();
  if (!("attestationObject" in response)) return undefined;
  const { clientDataJSON, attestationObject, transports } = response;
  const { rk } = clientExtensionResults.credProps ?? {};
  return {
    id,
    rawId,
    type: "public-key",
    response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
    clientExtensionResults: { ...(rk !== undefined && { credProps: { rk } }) },
  };
}
