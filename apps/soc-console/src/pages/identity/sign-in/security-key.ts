import type { AssertionBody, RequestOptionsBody } from "@soc/service/contract/identity/webauthn/webauthn";

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

/** Whose token it is. The service has verified it. */
export function readUsername(accessToken: string): string {
  const [, payload = ""] = accessToken.split(".");
  const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
  return typeof claims === "object" && claims !== null && "sub" in claims ? String(claims.sub) : "";
}
