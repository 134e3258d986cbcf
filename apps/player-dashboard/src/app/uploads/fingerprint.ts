const END_BYTES = 64 * 1024;

/** The browser's SHA-256; undefined where the browser offers none, because the page did not come over HTTPS. */
export type Digest = ((bytes: ArrayBuffer) => Promise<ArrayBuffer>) | undefined;

/**
 * Identifies the content of a file, so that an upload continues only with the same file. Name and time do not count:
 * phones change both each time a file is selected.
 */
export async function buildFingerprint(file: Pick<File, "size" | "slice" | "name">, digest: Digest): Promise<string> {
  if (!digest) return `${file.size}-${file.name}`.slice(0, 128);
  const ends = new Blob([file.slice(0, END_BYTES), file.slice(-END_BYTES)]);
  const sum = new Uint8Array(await digest(await ends.arrayBuffer()));
  return `${file.size}-${[...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
