import type {
  AssertionBody,
  AttestationBody,
  CreationOptionsBody,
  RequestOptionsBody,
} from "@soc/service/contract/identity/webauthn/webauthn";

/** Whether this browser can use security keys and passkeys here. */
export function hasSecurityKeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/** Lets the user sign with a key; undefined when the user did not, or took too long. */
export async function signWithKey(options: RequestOptionsBody): Promise<AssertionBody | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const signed = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(signed instanceof PublicKeyCredential)) return undefined;
  const { id, rawId, response } = signed.toJSON();
  return "signature" in response ? { id, rawId, type: "public-key", response } : undefined;
}

/** Lets the user make a key for this site; undefined when the user did not, or has this key here already. */
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
