import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, parse } from "node:path";
import { invalidField } from "@kit/problem";
import Value from "typebox/value";
import { openRestoreTarget } from "../../adapters/backup/database-restore.ts";
import { openDatabaseSnapshot } from "../../adapters/backup/database-snapshot.ts";
import { hasOwnEngine } from "../../adapters/log-store.ts";
import { CheckpointBody } from "../../cases/ledger/ledger.schema.ts";
import { openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { copyContents } from "./case-files.ts";
import { requireDigests, syncTree } from "./folder-digests.ts";
import { type EngineAccessDeps, startLogEngine } from "./log-engine-access.ts";
import { DUMP_FILE, FILES_FOLDER, LOGS_FOLDER, type Manifest, readManifest, requireSignature } from "./manifest.ts";
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
  /** The current location of the full backup, if it has moved. */
  base?: string | undefined;
  /** PostgreSQL has recovered the database itself, to any instant. */
  isWithoutDatabase: boolean;
}

export interface RestoreResult {
  manifest: Manifest;
  /** The differences from the manifest; empty if everything was restored. */
  differences: string[];
  /** The ledger had more entries than the backup, so the service will raise its alarm. */
  isOlderThanCheckpoints: boolean;
}

/** Mounted volumes contain this folder from the start. */
const NOT_COUNTED = "lost+found";
/** A group of logs that was claimed before the instant of a backup may be stored after its logs were copied. */
const MAX_INSERT_MS = 60_000;

/** Restores into an empty data folder and an empty database. Everything is checked before anything is written. */
export async function restore(deps: RestoreDeps, options: RestoreOptions): Promise<RestoreResult> {
  const { places } = deps;
  const { from, keys, base } = options;
  const { manifest } = await readManifest("--from", from);
  await requireMigrations(manifest, deps.migrationsFolder);
  await requireKeys("--from", manifest, places, keys);
  await requirePlaces(manifest, places);
  await requireDigests("--from", from, manifest.sha256);
  const baseFolder = await requireBase(manifest, base);
  const database = await openDatabase(deps, manifest, options);
  try {
    const written = listWritten(places);
    const missing = written.filter((path) => !existsSync(path));
    try {
      const differences = await write(deps, { manifest, from, keys, baseFolder, database });
      return { manifest, differences, isOlderThanCheckpoints: await isOlder(database.ledgerSize, keys) };
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
  database: Target;
}

/** The database that the copies belong to. */
interface Target {
  /** The size of the ledger in the restored database. */
  ledgerSize: number;
  /** The contents of case files. */
  files: string[];
  /**
   * The ingest time up to which all logs are stored, if PostgreSQL has recovered the database; otherwise the counts are
   * compared.
   */
  watermark: Date | undefined;
  /** The logs that the database considers stored since then. */
  listProbes(since: Date): Promise<string[]>;
  /** Returns the differences from the manifest. */
  complete(): Promise<string[]>;
  close(): Promise<void>;
}

async function openDatabase(
  { places, environment }: RestoreDeps,
  manifest: Manifest,
  { from, isWithoutDatabase }: RestoreOptions,
): Promise<Target> {
  const { database, ledger_entries, files } = manifest;
  const address = { url: places.databaseUrl, environment };
  if (!isWithoutDatabase) {
    const target = await openRestoreTarget(address, database.server_version);
    return {
      ledgerSize: ledger_entries,
      files: files ?? [],
      watermark: undefined,
      listProbes: async () => [],
      async complete() {
        await target.restore(join(from, DUMP_FILE));
        return compareRows(database.rows, await target.countTables());
      },
      close: () => target.close(),
    };
  }
  const recovered = await openDatabaseSnapshot(address);
  return {
    ledgerSize: recovered.ledgerSize,
    files: await recovered.listFiles(),
    watermark: recovered.watermark,
    listProbes: (since) => recovered.listProbes(since),
    complete: async () => [],
    close: () => recovered.close(),
  };
}

/** Writes the database last, because it is restored in one transaction. Returns the differences from the manifest. */
async function write(deps: RestoreDeps, source: Source): Promise<string[]> {
  const { places } = deps;
  const { manifest, from, keys, baseFolder, database } = source;
  const { dataFolder, filesFolder } = places;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const differences = await restoreLogs(deps, source);
  if (manifest.files !== null && filesFolder !== undefined) {
    const sources = [from, ...(baseFolder === undefined ? [] : [baseFolder])].map((each) => join(each, FILES_FOLDER));
    const found = await copyContents(database.files, sources, filesFolder);
    if (found.length !== database.files.length) {
      differences.push(`files: ${found.length} of ${database.files.length} were found`);
    }
  }
  for (const { path, copy } of listKeyFiles(places, keys)) {
    if (!existsSync(path) && existsSync(copy)) await copyDurably(copy, path);
  }
  const checkpoints = join(keys, CHECKPOINTS_FILE);
  if (existsSync(checkpoints)) await copyDurably(checkpoints, join(dataFolder, CHECKPOINTS_FILE));
  return [...differences, ...(await database.complete())];
}

async function restoreLogs(deps: RestoreDeps, { manifest, from, baseFolder, database }: Source): Promise<string[]> {
  const { logs, instant } = manifest;
  if (logs === null) return [];
  const differences: string[] = [];
  const engine = await startLogEngine(deps);
  try {
    await engine.restore(join(from, LOGS_FOLDER), baseFolder && join(baseFolder, LOGS_FOLDER));
    const rows = await engine.count(new Date(logs.before));
    if (rows < logs.min_rows || rows > logs.max_rows) {
      differences.push(`logs: ${rows} came in before ${logs.before}, but there were ${logs.min_rows}`);
    }
    if (database.watermark && database.watermark > new Date(logs.before)) {
      const missing = `those from ${logs.before} to ${database.watermark.toISOString()}`;
      differences.push(`logs: the database is newer than they are: ${missing} are missing`);
    }
    const since = new Date(Date.parse(instant) - MAX_INSERT_MS);
    const probes = await database.listProbes(since);
    const missing = probes.length - (await engine.countIds(probes));
    if (missing > 0) {
      const groups = `${missing} of ${probes.length} groups that it calls stored since ${since.toISOString()}`;
      differences.push(`logs: the database is newer than they are: ${groups} are missing`);
    }
  } finally {
    await engine.close();
  }
  await syncTree(join(deps.dataFolder, LOGS_FOLDER));
  return differences;
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

/** The keys must be those of the backup, because with others secrets are unreadable and signatures invalid. */
export async function requireKeys(
  option: string,
  manifest: Manifest,
  places: PlatformPlaces,
  keys: string,
): Promise<void> {
  const { keys: expected } = manifest;
  for (const { name, variable, path, copy } of listKeyFiles(places, keys)) {
    const fingerprint = expected[name];
    if (fingerprint === undefined) continue;
    const [own, copied] = [await readFingerprint(name, path), await readCopy(name, copy)];
    if (own !== undefined && own !== fingerprint) throw invalidField(variable, `${path} is not the key of the backup`);
    if (own !== undefined) continue;
    if (copied === undefined) throw invalidField("--keys", `${copy} is missing`);
    if (copied !== fingerprint) throw invalidField("--keys", `${copy} is not the key of the backup`);
  }
  const [ledger] = listKeyFiles(places, keys);
  if (ledger === undefined || expected.ledger === undefined) throw invalidField(option, "names no key of the ledger");
  requireSignature(option, manifest, await openLedgerKey(existsSync(ledger.path) ? ledger.path : ledger.copy));
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
    if (given !== undefined) throw invalidField("--base", "must be omitted: the backup is a full one");
    return undefined;
  }
  const folder = given ?? base.folder;
  const { manifest, text } = await readManifest("--base", folder);
  if (createHash("sha256").update(text).digest("hex") !== base.manifest_sha256) {
    throw invalidField("--base", `${folder} is not the full backup that this one extends`);
  }
  await requireDigests("--base", folder, manifest.sha256);
  return folder;
}

/** Lists what a restore may create outside the database. */
function listWritten(places: PlatformPlaces): string[] {
  const { dataFolder, ledgerKeyFile, channelsKeyFile, devicesCaFile } = places;
  const inside = [LOGS_FOLDER, "files", CHECKPOINTS_FILE].map((name) => join(dataFolder, name));
  return [...inside, ledgerKeyFile, channelsKeyFile, devicesCaFile];
}

/** Whether the newest checkpoint in the copies covers more entries than the database has. */
async function isOlder(ledgerSize: number, keys: string): Promise<boolean> {
  const text = await readFile(join(keys, CHECKPOINTS_FILE), "utf8").catch(() => "");
  const last: unknown = JSON.parse(text.trimEnd().split("\n").at(-1) || "null");
  return Value.Check(CheckpointBody, last) && last.tree_size > ledgerSize;
}
