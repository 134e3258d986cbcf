import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import { asStorageProblem } from "../storage/sqlite-errors.ts";
import { measureFreeBytes } from "../storage/storage.ts";

export interface TransferLimits {
  maxBytes: number;
  /** How long the sender may be silent. */
  idleMs: number;
  wholeMs: number;
}

export const TRANSFER_LIMITS: Readonly<TransferLimits> = {
  maxBytes: 512 * 1024 * 1024,
  idleMs: 15_000,
  wholeMs: 15 * 60_000,
};

export interface Transfer {
  /** The caller's name of the source; every error message starts with it. */
  field: string;
  source: Readable;
  /** The size that the sender announces, if any. */
  sizeBytes: number | undefined;
  path: string;
  limits: Readonly<TransferLimits>;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  onReceived: (bytes: number) => void;
}

const CHECK_MS = 500;
/** What a transfer leaves free, so that settings, schedules and copies of the database can be written meanwhile. */
const RESERVE_BYTES = 16 * 1024 * 1024;

/** Writes the source into a file. On a refusal the source stays open, because the caller may still have to answer. */
export async function transfer(given: Transfer): Promise<void> {
  if ((given.sizeBytes ?? 0) > given.limits.maxBytes) throw tooLarge(given);
  const roomBytes = (await measureFreeBytes(dirname(given.path))) - RESERVE_BYTES;
  if ((given.sizeBytes ?? 1) > roomBytes) throw noRoom(given.sizeBytes);
  const ended = new AbortController();
  const pace = { receivedAtMs: given.clock.monotonicMs() };
  try {
    await Promise.race([write(given, roomBytes, pace, ended.signal), refuseSlow(given, pace, ended.signal)]);
  } finally {
    ended.abort();
  }
}

async function write(
  given: Transfer,
  roomBytes: number,
  pace: { receivedAtMs: number },
  ended: AbortSignal,
): Promise<void> {
  const file = await open(given.path, "w", 0o600).catch(refuseUnwritable);
  try {
    let received = 0;
    for await (const chunk of readChunks(given)) {
      if (ended.aborted) return;
      received += chunk.length;
      if (received > given.limits.maxBytes) throw tooLarge(given);
      // A sender that announces no size.
      if (received > roomBytes) throw noRoom(given.sizeBytes);
      await file.writeFile(chunk).catch(refuseUnwritable);
      pace.receivedAtMs = given.clock.monotonicMs();
      given.onReceived(received);
    }
    if (received === 0) throw invalidField(given.field, "must not be empty");
  } finally {
    await file.close();
  }
}

async function* readChunks({ source, field }: Transfer): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      if (chunk instanceof Uint8Array) yield chunk;
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw invalidField(field, "the connection broke before its end", { cause });
  }
}

async function refuseSlow({ field, limits, clock }: Transfer, pace: { receivedAtMs: number }, ended: AbortSignal) {
  const startedMs = clock.monotonicMs();
  while (!ended.aborted) {
    await clock.sleep(CHECK_MS, ended).catch(() => undefined);
    const nowMs = clock.monotonicMs();
    if (nowMs - pace.receivedAtMs >= limits.idleMs) {
      throw invalidField(field, `nothing came for ${limits.idleMs / 1000} s`);
    }
    if (nowMs - startedMs >= limits.wholeMs) {
      throw invalidField(field, `was not complete within ${limits.wholeMs / 60_000} min`);
    }
  }
}

function refuseUnwritable(cause: unknown): never {
  const problem = asStorageProblem(cause);
  throw problem instanceof Problem
    ? problem
    : new Problem("failed", "storage: the device's storage does not work", { cause });
}

function noRoom(sizeBytes: number | undefined): Problem {
  const what = sizeBytes === undefined ? "the update" : `${sizeBytes} bytes`;
  return new Problem("failed", `storage: the device's storage has no room for ${what}`, { code: "storage_full" });
}

function tooLarge({ field, limits }: Transfer): Problem {
  return invalidField(field, `must be at most ${limits.maxBytes} bytes`);
}
