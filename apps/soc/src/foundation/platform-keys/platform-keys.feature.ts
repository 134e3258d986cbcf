import { existsSync } from "node:fs";
import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import type { Registrations } from "../base.ts";
import type { Database, Db } from "../database/tables.ts";
import type { PlatformKey } from "./platform-key.ts";
import { createPlatformKeysStore } from "./platform-keys.store.ts";

const RETRY_MS = 500;
const MAX_TRIES = 120;

/**
 * All hosts of a platform have the same keys. The first process stores their fingerprints. A process with another key
 * refuses to start, because the others could not verify or decrypt what it writes.
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

/**
 * Returns the fingerprint of the key that all processes must have; undefined until the first process has stored it.
 */
export function findKnownFingerprint(db: Db, name: PlatformKey["name"]): Promise<string | undefined> {
  return createPlatformKeysStore(db).find(name);
}

async function requireKnown(db: Db, key: PlatformKey): Promise<void> {
  const known = await createPlatformKeysStore(db).keepFirst(key);
  if (known !== undefined && [key.fingerprint, ...(key.others ?? [])].includes(known)) return;
  throw invalidField(key.variable, `does not match the key of this database, whose fingerprint is ${known}`);
}

export interface OpenKnownDeps<Opened> extends Pick<PlatformKey, "name" | "variable"> {
  database: Pick<Database, "db" | "isAvailable">;
  clock: Pick<Clock, "sleep">;
  path: string;
  /** Creates the file if it is missing. */
  open: () => Promise<Opened & { fingerprint: string }>;
}

/**
 * Opens a key that only some processes need, at its first use. A missing file is created only if no process of the
 * platform has such a key yet; an existing file was compared at the start.
 */
export async function openKnownKey<Opened>(deps: OpenKnownDeps<Opened>) {
  const { database, name, variable, path, open, clock } = deps;
  if (existsSync(path)) return open();
  const { db } = database;
  // A new database creates its tables in the meantime.
  for (let tries = 1; !(await database.isAvailable()) && tries < MAX_TRIES; tries += 1) await clock.sleep(RETRY_MS);
  const known = await findKnownFingerprint(db, name);
  if (known !== undefined) {
    throw invalidField(variable, `must name the key file that this database knows, whose fingerprint is ${known}`);
  }
  const opened = await open();
  await requireKnown(db, { name, variable, fingerprint: opened.fingerprint });
  return opened;
}
