import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import Type from "typebox";
import Value from "typebox/value";
import { openReadOnly } from "./read-only.ts";

const Named = Type.Object({ name: Type.String() });
const Sequence = Type.Object({ name: Type.String(), seq: Type.Integer() });
const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";

type Cell = string | number | null;
const Row = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]));

/**
 * Copies what the database knows from another file, which may be broken, read-only, older or newer: every table and
 * column that both have. A table that can be read to its end replaces the rows that are there; of any other table, the
 * rows that can be read are added. Returns the number of copied rows.
 */
export function carryOver(connection: DatabaseSyncInstance, from: string): number {
  let source: DatabaseSyncInstance;
  try {
    source = openReadOnly(from);
  } catch {
    // The table is missing, or unreadable.
    return 0;
  }
  const tables = readNames(connection, TABLES);
  const copied = tables.map((table) => copyTable(connection, source, table));
  copySequences(connection, source);
  source.close();
  return copied.reduce((sum, count) => sum + count, 0);
}

function copyTable(connection: DatabaseSyncInstance, source: DatabaseSyncInstance, table: string): number {
  const columns = commonColumns(connection, source, table);
  if (columns.length === 0) return 0;
  const names = columns.join(", ");
  const { rows, isWhole } = readWhileSound(source, `SELECT ${names} FROM ${table} NOT INDEXED`);
  const places = columns.map(() => "?").join(", ");
  if (isWhole) connection.exec(`DELETE FROM ${table}`);
  const insert = connection.prepare(`INSERT OR REPLACE INTO ${table} (${names}) VALUES (${places})`);
  return rows.filter((row) => hasRun(() => insert.run(...columns.map((name) => row[name] ?? null)))).length;
}

function commonColumns(connection: DatabaseSyncInstance, source: DatabaseSyncInstance, table: string): string[] {
  const list = `PRAGMA table_info(${table})`;
  const theirs = new Set<string>();
  hasRun(() => {
    for (const name of readNames(source, list)) theirs.add(name);
  });
  return readNames(connection, list).filter((name) => theirs.has(name));
}

function readNames(connection: DatabaseSyncInstance, sql: string): string[] {
  return connection
    .prepare(sql)
    .all()
    .map((row: unknown) => Value.Parse(Named, row).name);
}

function readWhileSound(source: DatabaseSyncInstance, sql: string): { rows: Record<string, Cell>[]; isWhole: boolean } {
  const rows: Record<string, Cell>[] = [];
  const isWhole = hasRun(() => {
    for (const row of source.prepare(sql).iterate()) if (Value.Check(Row, row)) rows.push({ ...row });
  });
  return { rows, isWhole };
}

/** Ids are never reused, not even those of rows that were deleted. */
function copySequences(connection: DatabaseSyncInstance, source: DatabaseSyncInstance): void {
  const { rows } = readWhileSound(source, "SELECT name, seq FROM sqlite_sequence");
  const known = new Set(readNames(connection, "SELECT name FROM sqlite_sequence"));
  for (const row of rows) {
    if (!Value.Check(Sequence, row)) continue;
    const sql = known.has(row.name)
      ? "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?"
      : "INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?)";
    connection.prepare(sql).run(row.seq, row.name);
  }
}

/** Whether it succeeded: damage in the source, or a row that a constraint refuses, must not stop the rest. */
function hasRun(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
