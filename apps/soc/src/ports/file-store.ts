import type { Readable } from "node:stream";
import { Problem } from "@kit/problem";

/** A file on its way, complete and durable in a temporary place of this machine. */
export interface ReceivedFile {
  path: string;
  sha256: string;
  size_bytes: number;
}

/** The temporary place for files on their way. What a killed process leaves there is swept. */
export interface IncomingFiles {
  /** Writes and hashes what arrives. Refuses more than `maxBytes` with 413, and leaves nothing behind then. */
  receive(source: Readable, maxBytes: number): Promise<ReceivedFile>;
  /** Removes what `keep` has not moved. */
  discard(received: ReceivedFile): Promise<void>;
  /** Removes what was left behind; returns how many files. */
  sweep(): Promise<number>;
}

/** The contents of files by their SHA-256, on disk or in an object store. */
export interface FileStore {
  /** Resolves when the content is durable. Replaces an equal one. */
  keep(received: ReceivedFile): Promise<void>;
  /** Undefined when this store does not have the content. */
  open(sha256: string): Promise<Readable | undefined>;
  remove(sha256: string): Promise<void>;
}

export function fileTooLarge(maxBytes: number): Problem {
  return new Problem("too_large", `body: must be at most ${maxBytes} bytes`, { field: "body" });
}
