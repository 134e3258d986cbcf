import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { Static, TSchema } from "typebox";
import Value from "typebox/value";
import { carryOver } from "./carry-over.ts";
import { type Fault, keepFormerVersion, openConnection, openMemory, runTransaction, writeCopy } from "./connection.ts";
import {
  type DatabaseFiles,
  moveAside,
  nameDatabaseFiles,
  putBackMissing,
  removeCopies,
  removeDatabase,
  renameDatabase,
} from "./database-files.ts";
import { makeFolderDurably } from "./durable-file.ts";
import { asStorageProblem, isDamage } from "./sqlite-errors.ts";

type Parameter = string | number | null;

/** The database of the device, as stores see it. Statements are compiled once and run often. */
export interface Database {
  /**
   * A SELECT whose rows are checked against the given schema. A row that this version does not understand is left out
   * and counted; it stays in the file.
   */
  query<Row extends TSchema>(Row: Row, sql: string): Query<Static<Row>>;
  /** The same with a function that converts each row; what it refuses is left out, too. */
  queryRecords<Row extends TSchema, Result>(Row: Row, sql: string, read: (row: Static<Row>) => Result): Query<Result>;
  /**
   * A statement that writes. The change is on the disk when the call returns; otherwise it throws a Problem with the
   * reason.
   */
  command(sql: string): (...parameters: Parameter[]) => { changes: number; insertedId: number };
  /** All of the work is committed, or none of it. */
  inTransaction<T>(work: () => T): T;
  /** Replaces the copy from which a broken file is restored. */
  writeCopy(): void;
  /** This version works: the copy from before its upgrade is not needed any more. */
  forgetFormerVersion(): void;
  /** Deletes all copies, and files that were moved aside. */
  removeCopies(): void;
  /** What is wrong with the storage, for the owner. */
  failures(): StorageFailure[];
  close(): void;
}

interface Query<Result> {
  first(...parameters: Parameter[]): Result | undefined;
  all(...parameters: Parameter[]): Result[];
}

interface StorageFailure {
  component: "storage";
  error: string;
}

export interface OpenedDatabase {
  database: Database;
  /** Set when the file was not usable as it was found. */
  boot_failure?: StorageFailure;
}

const REPAIRED = {
  broken: "player.db was broken and has been moved aside",
  newer: "player.db was written by newer software and has been moved aside",
} as const satisfies Record<Fault, string>;
const DAMAGED = "player.db is damaged; the next start restores its copy";
const TABLE_NAME = /\bFROM (\w+)/;

/**
 * Opens player.db in the folder. A file that is broken or newer is moved aside, and a new one gets what can be read of
 * it and of its copies. On a storage that cannot be written, the data is held in memory and every change is refused.
 */
export function openDatabase(folder: string, clock: Pick<Clock, "now">): OpenedDatabase {
  const files = nameDatabaseFiles(folder);
  try {
    makeFolderDurably(folder);
    const { connection, repair } = openOnDisk(files, Math.floor(clock.now().getTime() / 1000));
    return createOpened({ connection, files, isOnDisk: true, failure: repair });
  } catch (error) {
    const problem = asStorageProblem(error);
    if (!(problem instanceof Problem)) throw error;
    const failure = `${problem.message.replace(/^storage: /, "")}; changes are refused`;
    return createOpened({ connection: openInMemory(files), files, isOnDisk: false, failure });
  }
}

interface OpenedFile {
  connection: DatabaseSyncInstance;
  files: DatabaseFiles;
  isOnDisk: boolean;
  /** What was wrong with the file; undefined if nothing was. */
  failure: string | undefined;
}

function createOpened(opened: OpenedFile): OpenedDatabase {
  const database = createDatabase(opened);
  return opened.failure === undefined ? { database } : { database, boot_failure: toFailure(opened.failure) };
}

function toFailure(error: string): StorageFailure {
  return { component: "storage", error };
}

function openOnDisk(files: DatabaseFiles, epochS: number) {
  putBackMissing(files);
  const opened = openConnection(files.path, (connection) => keepFormerVersion(connection, files));
  if (typeof opened !== "string") return { connection: opened, repair: undefined };
  const rows = buildReplacement(files, opened);
  moveAside(files.path, opened, epochS);
  renameDatabase(files.replacement, files.path);
  const result = rows > 0 ? "what can be read was restored" : "all settings are new";
  const connection = openConnection(files.path);
  if (typeof connection === "string") throw new Problem("failed", "storage: a new player.db is broken at once");
  return { connection, repair: `${REPAIRED[opened]}; ${result}` };
}

/** Returns the number of rows that were restored. */
function buildReplacement(files: DatabaseFiles, fault: Fault): number {
  const connection = openMemory();
  const rows = restoreRows(connection, files, fault);
  writeCopy(connection, files.replacement, files.unfinished);
  connection.close();
  return rows;
}

function restoreRows(connection: DatabaseSyncInstance, files: DatabaseFiles, fault: Fault | undefined): number {
  // The state before the upgrade that is rolled back, whatever the newer software changed.
  const former = fault === "newer" ? carryOver(connection, files.formerVersion) : 0;
  return former > 0 ? former : carryOver(connection, files.copy) + carryOver(connection, files.path);
}

/** The data of a storage that cannot be written. */
function openInMemory(files: DatabaseFiles): DatabaseSyncInstance {
  const connection = openMemory();
  restoreRows(connection, files, undefined);
  connection.exec("PRAGMA query_only = ON");
  return connection;
}

// SQLite frees a connection that only its statements reference, and they then read freed memory: these closures keep it
// alive.
function createDatabase({ connection, files, isOnDisk, failure }: OpenedFile): Database {
  const unreadable = new Map<string, number>();
  let isDamaged = false;

  function access<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      isDamaged ||= isDamage(error);
      throw asStorageProblem(error);
    }
  }

  function queryRecords<Row extends TSchema, Result>(
    Row: Row,
    sql: string,
    read: (row: Static<Row>) => Result,
  ): Query<Result> {
    const statement = access(() => connection.prepare(sql));
    const table = TABLE_NAME.exec(sql)?.[1] ?? "";
    const readAll = (rows: readonly unknown[]): Result[] => {
      const results: Result[] = [];
      for (const row of rows) if (Value.Check(Row, row)) tryRead(row, read, results);
      const leftOut = rows.length - results.length;
      if (leftOut > 0) unreadable.set(table, Math.max(leftOut, unreadable.get(table) ?? 0));
      return results;
    };
    return {
      first: (...parameters) => readAll([access((): unknown => statement.get(...parameters)) ?? []].flat())[0],
      all: (...parameters) => readAll(access((): readonly unknown[] => statement.all(...parameters))),
    };
  }

  return {
    query: (Row, sql) => queryRecords(Row, sql, (row) => row),
    queryRecords,
    command(sql) {
      const statement = access(() => connection.prepare(sql));
      return (...parameters) => {
        // Never use get() with RETURNING: it reads the first row and misses a failed commit.
        const { changes, lastInsertRowid } = access(() => statement.run(...parameters));
        return { changes, insertedId: Number(lastInsertRowid) };
      };
    },
    inTransaction: (work) => access(() => runTransaction(connection, work)),
    writeCopy() {
      // A copy must never be replaced by less than it holds.
      if (isDamaged || !isOnDisk) return;
      access(() => writeCopy(connection, files.copy, files.unfinished));
    },
    forgetFormerVersion: () => access(() => removeDatabase(files.formerVersion)),
    removeCopies: () => access(() => removeCopies(files)),
    failures: () => [
      ...[failure ?? [], isDamaged ? DAMAGED : []].flat().map(toFailure),
      ...[...unreadable].map(([table, count]) =>
        toFailure(`${table}: ${count} not readable by this version, left out`),
      ),
    ],
    close() {
      if (connection.isOpen) connection.close();
    },
  };
}

function tryRead<Row, Result>(row: Row, read: (row: Row) => Result, results: Result[]): void {
  try {
    results.push(read(row));
  } catch {
    // Counted by the caller.
  }
}
