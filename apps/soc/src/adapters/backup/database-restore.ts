import { invalidField } from "@kit/problem";
import { connectDatabase } from "./database-client.ts";
import { countTables, type SnapshotDeps, TABLES } from "./database-snapshot.ts";
import { runPostgresProgram } from "./postgres-programs.ts";

/** An empty database to which a dump is restored. */
export interface RestoreTarget {
  restore(file: string): Promise<void>;
  /** The number of rows of each table. */
  countTables(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** The variables that name the database, in order of precedence. */
const VARIABLES = "SOC_DATABASE_OWNER_URL or SOC_DATABASE_URL";

// A dump contains no roles. These are the ones that the migrations create on a new server.
const ROLES = `
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'soc_app') THEN
    CREATE ROLE soc_app NOLOGIN NOINHERIT;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'soc_site') THEN
    CREATE ROLE soc_site NOLOGIN;
  END IF;
  IF NOT pg_has_role('soc_app', 'soc_site', 'MEMBER') THEN
    GRANT soc_site TO soc_app;
  END IF;
  EXECUTE format('GRANT soc_app, soc_site TO %I', current_user);
END
$$;
DO $$
BEGIN
  ALTER ROLE soc_app BYPASSRLS;
EXCEPTION
  -- Only a superuser may; without it long lists are estimated badly.
  WHEN insufficient_privilege THEN NULL;
END
$$;`;

/** Refuses a database that has tables, and a server that is older than that of the dump. Changes nothing. */
export async function openRestoreTarget(
  { url, environment }: SnapshotDeps,
  dumpedVersion: string,
): Promise<RestoreTarget> {
  const { client, address } = await connectDatabase(url);
  try {
    const { rows } = await client.query<{ name: string }>(TABLES);
    if (rows.length > 0) throw invalidField(VARIABLES, `the database is not empty: it has ${rows.length} tables`);
    const { rows: versions } = await client.query<{ server_version: string }>("SHOW server_version");
    const version = versions[0]?.server_version ?? "";
    if (Number.parseInt(version, 10) < Number.parseInt(dumpedVersion, 10)) {
      throw invalidField(VARIABLES, `PostgreSQL ${version} is older than ${dumpedVersion}, which was backed up`);
    }
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    async restore(file) {
      await client.query(ROLES);
      // In one transaction, so that the database is still empty after a failure.
      const args = ["--no-owner", "--exit-on-error", "--single-transaction", file];
      await runPostgresProgram("pg_restore", args, { url: address, environment });
      // The dump has no statistics, and the first requests would be planned without them.
      await client.query("ANALYZE");
    },
    countTables: () => countTables(client),
    close: () => client.end(),
  };
}
