import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { invalidField, Problem } from "@kit/problem";
import { type DatabaseSnapshot, openDatabaseSnapshot } from "../../adapters/backup/database-snapshot.ts";
import type { LogBackups } from "../../adapters/backup/log-backups.ts";
import { hasOwnEngine } from "../../adapters/log-store.ts";
import { type LedgerKey, openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { syncFolder } from "../../foundation/records/sync-folder.ts";
import { copyContents } from "./case-files.ts";
import { computeDigests } from "./folder-digests.ts";
import { type EngineAccessDeps, openLogEngine } from "./log-engine-access.ts";
import {
  DUMP_FILE,
  FILES_FOLDER,
  LIST_OF_LOGS,
  LOGS_FOLDER,
  MANIFEST_FILE,
  type Manifest,
  readManifest,
  requireSignature,
  signManifest,
} from "./manifest.ts";
import { copyKeys } from "./platform-key-files.ts";
import type { PlatformPlaces } from "./platform-places.ts";

export interface BackupDeps extends EngineAccessDeps {
  places: PlatformPlaces;
  environment: Readonly<Record<string, string | undefined>>;
  version: string;
}

export interface BackupOptions {
  /** A new folder. */
  to: string;
  /** A separate folder for the keys, which must not be beside the data. */
  keys: string;
  /** A full backup: only logs and files that it lacks are copied. */
  base?: Base | undefined;
  /** The logs are in a ClickHouse that its operator backs up. */
  isWithoutLogs: boolean;
}

/** A backup that extends a full one needs only the manifest of the full backup and its list of logs in the folder. */
export interface Base {
  folder: string;
  /** The location of the full backup, for the manifest. */
  place: string;
}

/**
 * Backs up a running platform. The order keeps the copies consistent:
 * - The checkpoints come first: a file that is ahead of its database would raise an alarm.
 * - The database comes before the logs and the files: everything that it names is in the later copies. A log whose
 * insert the
 * database does not know yet is there once; a log that the database considers stored is never missing.
 */
export async function backUp(deps: BackupDeps, options: BackupOptions): Promise<Manifest> {
  const { places, version } = deps;
  const { to, keys, isWithoutLogs } = options;
  const ledgerKey = await openLedgerKey(places.ledgerKeyFile);
  const base = options.base === undefined ? undefined : await readBase(options.base, ledgerKey);
  requireLogs(places, isWithoutLogs);
  await createEmptyFolder("--to", to);
  const fingerprints = await copyKeys(places, keys);
  const logs = isWithoutLogs ? undefined : await openLogEngine(deps);
  try {
    const copied = await copyAll(deps, to, { logs, base });
    const manifest = signManifest(ledgerKey, {
      manara_soc_backup: 1,
      version,
      ...copied,
      keys: fingerprints,
      base: base ? { folder: base.place, manifest_sha256: base.manifest_sha256 } : null,
      sha256: await computeDigests(to),
    });
    await writeManifest(to, manifest);
    return manifest;
  } catch (error) {
    // The folder was empty: backups that fail every night must not fill the disk.
    for (const name of await readdir(to)) await rm(join(to, name), { recursive: true, force: true });
    throw error;
  } finally {
    await logs?.close();
  }
}

interface CopySources {
  logs: LogBackups | undefined;
  base: Awaited<ReturnType<typeof readBase>> | undefined;
}

async function copyAll({ places, environment }: BackupDeps, to: string, { logs, base }: CopySources) {
  const snapshot = await openDatabaseSnapshot({ url: places.databaseUrl, environment });
  const { contents, ...copied } = await copyDatabase(snapshot, to);
  const files = await copyFiles(places, contents, to, base?.files ?? []);
  if (!logs) return { ...copied, files, logs: null };
  const { watermark } = snapshot;
  const counts = [await logs.count(watermark)];
  await logs.backup(join(to, LOGS_FOLDER), base && join(base.folder, LOGS_FOLDER));
  requireWrittenLogs(join(to, LIST_OF_LOGS));
  counts.push(await logs.count(watermark));
  return {
    ...copied,
    files,
    logs: { before: watermark.toISOString(), min_rows: Math.min(...counts), max_rows: Math.max(...counts) },
  };
}

/** The engine of a service whose unit has a private /tmp writes there, and the backup would have no logs. */
function requireWrittenLogs(list: string): void {
  if (existsSync(list)) return;
  throw new Problem(
    "failed",
    `logs: the service wrote them to another ${dirname(list)}: choose a folder that both see`,
  );
}

/**
 * Everything acknowledged must be in the database or in the log engine, because a stream between them is not copied.
 */
function requireLogs({ logSettings, stream }: PlatformPlaces, isWithoutLogs: boolean): void {
  if (isWithoutLogs) return;
  if (!hasOwnEngine(logSettings)) {
    throw invalidField("SOC_LOG_STORE", "is a ClickHouse: use its own BACKUP, and --without-logs here");
  }
  if (stream !== "outbox") {
    throw invalidField("SOC_STREAM", "may hold logs that are acknowledged but not stored yet: use --without-logs");
  }
}

/**
 * Reads a full backup. Its files are not verified, which would take as long as a full backup; a restore verifies them.
 */
async function readBase({ folder, place }: Base, ledgerKey: LedgerKey) {
  const { manifest, text } = await readManifest("--base", folder);
  requireSignature("--base", manifest, ledgerKey);
  if (manifest.base !== null) throw invalidField("--base", `${place} is not a full backup`);
  if (manifest.logs === null) throw invalidField("--base", `${place} has no logs`);
  return {
    folder,
    place,
    files: manifest.files ?? [],
    manifest_sha256: createHash("sha256").update(text).digest("hex"),
  };
}

export async function createEmptyFolder(option: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw invalidField(option, `${folder} is not empty`);
  // The database dump contains password hashes and secrets, even in a folder that already existed.
  await chmod(folder, 0o700);
}

async function copyDatabase(snapshot: DatabaseSnapshot, to: string) {
  try {
    await snapshot.dump(join(to, DUMP_FILE));
    await chmod(join(to, DUMP_FILE), 0o600);
    return {
      contents: await snapshot.listFiles(),
      instant: snapshot.instant.toISOString(),
      ledger_entries: snapshot.ledgerSize,
      database: {
        server_version: snapshot.serverVersion,
        migrations: snapshot.migrations,
        rows: await snapshot.countTables(),
      },
    };
  } finally {
    // Vacuum waits for the snapshot.
    await snapshot.close();
  }
}

/** Returns the contents in the backup, including those of its base. */
async function copyFiles({ filesFolder }: PlatformPlaces, all: string[], to: string, known: readonly string[]) {
  if (filesFolder === undefined) return null;
  const inBase = new Set(known);
  const added = all.filter((sha256) => !inBase.has(sha256));
  const copied = await copyContents(added, [filesFolder], join(to, FILES_FOLDER));
  return [...all.filter((sha256) => inBase.has(sha256)), ...copied].sort();
}

async function writeManifest(to: string, manifest: Manifest): Promise<void> {
  const draft = join(to, `${MANIFEST_FILE}.next`);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(to, MANIFEST_FILE));
  await syncFolder(to);
  await syncFolder(dirname(to));
}
