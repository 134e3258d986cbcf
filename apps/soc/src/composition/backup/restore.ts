import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, parse } from "node:path";
import { invalidField } from "@kit/problem";
import Value from "typebox/value";
import { openRestoreTarget, type RestoreTarget } from "../../adapters/backup/database-restore.ts";
import { hasOwnEngine } from "../../adapters/log-store.ts";
import { CheckpointBody } from "../../casework/ledger/ledger.schema.ts";
import { copyContents } from "./case-files.ts";
import { requireDigests, syncTree } from "./folder-digests.ts";
import { type EngineAccessDeps, startLogEngine } from "./log-engine-access.ts";
import { DUMP_FILE, FILES_FOLDER, LOGS_FOLDER, type Manifest, readManifest } from "./manifest.ts";
import { CHECKPOINTS_FILE, copyDurably, listKeyFiles, readCopy, readFingerprint } from "./platform-key-files.ts";
import type { PlatformPlaces } from "./platform-places.ts";

export interface RestoreDeps extends EngineAccessDeps {
  places: PlatformPlaces;
  environment: Readonly<Record<string, string | undefined>>;
  migrationsFolder: string;
}

export interface RestoreOptions {
  from: string;
  /** The folder with the copies of the keys and checkpoints. */
  keys: string;
  /** Where the full backup is now, when it is not where it was. */
  base?: string | undefined;
}

export interface Restored {
  manifest: Manifest;
  /** What differs from the manifest; empty when everything was restored. */
  differences: string[];
  /** The ledger had more entries than the backup: the service will raise its alarm. */
  isOlderThanCheckpoints: boolean;
}

/** Mounted volumes begin with it. */
const NOT_COUNTED = "lost+found";

/** Restores into an empty data folder and an empty database. Everything is checked before anything is written. */
export async function restore(deps: RestoreDeps, { from, keys, base }: RestoreOptions): Promise<Restored> {
  const { places, environment } = deps;
  const { manifest } = await readManifest("--from", from);
  await requireMigrations(manifest, deps.migrationsFolder);
  await requireKeys(manifest, places, keys);
  await requirePlaces(manifest, places);
  await requireDigests("--from", from, manifest.sha256);
  const baseFolder = await requireBase(manifest, base);
  const database = await openRestoreTarget({ url: places.databaseUrl, environment }, manifest.database.server_version);
  try {
    const written = listWritten(places);
    const missing = written.filter((path) => !existsSync(path));
    try {
      const differences = await write(deps, { manifest, from, keys, baseFolder, database });
      return { manifest, differences, isOlderThanCheckpoints: await isOlder(manifest, keys) };
    } catch (error) {
      // All or nothing: the folder is as empty as before.
      for (const path of missing) await rm(path, { recursive: true, force: true });
      throw error;
    }
  } finally {
    await database.close();
  }
}

interface Source {
  manifest: Manifest;
  from: string;
  keys: string;
  baseFolder: string | undefined;
  database: RestoreTarget;
}

/** The database comes last: it is restored in one transaction. Returns what differs from the manifest. */
async function write(deps: RestoreDeps, { manifest, from, keys, baseFolder, database }: Source): Promise<string[]> {
  const { places } = deps;
  const { dataFolder, filesFolder } = places;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const differences = [...(await restoreLogs(deps, manifest, from, baseFolder))];
  if (manifest.files !== null && filesFolder !== undefined) {
    const sources = [from, ...(baseFolder === undefined ? [] : [baseFolder])].map((each) => join(each, FILES_FOLDER));
    const found = await copyContents(manifest.files, sources, filesFolder);
    if (found.length !== manifest.files.length) {
      differences.push(`files: ${found.length} of ${manifest.files.length} were found`);
    }
  }
  for (const { path, copy } of listKeyFiles(places, keys)) {
    if (!existsSync(path) && existsSync(copy)) await copyDurably(copy, path);
  }
  const checkpoints = join(keys, CHECKPOINTS_FILE);
  if (existsSync(checkpoints)) await copyDurably(checkpoints, join(dataFolder, CHECKPOINTS_FILE));
  await database.restore(join(from, DUMP_FILE));
  return [...differences, ...compareRows(manifest.database.rows, await database.countTables())];
}

async function restoreLogs(deps: RestoreDeps, { logs }: Manifest, from: string, baseFolder: string | undefined) {
  if (logs === null) return [];
  const engine = await startLogEngine(deps);
  let rows: number;
  try {
    await engine.restore(join(from, LOGS_FOLDER), baseFolder && join(baseFolder, LOGS_FOLDER));
    rows = await engine.count(new Date(logs.before));
  } finally {
    await engine.close();
  }
  await syncTree(join(deps.dataFolder, LOGS_FOLDER));
  if (rows >= logs.min_rows && rows <= logs.max_rows) return [];
  return [`logs: ${rows} came in before ${logs.before}, but there were ${logs.min_rows}`];
}

function compareRows(expected: Readonly<Record<string, number>>, found: Readonly<Record<string, number>>): string[] {
  return Object.entries(expected).flatMap(([table, rows]) =>
    found[table] === rows ? [] : [`${table}: ${found[table] ?? 0} rows, but there were ${rows}`],
  );
}

async function requireMigrations({ database, version }: Manifest, migrationsFolder: string): Promise<void> {
  const known = new Set((await readdir(migrationsFolder)).map((file) => parse(file).name));
  const unknown = database.migrations.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw invalidField("--from", `the tables are newer than this release (${unknown}): restore with ${version}`);
}

/** The keys must be those of the backup: secrets stay unreadable and signatures unproven with others. */
async function requireKeys({ keys: expected }: Manifest, places: PlatformPlaces, keys: string): Promise<void> {
  for (const { name, variable, path, copy } of listKeyFiles(places, keys)) {
    const fingerprint = expected[name];
    if (fingerprint === undefined) continue;
    const [own, copied] = [await readFingerprint(name, path), await readCopy(name, copy)];
    if (own !== undefined && own !== fingerprint) throw invalidField(variable, `${path} is not the key of the backup`);
    if (own !== undefined) continue;
    if (copied === undefined) throw invalidField("--keys", `${copy} is missing`);
    if (copied !== fingerprint) throw invalidField("--keys", `${copy} is not the key of the backup`);
  }
}

async function requirePlaces({ logs, files }: Manifest, places: PlatformPlaces): Promise<void> {
  const { dataFolder, logSettings, filesFolder } = places;
  const found = existsSync(dataFolder) ? await readdir(dataFolder) : [];
  if (found.some((name) => name !== NOT_COUNTED)) throw invalidField("SOC_DATA_DIR", `${dataFolder} is not empty`);
  if (logs !== null && !hasOwnEngine(logSettings)) throw invalidField("SOC_LOG_STORE", "must be chdb: there are logs");
  if (files !== null && filesFolder === undefined) throw invalidField("SOC_FILES", "must be disk: there are files");
}

async function requireBase({ base }: Manifest, given: string | undefined): Promise<string | undefined> {
  if (base === null) {
    if (given !== undefined) throw invalidField("--base", "must be left out: the backup is a full one");
    return undefined;
  }
  const folder = given ?? base.folder;
  const { manifest, text } = await readManifest("--base", folder);
  if (createHash("sha256").update(text).digest("hex") !== base.manifest_sha256) {
    throw invalidField("--base", `${folder} is not the full backup that this one completes`);
  }
  await requireDigests("--base", folder, manifest.sha256);
  return folder;
}

/** What a restore may create outside the database. */
function listWritten(places: PlatformPlaces): string[] {
  const { dataFolder, ledgerKeyFile, channelsKeyFile, devicesCaFile } = places;
  const inside = [LOGS_FOLDER, "files", CHECKPOINTS_FILE].map((name) => join(dataFolder, name));
  return [...inside, ledgerKeyFile, channelsKeyFile, devicesCaFile];
}

/** Whether the newest checkpoint in the copies covers more entries than the backup has. */
async function isOlder({ ledger_entries }: Manifest, keys: string): Promise<boolean> {
  const text = await readFile(join(keys, CHECKPOINTS_FILE), "utf8").catch(() => "");
  const last: unknown = JSON.parse(text.trimEnd().split("\n").at(-1) || "null");
  return Value.Check(CheckpointBody, last) && last.tree_size > ledger_entries;
}
