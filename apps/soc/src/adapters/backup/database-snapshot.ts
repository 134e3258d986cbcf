import { Problem } from "@kit/problem";
import pg from "pg";
import { connectDatabase } from "./database-client.ts";
import { runPostgresProgram } from "./postgres-programs.ts";

export interface SnapshotDeps {
  /** A login that can read every table. */
  url: string;
  environment: Readonly<Record<string, string | undefined>>;
}

/** The state of the database at one instant, unaffected by concurrent writes. */
export interface DatabaseSnapshot {
  /** Everything that was committed before this instant of the database clock is in the snapshot. */
  instant: Date;
  /** No writer stores another log below this ingest time. */
  watermark: Date;
  serverVersion: string;
  /** The names of the applied migrations. */
  migrations: string[];
  /** The number of entries in the tree of the ledger. */
  ledgerSize: number;
  /** The SHA-256 of the contents of case files. */
  listFiles(): Promise<string[]>;
  /**
   * The id of one log of each group with named logs that the database considers stored since then; only the first ones.
   */
  listProbes(since: Date): Promise<string[]>;
  /** The number of rows of each table. */
  countTables(): Promise<Record<string, number>>;
  dump(file: string): Promise<void>;
  close(): Promise<void>;
}

const LOCK_MS = 60_000;
const INSUFFICIENT_PRIVILEGE = "42501";
const UNDEFINED_TABLE = "42P01";

const STATE = `
  SELECT now() AS instant, pg_export_snapshot() AS id, current_setting('server_version') AS version,
    ARRAY(SELECT name::text FROM migrations ORDER BY name) AS migrations,
    least(coalesce((SELECT min(watermark) FILTER (WHERE seen_at > now() - interval '90 seconds') FROM log_writers),
      (SELECT max(watermark) FROM log_writers)), now()) AS watermark,
    (SELECT count(*) FROM ledger_leaves)::int AS ledger_size`;

const PROBES = "SELECT probe FROM log_inserts WHERE is_stored AND probe <> '' AND at > $1 ORDER BY at LIMIT $2";
const MAX_PROBES = 10_000;

/** A restored platform has new log stores: its first process stores their identities. */
const LOG_STORES = "log_stores";

/** Tables of the product and of its workflow engine. */
export const TABLES = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> '${LOG_STORES}' ORDER BY 1`;

export async function openDatabaseSnapshot({ url, environment }: SnapshotDeps): Promise<DatabaseSnapshot> {
  const { client, address } = await connectDatabase(url);
  const state = await readState(client).catch(async (error: unknown) => {
    await client.end();
    throw explain(error);
  });
  return {
    instant: state.instant,
    watermark: state.watermark,
    serverVersion: state.version,
    migrations: state.migrations,
    ledgerSize: state.ledger_size,

    async listFiles() {
      const { rows } = await client.query<{ sha256: string }>("SELECT sha256 FROM stored_files ORDER BY sha256");
      return rows.map(({ sha256 }) => sha256);
    },

    async listProbes(since) {
      const { rows } = await client.query<{ probe: string }>(PROBES, [since, MAX_PROBES]);
      return rows.map(({ probe }) => probe);
    },

    countTables: () => countTables(client),

    async dump(file) {
      const args = ["--format=custom", "--compress=1", "--no-owner", `--snapshot=${state.id}`];
      const left = [`--exclude-table-data=*.${LOG_STORES}`];
      const limits = [`--lock-wait-timeout=${LOCK_MS}`, `--file=${file}`];
      await runPostgresProgram("pg_dump", [...args, ...left, ...limits], { url: address, environment });
    },

    async close() {
      await client.end();
    },
  };
}

/** Returns the number of rows of each table. */
export async function countTables(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string }>(TABLES);
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await client.query<{ rows: string }>(`SELECT count(*) AS rows FROM ${name}`);
    counts[name] = Number(counted[0]?.rows ?? 0);
  }
  return counts;
}

interface State {
  instant: Date;
  id: string;
  version: string;
  migrations: string[];
  watermark: Date;
  ledger_size: number;
}

/** Begins the transaction that holds the snapshot. */
async function readState(client: pg.Client): Promise<State> {
  // The transaction is idle while the dump runs.
  await client.query("SET idle_in_transaction_session_timeout = 0");
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  const { rows } = await client.query<State>(STATE);
  const [state] = rows;
  if (!state) throw new Error("the database has no state");
  return state;
}

function explain(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (error.code === UNDEFINED_TABLE) {
    return new Problem("failed", "SOC_DATABASE_URL: has no platform, or needs manara-soc migrate", { cause: error });
  }
  if (error.code !== INSUFFICIENT_PRIVILEGE) return error;
  return new Problem("failed", "SOC_DATABASE_OWNER_URL: must name a login that reads every table", { cause: error });
}
