import { readFile } from "node:fs/promises";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Terminal } from "@kit/config/commands";
import { invalidField } from "@kit/problem";
import type { Kysely } from "kysely";
import { replaceLedgerKey } from "../../cases/module.ts";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { findKnownFingerprint } from "../../foundation/platform-keys/platform-keys.feature.ts";
import { readChannelsKeys } from "../../foundation/records/channels-keys.ts";
import { openKeyFile, toNextKey } from "../../foundation/records/key-file.ts";
import { openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { createRenewedSeal, createSeal, KEY_BYTES } from "../../foundation/records/seal.ts";
import { asOwner } from "../as-owner.ts";
import { readPlaces } from "../backup/platform-places.ts";
import { moveNextKey, type RotatedKey, type RotatedName, readKeyState, removeFormerKey } from "./key-files.ts";
import { resealSecrets } from "./reseal.ts";

export interface RotateDeps {
  environment: Record<string, string | undefined>;
  terminal: Terminal;
  clock: Clock;
  ids: Pick<Ids, "secret">;
}

function findKey(name: RotatedName, { environment }: Pick<RotateDeps, "environment">): RotatedKey {
  const { ledgerKeyFile, channelsKeyFile } = readPlaces(environment);
  return name === "ledger"
    ? { name, variable: "SOC_LEDGER_KEY_FILE", path: ledgerKeyFile }
    : { name, variable: "SOC_CHANNELS_KEY_FILE", path: channelsKeyFile };
}

/** Creates the next key beside the current one, unless it exists. */
export async function prepareKey(name: RotatedName, deps: RotateDeps): Promise<number> {
  const key = findKey(name, deps);
  await readKeyState(key);
  const path = toNextKey(key.path);
  if (name === "ledger") await openLedgerKey(path);
  else await openKeyFile(key.variable, path, () => deps.ids.secret(KEY_BYTES));
  const { next } = await readKeyState(key);
  deps.terminal.write(`${path} has the next key, ${next}\n`);
  deps.terminal.writeError("Copy it to the same place on every other host, then run keys rotate on each of them.\n");
  return 0;
}

/** Makes the next key the platform's key, unless another host already did, and installs it on this host. */
export async function rotateKey(name: RotatedName, deps: RotateDeps): Promise<number> {
  const key = findKey(name, deps);
  const { fingerprint, next } = await readKeyState(key);
  return asOwner(readPlaces(deps.environment).databaseUrl, async (db) => {
    const known = await findKnownFingerprint(db, name);
    if (known === undefined)
      throw invalidField(key.variable, "is not known to the database: has the service ever run?");
    if (known !== fingerprint && known !== next) {
      throw invalidField(key.variable, `does not match the key of this database, whose fingerprint is ${known}`);
    }
    if (next === undefined && name === "ledger") {
      throw invalidField(key.variable, `${toNextKey(key.path)} is missing: run keys prepare first`);
    }
    if (name === "ledger") await replaceOnce(db, key, known !== next, deps);
    else if (next === undefined) await reseal(db, key, { path: key.path, fingerprint }, deps);
    else await reseal(db, key, { path: toNextKey(key.path), fingerprint: next }, deps);
    if (next !== undefined && !(await moveNextKey(key))) {
      deps.terminal.writeError(`${key.path} is not this command's to replace: put the next key there.\n`);
    }
    return 0;
  });
}

async function replaceOnce(db: Kysely<Tables>, key: RotatedKey, isFirst: boolean, deps: RotateDeps): Promise<void> {
  const { terminal, clock } = deps;
  const [former, next] = [await openLedgerKey(key.path), await openLedgerKey(toNextKey(key.path))];
  if (isFirst) await db.transaction().execute((tx) => replaceLedgerKey(tx, former, next, clock));
  terminal.write(`The ledger is signed by ${next.key_id}, which ${former.key_id} names\n`);
  terminal.writeError("Start the processes of this host again, one after the other.\n");
}

interface SealingKey {
  path: string;
  fingerprint: string;
}

/** Encrypts all secrets with one of the available keys, which becomes the platform's key. */
async function reseal(
  db: Kysely<Tables>,
  key: RotatedKey,
  { path, fingerprint }: SealingKey,
  { terminal, ids }: RotateDeps,
): Promise<void> {
  const newest = createSeal(await readFile(path), ids);
  const all = createRenewedSeal(() => readChannelsKeys(key.path), ids);
  const { resealed, unreadable } = await resealSecrets(db, newest, all);
  await storeFingerprint(db, fingerprint);
  terminal.write(`${resealed} secrets are sealed with ${fingerprint}\n`);
  if (unreadable > 0) terminal.writeError(`${unreadable} secrets cannot be opened with the keys of this host.\n`);
}

async function storeFingerprint(db: Db, fingerprint: string): Promise<void> {
  await db.updateTable("platform_keys").set({ fingerprint }).where("name", "=", "channels").execute();
}

/** Removes the key that decrypted secrets before the rotation, after the last secret that needs it. */
export async function retireChannelsKey(deps: RotateDeps): Promise<number> {
  const key = findKey("channels", deps);
  const { fingerprint } = await readKeyState(key);
  await asOwner(readPlaces(deps.environment).databaseUrl, async (db) => {
    const known = await findKnownFingerprint(db, "channels");
    if (known !== fingerprint)
      throw invalidField(key.variable, "is not the key of the database: run keys rotate first");
    await reseal(db, key, { path: key.path, fingerprint }, deps);
  });
  deps.terminal.write((await removeFormerKey(key)) ? "The former key is removed\n" : "There is no former key\n");
  return 0;
}
