import { createHash, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import { readIfExists, writeDurably } from "../storage/durable-file.ts";

const TOKEN_BYTES = 32;

export interface StoredToken {
  path: string;
  /** True when this start created the token: the owner has not seen it yet. */
  isNew: boolean;
  value: string;
}

/** Exists from the creation of a token until the first person has used it. */
export const UNPAIRED_FILE = "unpaired";

/** The device's one token: created on first boot, kept in a file that only the owner can read, never served. */
export async function openToken(dataFolder: string, ids: Pick<Ids, "secret">): Promise<StoredToken> {
  const path = join(dataFolder, "token");
  const kept = await readIfExists(path);
  if (kept !== undefined && /^[0-9a-f]{64}\n?$/.test(kept)) return { path, isNew: false, value: kept.trim() };
  return replaceToken(dataFolder, ids).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    // On a storage that cannot be written the device plays and calls to prayer, with a token that no file holds.
    return { path, isNew: false, value: ids.secret(TOKEN_BYTES).toString("hex") };
  });
}

export async function replaceToken(dataFolder: string, ids: Pick<Ids, "secret">): Promise<StoredToken> {
  const path = join(dataFolder, "token");
  const value = ids.secret(TOKEN_BYTES).toString("hex");
  // Before the token, so that a power cut never leaves a new token that counts as used.
  await writeDurably(join(dataFolder, UNPAIRED_FILE), "");
  await writeDurably(path, `${value}\n`);
  return { path, isNew: true, value };
}

export function isBearerToken(token: string, authorization: string | undefined): boolean {
  const presented = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
  return isToken(token, presented ?? "") && presented !== undefined;
}

/** Takes the same time for every wrong token of any length: it compares digests, not texts. */
export function isToken(token: string, presented: string): boolean {
  return timingSafeEqual(digestOf(presented), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
