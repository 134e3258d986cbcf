export type RootCertificate =
  /** The fingerprint is undefined where the browser cannot compute it, as on a page without a secure connection. */
  | { state: "here"; fingerprint: string | undefined }
  /** The owner installed another certificate, or the connection has none. */
  | { state: "none" }
  | { state: "unknown" };

/** Where the device serves its root certificate. */
export const ROOT_ADDRESS = "/ca.crt";

type Digest = (bytes: ArrayBuffer) => Promise<ArrayBuffer>;

export async function readRoot(
  fetch: (address: string) => Promise<Response>,
  digest: Digest | undefined,
): Promise<RootCertificate> {
  const answer = await fetch(ROOT_ADDRESS).catch(() => undefined);
  if (answer?.status === 404) return { state: "none" };
  if (!answer?.ok) return { state: "unknown" };
  const bytes = await answer.arrayBuffer();
  return { state: "here", fingerprint: digest && fingerprintOf(await digest(bytes)) };
}

/** As phones and computers show it: pairs of digits with spaces between, where a line may break. */
function fingerprintOf(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");
}
