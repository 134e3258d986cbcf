/** Beyond this a browser may not hold the file in memory; the platform hashes it when it is uploaded. */
const MAX_HASHED_BYTES = 1024 ** 3;

/** Browsers compute hashes only on pages that came over HTTPS, or from this machine. */
export function canHash(file: Pick<File, "size">): boolean {
  return globalThis.crypto?.subtle !== undefined && file.size <= MAX_HASHED_BYTES;
}

/** SHA-256 of a file, as 64 hex digits. Nothing of the file leaves the browser. */
export async function hashFile(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
