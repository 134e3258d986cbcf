import { readdir } from "node:fs/promises";
import { parse } from "node:path";
import { runner } from "node-pg-migrate";
import pg from "pg";
import { DETECT_DEAD_PEER } from "./postgres-session.ts";

export interface MigrationsDeps {
  /** A login that owns the tables. */
  url: string | undefined;
  migrationsFolder: string;
  connectMs: number;
}

const TABLE = "migrations";

/** Whether every migration has run. It needs no more than the rights of the service. */
export async function areTablesCurrent(asker: pg.Pool, migrationsFolder: string): Promise<boolean> {
  const names = (await readdir(migrationsFolder)).map((file) => parse(file).name);
  try {
    const { rows } = await asker.query<{ name: string }>(`SELECT name FROM ${TABLE}`);
    const applied = new Set(rows.map(({ name }) => name));
    return names.every((name) => applied.has(name));
  } catch (error) {
    // In a new database neither the table nor the role of the service exists.
    if (error instanceof pg.DatabaseError) return false;
    throw error;
  }
}

/** Brings the tables up to date. Of several processes one does it, and the others wait. */
export async function migrateTables({ url, migrationsFolder, connectMs }: MigrationsDeps): Promise<void> {
  try {
    await runner({
      databaseUrl: { connectionString: url, connectionTimeoutMillis: connectMs, options: DETECT_DEAD_PEER },
      dir: migrationsFolder,
      direction: "up",
      migrationsTable: TABLE,
      log: () => undefined,
    });
  } catch (error) {
    if (!(error instanceof Error) || !/permission denied|must be owner/.test(error.message)) throw error;
    throw new Error("the tables are not up to date: run main-migrate.js as their owner", { cause: error });
  }
}
