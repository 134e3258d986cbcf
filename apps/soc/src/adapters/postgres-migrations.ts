import { readdir, readFile } from "node:fs/promises";
import { parse } from "node:path";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import pg from "pg";
import { createServers, findWritable, isDiskFull, type Servers } from "./postgres/postgres-servers.ts";
import { CONNECTION, DETECT_DEAD_PEER } from "./postgres/postgres-session.ts";

export interface MigrationsDeps {
  /** Uses a login that owns the tables. */
  servers: Servers;
  migrationsFolder: string;
  connectMs: number;
  clock: Pick<Clock, "sleep">;
}

const TABLE = "migrations";
const INSPECT_MS = 5000;
// A migration that waits for a table makes every later statement on this table wait behind it. It therefore waits only
// briefly, rolls back and tries again.
const LOCK_MS = 1000;
const LOCK_RETRIES = 60;
const RETRY_MS = 1000;
const LOCK_NOT_AVAILABLE = "55P03";
/** Incompressible text that needs a megabyte of the disk. */
const WRITE_AND_FORGET = `BEGIN; CREATE TEMPORARY TABLE room ON COMMIT DROP AS
  SELECT md5(random()::text) || md5(random()::text) AS text FROM generate_series(1, 12000); ROLLBACK`;
const OUTSIDE_A_TRANSACTION = /^-- Up Migration, outside a transaction\n/;

/** Whether every migration has been applied. Needs only the rights of the service. */
export async function areTablesCurrent(asker: pg.Pool, migrationsFolder: string): Promise<boolean> {
  return (await countMissingMigrations(asker, migrationsFolder)) === 0;
}

/** Returns the number of missing migrations. */
async function countMissingMigrations(asker: Pick<pg.ClientBase, "query">, migrationsFolder: string): Promise<number> {
  const names = (await readdir(migrationsFolder)).map((file) => parse(file).name);
  try {
    const { rows } = await asker.query<{ name: string }>(`SELECT name FROM ${TABLE}`);
    const applied = new Set(rows.map(({ name }) => name));
    return names.filter((name) => !applied.has(name)).length;
  } catch (error) {
    // In a new database neither the table nor the role of the service exists.
    if (error instanceof pg.DatabaseError) return names.length;
    throw error;
  }
}

/**
 * Returns the version of the server and the number of missing migrations. Refuses a server that cannot write; leaves
 * nothing behind.
 */
export async function inspectDatabase(url: string, migrationsFolder: string) {
  const connectionString = createServers(url).current();
  const client = new pg.Client({
    ...CONNECTION,
    connectionString,
    connectionTimeoutMillis: INSPECT_MS,
    query_timeout: INSPECT_MS,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
    await requireRoom(client);
    return {
      version: rows[0]?.server_version ?? "unknown",
      missing: await countMissingMigrations(client, migrationsFolder),
    };
  } catch (cause) {
    if (isDiskFull(cause)) throw new Problem("unavailable", "the disk of the database is full", { cause });
    // The message may quote the address, and with it the password.
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new Problem("unavailable", `the database does not answer${code}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Throws if the server cannot write because its disk is full. Other reasons for refusing writes are not checked here.
 */
async function requireRoom(client: pg.Client): Promise<void> {
  try {
    await client.query(WRITE_AND_FORGET);
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || isDiskFull(cause)) throw cause;
    await client.query("ROLLBACK");
  }
}

/** Updates the tables. If several processes call it, one migrates and the others wait. */
export async function migrateTables(deps: MigrationsDeps): Promise<void> {
  for (let retries = 0; ; retries += 1) {
    try {
      await runMigrations(deps);
      return;
    } catch (error) {
      if (!isLockMissing(error) || retries === LOCK_RETRIES) throw explained(error);
      await deps.clock.sleep(RETRY_MS);
    }
  }
}

async function runMigrations({ servers, migrationsFolder, connectMs }: MigrationsDeps): Promise<void> {
  const options = `${DETECT_DEAD_PEER} -c lock_timeout=${LOCK_MS}`;
  const url = await findWritable(servers, connectMs);
  // Only the process that migrates loads it.
  const { runner } = await import("node-pg-migrate");
  await runner({
    databaseUrl: { ...CONNECTION, connectionString: url, connectionTimeoutMillis: connectMs, options },
    dir: migrationsFolder,
    direction: "up",
    migrationsTable: TABLE,
    migrationLoaderStrategies: [{ extensions: [".sql"], loader: loadMigrations }],
    log: () => undefined,
  });
}

/**
 * Each file is one transaction, unless its first line says otherwise: the index of a large table is built concurrently.
 */
async function loadMigrations(filePaths: readonly string[]) {
  return Promise.all(
    filePaths.map(async (path) => {
      const text = await readFile(path, "utf8");
      const isOutside = OUTSIDE_A_TRANSACTION.test(text);
      // Several statements in one message would be a transaction again.
      const statements = isOutside ? text.split(/;\n/).filter((statement) => statement.trim() !== "") : [text];
      return {
        id: parse(path).name,
        filePaths: [path],
        actions: {
          up(migration: Migration) {
            if (isOutside) migration.noTransaction();
            for (const statement of statements) migration.sql(statement);
          },
          down: false as const,
        },
      };
    }),
  );
}

interface Migration {
  noTransaction(): void;
  sql(text: string): void;
}

function isLockMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

function explained(error: unknown): unknown {
  if (!(error instanceof Error) || !/permission denied|must be owner/.test(error.message)) return error;
  return new Error("the tables are not up to date: run manara-soc migrate as their owner", { cause: error });
}
