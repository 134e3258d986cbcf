import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import Type, { type Static, type TSchema } from "typebox";
import Value from "typebox/value";
import { MIGRATIONS } from "./tables.ts";

type Parameter = string | number | null;

/** The database of the device, as stores see it. Statements are compiled once and run often. */
export interface Database {
  /** A SELECT whose rows are checked against the given schema. */
  query<Row extends TSchema>(
    Row: Row,
    sql: string,
  ): {
    first(...parameters: Parameter[]): Static<Row> | undefined;
    all(...parameters: Parameter[]): Static<Row>[];
  };
  /**
   * A statement that writes. The change is on the disk when the call returns; otherwise it throws a Problem with the
   * reason.
   */
  command(sql: string): (...parameters: Parameter[]) => { changes: number; insertedId: number };
  /** All of the work is committed, or none of it. */
  inTransaction<T>(work: () => T): T;
  close(): void;
}

export interface OpenedDatabase {
  database: Database;
  /** Set when the former file was not usable and an empty one replaced it. */
  boot_failure?: { component: "storage"; error: string };
}

// SQLite's result codes (sqlite.org/rescode.html); an extended code carries its primary one in the low byte.
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const IOERR_SHMSIZE = 4874;

const WHY_UNWRITABLE = new Map([
  [READONLY, "the device's storage is read-only"],
  [IOERR, "the device's storage does not work"],
  [FULL, "the device's storage is full"],
  [CANTOPEN, "the device's storage cannot be opened"],
]);

// FULL: a change that was answered with success survives a power cut. The log is checkpointed every 256 pages (1 MiB)
// and truncated to that size, so it never fills the device's storage.
const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA wal_autocheckpoint = 256;
  PRAGMA journal_size_limit = 1048576;
`;

/** Opens player.db in the folder. A broken file is moved aside, never deleted, and replaced by an empty one. */
export function openDatabase(folder: string, clock: Pick<Clock, "now">): OpenedDatabase {
  const path = join(folder, "player.db");
  return writing(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const connection = openIfSound(path);
    if (connection) return { database: createDatabase(connection) };
    moveAside(path, Math.floor(clock.now().getTime() / 1000));
    const replacement = openIfSound(path);
    if (!replacement) throw new Problem("failed", "storage: a new player.db is broken at once");
    return {
      database: createDatabase(replacement),
      boot_failure: {
        component: "storage",
        error: "player.db was broken and has been moved aside; all settings are new",
      },
    };
  });
}

// SQLite frees a connection that only its statements reference, and they then read freed memory: these closures keep it
// alive.
function createDatabase(connection: DatabaseSyncInstance): Database {
  return {
    query(Row, sql) {
      const statement = connection.prepare(sql);
      return {
        first(...parameters) {
          const row: unknown = statement.get(...parameters);
          return row === undefined ? undefined : Value.Parse(Row, row);
        },
        all: (...parameters) => statement.all(...parameters).map((row: unknown) => Value.Parse(Row, row)),
      };
    },
    command(sql) {
      const statement = connection.prepare(sql);
      return (...parameters) => {
        // Never use get() with RETURNING: it reads the first row and misses a failed commit.
        const { changes, lastInsertRowid } = writing(() => statement.run(...parameters));
        return { changes, insertedId: Number(lastInsertRowid) };
      };
    },
    inTransaction: (work) => inTransaction(connection, work),
    close() {
      if (connection.isOpen) connection.close();
    },
  };
}

/** Converts the errors of a full or failing disk into messages for the caller. */
export function writing<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const why = WHY_UNWRITABLE.get(codeOf(cause) & 0xff);
    if (!why) throw cause;
    throw new Problem("failed", `storage: ${why}`, { cause });
  }
}

function codeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
}

function inTransaction<T>(connection: DatabaseSyncInstance, work: () => T): T {
  return writing(() => {
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
  });
}

function openIfSound(path: string, locking: "NORMAL" | "EXCLUSIVE" = "NORMAL"): DatabaseSyncInstance | undefined {
  // The log and its index get the permissions of the file.
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  const connection = new DatabaseSync(path, { timeout: 2000, defensive: true });
  try {
    connection.exec(`PRAGMA locking_mode = ${locking}; PRAGMA journal_mode = WAL; ${SETTINGS}`);
    if (isSound(connection)) {
      migrate(connection);
      return connection;
    }
  } catch (error) {
    connection.close();
    // A full disk has no room for the log's index, but the data is still readable: in exclusive mode SQLite keeps the
    // index in memory.
    if (codeOf(error) === IOERR_SHMSIZE && locking === "NORMAL") return openIfSound(path, "EXCLUSIVE");
    if (![CORRUPT, NOTADB].includes(codeOf(error) & 0xff)) throw error;
    return undefined;
  }
  connection.close();
  return undefined;
}

function isSound(connection: DatabaseSyncInstance): boolean {
  const row: unknown = connection.prepare("PRAGMA quick_check(1)").get();
  return Value.Check(Type.Object({ quick_check: Type.Literal("ok") }), row);
}

function migrate(connection: DatabaseSyncInstance): void {
  const row: unknown = connection.prepare("PRAGMA user_version").get();
  const { user_version } = Value.Parse(Type.Object({ user_version: Type.Integer() }), row);
  const known = MIGRATIONS.length;
  if (user_version > known) {
    const what = `player.db is of version ${user_version}, and this software knows versions up to ${known}`;
    throw new Problem("failed", `storage: ${what}; install the newer software again`);
  }
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < user_version) continue;
    inTransaction(connection, () => connection.exec(`${sql}; PRAGMA user_version = ${index + 1}`));
  }
}

function moveAside(path: string, epoch: number): void {
  for (const part of ["", "-wal", "-shm"]) {
    if (existsSync(path + part)) renameSync(path + part, `${path}.broken-${epoch}${part}`);
  }
}
