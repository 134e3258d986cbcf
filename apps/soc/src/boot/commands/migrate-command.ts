import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import type { Terminal } from "@kit/config/commands";
import { createLog } from "@kit/log";
import { createServers } from "../../adapters/postgres/postgres-servers.ts";
import { migrateTables } from "../../adapters/postgres-migrations.ts";
import { readMigrateConfig } from "../config/config-migrate.ts";

const CONNECT_MS = 10_000;

/**
 * Creates or updates all tables as the owner of the database, so that the service needs no login that owns them. Returns
 * the exit code.
 */
export async function runMigrate(
  environment: Record<string, string | undefined>,
  entry: string,
  { write, writeError }: Terminal,
): Promise<0 | 1> {
  try {
    const { url } = readMigrateConfig(environment);
    const clock = createClock();
    const log = createLog({ clock, level: "warn" });
    const migrationsFolder = fileURLToPath(new URL("../src/migrations", entry));
    await migrateTables({ servers: createServers(url), migrationsFolder, connectMs: CONNECT_MS, clock });
    // The library of the workflow engine is large, and other commands do not need it.
    const { migrateWorkflowTables } = await import("../../adapters/dbos.ts");
    await migrateWorkflowTables({ url, executorId: `migrate-${createIds(clock).next()}`, clock, log });
    write("The database is up to date\n");
    return 0;
  } catch (error) {
    writeError(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
