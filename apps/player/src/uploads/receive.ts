import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import { refuseUnwritable } from "../library/card-writing.ts";

export interface Piece {
  source: Readable;
  /** Where in the file the piece begins. */
  offset: number;
  maxBytes: number;
  sha256: string | undefined;
}

export interface ReceiveResult {
  bytes: number;
  /** Why the piece is not complete; what came before is good. */
  problem?: Error;
}

/** A sender that is slower is probably not connected any more, and holds the upload for others. */
const MIN_BYTES_PER_S = 1024;
const WINDOW_MS = 30_000;
const IDLE_MS = 15_000;
const CHECK_MS = 1000;
const CONNECTION_LOST = { code: "connection_lost" };

/**
 * Writes a piece into the file, one chunk at a time, until it ends, `stop` aborts, or the sender is too slow. Throws
 * when nothing of it may be kept. The source stays open, because the caller still has to answer.
 */
export async function receive(
  file: FileHandle,
  { source, offset, maxBytes, sha256 }: Piece,
  clock: Pick<Clock, "monotonicMs" | "sleep">,
  stop: AbortSignal,
): Promise<ReceiveResult> {
  const hash = createHash("sha256");
  const pace = { bytes: 0 };
  let isTooLong = false;
  const ended = new AbortController();
  const cancelled = Promise.race([untilAborted(stop), refuseSlow(pace, clock, ended.signal)]);
  cancelled.catch(() => undefined);
  try {
    for await (const chunk of readChunks(source, cancelled)) {
      isTooLong = pace.bytes + chunk.length > maxBytes;
      if (isTooLong) throw invalidField("body", `must be at most ${maxBytes} bytes`);
      await write(file, chunk, offset + pace.bytes);
      pace.bytes += chunk.length;
      hash.update(chunk);
    }
  } catch (problem) {
    if (isTooLong || sha256 !== undefined || !(problem instanceof Error)) throw problem;
    return { bytes: pace.bytes, problem };
  } finally {
    ended.abort();
  }
  if (sha256 !== undefined && hash.digest("hex") !== sha256) {
    throw invalidField("sha256", "is not the digest of this piece", { code: "digest_mismatch" });
  }
  return { bytes: pace.bytes };
}

/** Ends at once when `cancelled` rejects, also while the source is silent, and leaves nothing attached to the source. */
async function* readChunks(source: Readable, cancelled: Promise<never>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk: unknown = source.read();
    if (chunk instanceof Uint8Array) yield chunk;
    else if (source.readableEnded) return;
    else if (source.destroyed) throw invalidField("body", "the connection broke before its end", CONNECTION_LOST);
    else await untilReadable(source, cancelled);
  }
}

async function untilReadable(source: Readable, cancelled: Promise<never>): Promise<void> {
  const events = ["readable", "end", "close", "error"] as const;
  let wake: () => void = () => undefined;
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  for (const event of events) source.once(event, wake);
  try {
    await Promise.race([woken, cancelled]);
  } finally {
    for (const event of events) source.off(event, wake);
  }
}

async function write(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file
      .write(chunk, done, chunk.length - done, position + done)
      .catch(refuseUnwritable);
    done += bytesWritten;
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = () => reject(signal.reason);
    if (signal.aborted) refuse();
    else signal.addEventListener("abort", refuse, { once: true });
  });
}

async function refuseSlow(
  pace: Readonly<{ bytes: number }>,
  clock: Pick<Clock, "monotonicMs" | "sleep">,
  ended: AbortSignal,
): Promise<never> {
  let moved = { atMs: clock.monotonicMs(), bytes: 0 };
  let window = moved;
  for (;;) {
    await clock.sleep(CHECK_MS, ended);
    const now = { atMs: clock.monotonicMs(), bytes: pace.bytes };
    if (now.bytes > moved.bytes) moved = now;
    if (now.atMs - moved.atMs >= IDLE_MS) throw tooSlow(`nothing came for ${IDLE_MS / 1000} s`);
    if (now.atMs - window.atMs < WINDOW_MS) continue;
    if (now.bytes - window.bytes < (MIN_BYTES_PER_S * WINDOW_MS) / 1000) {
      throw tooSlow(`comes slower than ${MIN_BYTES_PER_S} bytes a second`);
    }
    window = now;
  }
}

function tooSlow(why: string) {
  return invalidField("body", why, { code: "too_slow" });
}
