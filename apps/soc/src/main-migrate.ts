import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createLog } from "@kit/log";
import { migrateWorkflowTables } from "./adapters/dbos.ts";
import { migrateTables } from "./adapters/postgres-migrations.ts";
import { createServers } from "./adapters/postgres-servers.ts";
import { readMigrateConfig } from "./composition/config-migrate.ts";

const CONNECT_MS = 10_000;

/** Creates or updates all tables as the owner of the database, so that the service needs no login that owns them. */
async function main(): Promise<void> {
  const { url } = readMigrateConfig(process.env);
  const clock = createClock();
  const log = createLog({ clock, level: "warn" });
  const migrationsFolder = fileURLToPath(new URL("../src/migrations", import.meta.url));
  await migrateTables({ servers: createServers(url), migrationsFolder, connectMs: CONNECT_MS, clock });
  await migrateWorkflowTables({ url, executorId: `migrate-${createIds(clock).next()}`, clock, log });
  process.stdout.write("The database is up to date\n");
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
