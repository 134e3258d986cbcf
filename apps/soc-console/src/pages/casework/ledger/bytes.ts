/** Bytes in memory of their own, as WebCrypto takes them. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function fromHex(hex: string): Bytes {
  const bytes = new Uint8Array(hex.length / 2);
  for (const index of bytes.keys()) bytes[index] = Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16);
  return bytes;
}

export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function toBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function concatBytes(...parts: readonly Bytes[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export async function sha256Hex(text: string): Promise<string> {
  return toHex(await sha256(toBytes(text)));
}

/** Ed25519 (RFC 8032). A key that is none verifies nothing. */
export async function verifyEd25519(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]).catch(() => undefined);
  return key !== undefined && crypto.subtle.verify("Ed25519", key, signature, message);
}
