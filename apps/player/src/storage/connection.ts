import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import Type from "typebox";
import Value from "typebox/value";
import { type DatabaseFiles, removeDatabase, renameDatabase } from "./database-files.ts";
import { openReadOnly } from "./read-only.ts";
import { hasNoRoomForIndex, isDamage } from "./sqlite-errors.ts";
import { MIGRATIONS } from "./tables.ts";

/** Why a file cannot be used, although it can be accessed. */
export type Fault = "broken" | "newer";

// FULL: a change that was answered with success survives a power cut. The log is checkpointed every 256 pages (1 MiB)
// and truncated to that size, so it never fills the device's storage.
const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA wal_autocheckpoint = 256;
  PRAGMA journal_size_limit = 1048576;
`;

const Version = Type.Object({ user_version: Type.Integer() });
const Sound = Type.Object({ quick_check: Type.Literal("ok") });

/** Opens the file at the path, which is created if it is missing, and upgrades it. */
export function openConnection(
  path: string,
  beforeUpgrade: (connection: DatabaseSyncInstance) => void = () => undefined,
  locking: "NORMAL" | "EXCLUSIVE" = "NORMAL",
): DatabaseSyncInstance | Fault {
  const fault = findFault(path);
  if (fault) return fault;
  // The log and its index get the permissions of the file.
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  const connection = new DatabaseSync(path, { timeout: 2000, defensive: true });
  try {
    connection.exec(`PRAGMA locking_mode = ${locking}; PRAGMA journal_mode = WAL; ${SETTINGS}`);
    const version = readVersion(connection);
    if (version > 0 && version < MIGRATIONS.length) beforeUpgrade(connection);
    migrate(connection);
    return connection;
  } catch (error) {
    connection.close();
    // A full disk has no room for the log's index, but the data is still readable: in exclusive mode SQLite keeps the
    // index in memory.
    if (hasNoRoomForIndex(error) && locking === "NORMAL") return openConnection(path, beforeUpgrade, "EXCLUSIVE");
    if (!isDamage(error)) throw error;
    return "broken";
  }
}

/** An empty database that no disk holds. */
export function openMemory(): DatabaseSyncInstance {
  const connection = new DatabaseSync(":memory:", { defensive: true });
  connection.exec(SETTINGS);
  migrate(connection);
  return connection;
}

/** All of the work is committed, or none of it. */
export function runTransaction<T>(connection: DatabaseSyncInstance, work: () => T): T {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    // On a full disk SQLite has already rolled it back.
    if (connection.isTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

/** Writes a compact copy of the whole database. It is complete, or the file at the path is unchanged. */
export function writeCopy(connection: DatabaseSyncInstance, path: string, unfinished: string): void {
  removeDatabase(unfinished);
  try {
    connection.exec(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
    chmodSync(unfinished, 0o600);
    renameDatabase(unfinished, path);
  } finally {
    removeDatabase(unfinished);
  }
}

/** The copy to which a rolled-back firmware returns. Without room for it, the upgrade is more important. */
export function keepFormerVersion(connection: DatabaseSyncInstance, files: DatabaseFiles): void {
  try {
    writeCopy(connection, files.formerVersion, files.unfinished);
  } catch (error) {
    if (isDamage(error)) throw error;
    removeDatabase(files.formerVersion);
  }
}

/** Undefined also for a file that is missing or cannot be accessed: opening it for writing then says why. */
function findFault(path: string): Fault | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const connection = openReadOnly(path);
    const row: unknown = connection.prepare("PRAGMA quick_check(1)").get();
    const version = readVersion(connection);
    connection.close();
    if (!Value.Check(Sound, row)) return "broken";
    return version > MIGRATIONS.length ? "newer" : undefined;
  } catch (error) {
    return isDamage(error) ? "broken" : undefined;
  }
}

function readVersion(connection: DatabaseSyncInstance): number {
  const row: unknown = connection.prepare("PRAGMA user_version").get();
  return Value.Parse(Version, row).user_version;
}

function migrate(connection: DatabaseSyncInstance): void {
  const missing = MIGRATIONS.slice(readVersion(connection));
  if (missing.length === 0) return;
  const sql = [...missing, `PRAGMA user_version = ${MIGRATIONS.length}`].join(";");
  runTransaction(connection, () => connection.exec(sql));
}
