import { createHmac } from "node:crypto";

export interface SignatureInput {
  method: string;
  url: string;
  body: string | Uint8Array;
  at: Date;
}

/**
 * Headers that prove sender and integrity to the receiver: HMAC-SHA256 over the method, the path with its query, the
 * time and the body, each but the last followed by a line feed. The time allows the receiver to refuse replayed
 * requests.
 */
export function buildSignatureHeaders(
  key: Uint8Array,
  { method, url, body, at }: SignatureInput,
): Record<string, string> {
  const { pathname, search } = new URL(url);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac("sha256", key)
    .update(`${method}\n${pathname}${search}\n${timestamp}\n`)
    .update(body)
    .digest("hex");
  return { "x-soc-timestamp": timestamp, "x-soc-signature": `v1=${signature}` };
}
