/** Larger files may exceed the browser's memory; the platform hashes them on upload. */
const MAX_HASHED_BYTES = 1024 ** 3;

/** Browsers compute hashes only on HTTPS pages and on localhost. */
export function canHash(file: Pick<File, "size">): boolean {
  return globalThis.crypto?.subtle !== undefined && file.size <= MAX_HASHED_BYTES;
}

/** SHA-256 of a file as 64 hex digits. The file does not leave the browser. */
export async function hashFile(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
