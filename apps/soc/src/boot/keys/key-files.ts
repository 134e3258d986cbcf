import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { invalidField } from "@kit/problem";
import type { PlatformKey } from "../../foundation/platform-keys/platform-key.ts";
import { toFormerKey, toNextKey } from "../../foundation/records/key-file.ts";
import { syncFolder } from "../../foundation/records/sync-folder.ts";
import { copyDurably, readFingerprint } from "../backup/platform-key-files.ts";

/** The keys that commands can rotate. */
export type RotatedName = Extract<PlatformKey["name"], "ledger" | "channels">;

export interface RotatedKey {
  name: RotatedName;
  variable: string;
  path: string;
}

export interface KeyState {
  fingerprint: string;
  /** The fingerprint of the next key; undefined if there is none. */
  next: string | undefined;
}

export async function readKeyState({ name, variable, path }: RotatedKey): Promise<KeyState> {
  const fingerprint = await readFingerprint(name, path);
  if (fingerprint === undefined) throw invalidField(variable, `${path} does not exist: has the service ever run?`);
  return { fingerprint, next: await readFingerprint(name, toNextKey(path)) };
}

// An external system provides the file or its folder as a secret.
const NOT_OURS = new Set<unknown>(["EROFS", "EACCES", "EPERM", "EBUSY", "EXDEV"]);

/**
 * Replaces the key with the next one atomically, so that there is a key at any instant. Returns false if an external
 * system provides this host's secrets.
 */
export async function moveNextKey({ name, path }: RotatedKey): Promise<boolean> {
  try {
    // Secrets that another host has encrypted with it in the meantime can still be decrypted. A former ledger key signs
    // nothing more.
    if (name === "channels") await copyDurably(path, toFormerKey(path));
    await rename(toNextKey(path), path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && NOT_OURS.has(error.code)) return false;
    throw error;
  }
}

/** Returns whether there was one. */
export async function removeFormerKey({ path }: RotatedKey): Promise<boolean> {
  const former = toFormerKey(path);
  if (!existsSync(former)) return false;
  await rm(former);
  await syncFolder(dirname(path));
  return true;
}
