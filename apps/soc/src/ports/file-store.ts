import type { Readable } from "node:stream";
import { Problem } from "@kit/problem";

/** A received file, complete and durable in a temporary folder of this machine. */
export interface ReceivedFile {
  path: string;
  sha256: string;
  size_bytes: number;
}

/** The temporary folder for incoming files. Files that a killed process left there are swept. */
export interface IncomingFiles {
  /** Writes and hashes the incoming data. Above `maxBytes` it throws a 413 and leaves no file. */
  receive(source: Readable, maxBytes: number): Promise<ReceivedFile>;
  /** Removes the file unless `keep` has moved it. */
  discard(received: ReceivedFile): Promise<void>;
  /** Removes abandoned files and returns their number. */
  sweep(): Promise<number>;
}

/** File contents by their SHA-256, on disk or in an object store. */
export interface FileStore {
  /** Resolves when the content is durable. Replaces equal content. */
  keep(received: ReceivedFile): Promise<void>;
  /** Undefined if this store does not have the content. */
  open(sha256: string): Promise<Readable | undefined>;
  remove(sha256: string): Promise<void>;
}

export function fileTooLarge(maxBytes: number): Problem {
  return new Problem("too_large", `body: must be at most ${maxBytes} bytes`, { field: "body" });
}
