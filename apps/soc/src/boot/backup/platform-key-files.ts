import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { invalidField } from "@kit/problem";
import { computeKeyFingerprint, type PlatformKey } from "../../foundation/platform-keys/platform-key.ts";
import { openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { syncFile, syncFolder } from "../../foundation/records/sync-folder.ts";
import { DEVICES_CA, readAuthorityKey } from "../files/operator-files.ts";

/** The locations of a platform's keys and of its ledger's checkpoints. */
export interface KeyPlaces {
  dataFolder: string;
  ledgerKeyFile: string;
  channelsKeyFile: string;
  devicesCaFile: string;
}

interface KeyFile {
  name: PlatformKey["name"];
  variable: string;
  /** The path on the platform. */
  path: string;
  /** The path in the folder of copies. */
  copy: string;
}

export const CHECKPOINTS_FILE = "ledger-checkpoints.ndjson";
const MODE_OF_OWNER = 0o600;

export function listKeyFiles({ ledgerKeyFile, channelsKeyFile, devicesCaFile }: KeyPlaces, keys: string): KeyFile[] {
  return [
    { name: "ledger", variable: "SOC_LEDGER_KEY_FILE", path: ledgerKeyFile, copy: join(keys, "ledger.key") },
    { name: "channels", variable: "SOC_CHANNELS_KEY_FILE", path: channelsKeyFile, copy: join(keys, "channels.key") },
    { name: "devices-ca", variable: DEVICES_CA, path: devicesCaFile, copy: join(keys, "devices-ca.pem") },
  ];
}

/** Undefined if there is no such file. */
export async function readFingerprint(name: PlatformKey["name"], path: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  switch (name) {
    case "ledger":
      return (await openLedgerKey(path)).key_id;
    case "channels":
      return computeKeyFingerprint(await readFile(path));
    case "devices-ca":
      return (await readAuthorityKey(path))[0]?.fingerprint;
    default:
      return name satisfies never;
  }
}

/** Reads the fingerprint of a copy, which the option names. */
export async function readCopy(name: PlatformKey["name"], copy: string): Promise<string | undefined> {
  return readFingerprint(name, copy).catch((cause: unknown) => {
    throw invalidField("--keys", `${copy} is not a key that only its owner can read`, { cause });
  });
}

/**
 * Copies the keys and the checkpoints into a folder separate from the backup, and returns the fingerprints. An existing
 * key must be the same; the checkpoints are replaced.
 */
export async function copyKeys(places: KeyPlaces, keys: string): Promise<Record<string, string>> {
  await mkdir(keys, { recursive: true, mode: 0o700 });
  const fingerprints: Record<string, string> = {};
  for (const { name, variable, path, copy } of listKeyFiles(places, keys)) {
    const fingerprint = await readFingerprint(name, path);
    if (fingerprint === undefined) {
      // Most platforms have no devices.
      if (name === "devices-ca") continue;
      throw invalidField(variable, `${path} does not exist: has the service ever run?`);
    }
    const known = await readCopy(name, copy);
    if (known !== undefined && known !== fingerprint) {
      throw invalidField("--keys", `${copy} is a different key: choose another folder`);
    }
    if (known === undefined) await copyDurably(path, copy);
    fingerprints[name] = fingerprint;
  }
  // A platform whose ledger was never signed has none.
  const checkpoints = join(places.dataFolder, CHECKPOINTS_FILE);
  if (existsSync(checkpoints)) await copyDurably(checkpoints, join(keys, CHECKPOINTS_FILE));
  return fingerprints;
}

/** Readable by its owner only; written completely or not at all. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const draft = `${to}.next`;
  await rm(draft, { force: true });
  await copyFile(from, draft);
  await chmod(draft, MODE_OF_OWNER);
  await syncFile(draft);
  await rename(draft, to);
  await syncFolder(dirname(to));
}
