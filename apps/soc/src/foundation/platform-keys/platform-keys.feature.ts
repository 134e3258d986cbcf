import { existsSync } from "node:fs";
import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import type { Database, Db } from "../database/tables.ts";
import type { Registrations } from "../registrations.ts";
import type { PlatformKey } from "./platform-key.ts";
import { createPlatformKeysStore } from "./platform-keys.store.ts";

const RETRY_MS = 500;
const MAX_TRIES = 120;

/**
 * All hosts of a platform have the same keys. The first process stores their fingerprints; a process with another key
 * refuses to start, because it would sign and encrypt what the others cannot verify and read.
 */
export function createPlatformKeys(keys: readonly PlatformKey[]) {
  return {
    services: {},
    registrations: {
      async onFirstAnswer(answering: Db): Promise<void> {
        for (const key of keys) await requireKnown(answering, key);
      },
    } satisfies Registrations,
  };
}

/** Of the key that all processes must have; undefined before the first one has stored it. */
export function findKnownFingerprint(db: Db, name: PlatformKey["name"]): Promise<string | undefined> {
  return createPlatformKeysStore(db).find(name);
}

async function requireKnown(db: Db, key: PlatformKey): Promise<void> {
  const known = await createPlatformKeysStore(db).keepFirst(key);
  if (known !== undefined && [key.fingerprint, ...(key.others ?? [])].includes(known)) return;
  throw invalidField(key.variable, `holds another key than the one of this database, whose fingerprint is ${known}`);
}

export interface OpenKnownDeps<Opened> extends Pick<PlatformKey, "name" | "variable"> {
  database: Pick<Database, "db" | "isAvailable">;
  clock: Pick<Clock, "sleep">;
  path: string;
  /** Creates the file when it is missing. */
  open: () => Promise<Opened & { fingerprint: string }>;
}

/**
 * Opens a key that few processes need, with its first use. A missing file is created only when no process of the
 * platform has such a key yet; a file that exists was compared at the start.
 */
export async function openKnownKey<Opened>(deps: OpenKnownDeps<Opened>) {
  const { database, name, variable, path, open, clock } = deps;
  if (existsSync(path)) return open();
  const { db } = database;
  // The tables of a new database are created meanwhile.
  for (let tries = 1; !(await database.isAvailable()) && tries < MAX_TRIES; tries += 1) await clock.sleep(RETRY_MS);
  const known = await findKnownFingerprint(db, name);
  if (known !== undefined) {
    throw invalidField(variable, `must name the file that this database knows, whose fingerprint is ${known}`);
  }
  const opened = await open();
  await requireKnown(db, { name, variable, fingerprint: opened.fingerprint });
  return opened;
}
