import { type Bytes, toHex } from "@kit/query/bytes";

export function toBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export async function sha256Hex(text: string): Promise<string> {
  return toHex(await sha256(toBytes(text)));
}

/** Verifies Ed25519 (RFC 8032). An invalid key verifies nothing. */
export async function verifyEd25519(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]).catch(() => undefined);
  return key !== undefined && crypto.subtle.verify("Ed25519", key, signature, message);
}
