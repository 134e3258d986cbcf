import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { invalidField } from "@kit/problem";
import type { PlatformKey } from "../../foundation/platform-keys/platform-key.ts";
import { toFormerKey, toNextKey } from "../../foundation/records/key-file.ts";
import { syncFolder } from "../../foundation/records/sync-folder.ts";
import { copyDurably, readFingerprint } from "../backup/platform-key-files.ts";

/** The keys that commands replace. */
export type RotatedName = Extract<PlatformKey["name"], "ledger" | "channels">;

export interface RotatedKey {
  name: RotatedName;
  variable: string;
  path: string;
}

export interface KeyState {
  fingerprint: string;
  /** Of the key beside it that will replace it; undefined without one. */
  next: string | undefined;
}

export async function readKeyState({ name, variable, path }: RotatedKey): Promise<KeyState> {
  const fingerprint = await readFingerprint(name, path);
  if (fingerprint === undefined) throw invalidField(variable, `${path} does not exist: has the service ever run?`);
  return { fingerprint, next: await readFingerprint(name, toNextKey(path)) };
}

// The file or its folder is a secret that something else puts there.
const NOT_OURS = new Set<unknown>(["EROFS", "EACCES", "EPERM", "EBUSY", "EXDEV"]);

/**
 * Puts the next key in the place of the former one; what is there at any instant is a key. False when this host's secrets
 * are put in place by something else.
 */
export async function moveNextKey({ name, path }: RotatedKey): Promise<boolean> {
  try {
    // Secrets that another host has sealed with it meanwhile can still be opened. A former key of the ledger signs nothing more.
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
