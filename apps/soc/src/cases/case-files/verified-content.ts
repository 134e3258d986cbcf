import { createHash, type Hash } from "node:crypto";
import { Readable } from "node:stream";

/** The content differs from its hash or is incomplete. */
export class ChangedContent extends Error {}

export interface Expected {
  sha256: string;
  size_bytes: number;
}

/** Content up to this size is verified before the first byte is sent. */
const CHECKED_FIRST_BYTES = 4 * 1024 ** 2;

/**
 * Opens the content and verifies its hash. Long content is verified while it is sent, and the last chunk is held back
 * until the hash is known, so that the receiver never gets changed content completely.
 */
export async function openVerified(
  source: Readable,
  expected: Expected,
  onChanged: (error: ChangedContent) => Promise<void>,
): Promise<Readable> {
  const pieces = readVerified(source, expected);
  const first: Buffer[] = [];
  let bytes = 0;
  try {
    while (bytes < CHECKED_FIRST_BYTES) {
      const next = await pieces.next();
      if (next.done) return Readable.from(first);
      first.push(next.value);
      bytes += next.value.length;
    }
  } catch (error) {
    if (error instanceof ChangedContent) await onChanged(error);
    throw error;
  }
  async function* follow(): AsyncGenerator<Buffer> {
    yield* first;
    try {
      yield* pieces;
    } catch (error) {
      if (error instanceof ChangedContent) await onChanged(error);
      throw error;
    }
  }
  return Readable.from(follow());
}

/** Yields each chunk after the next one has arrived, and the last one after the hash is known. */
async function* readVerified(source: Readable, { sha256, size_bytes }: Expected): AsyncGenerator<Buffer, void> {
  const hash: Hash = createHash("sha256");
  let bytes = 0;
  let held: Buffer | undefined;
  for await (const piece of source) {
    if (!Buffer.isBuffer(piece)) throw new TypeError("a content consists of bytes");
    hash.update(piece);
    bytes += piece.length;
    if (bytes > size_bytes) break;
    if (held) yield held;
    held = piece;
  }
  if (bytes !== size_bytes || hash.digest("hex") !== sha256)
    throw new ChangedContent(`the content of ${sha256} has changed`);
  if (held) yield held;
}
