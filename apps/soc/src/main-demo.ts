import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createLog } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import { openLogStore, toRecentFolder } from "./adapters/log-store.ts";
import { readConfig } from "./composition/config.ts";
import { describeMachine } from "./composition/machine.ts";
import { openPlatform } from "./composition/open-platform.ts";
import type { Database } from "./foundation/database/tables.ts";
import { buildShowcase } from "./showcase/showcase.ts";

const ANSWER_WITHIN_MS = 30_000;
/** Demo data has no logs: this address is never used. */
const NO_LOG_STORE = "unix:/nonexistent";
const clock = createClock();

/** Stores the showcase as real records, once: if an alert exists already, it changes nothing. */
async function main(): Promise<void> {
  const { logStoreAddress, logRetentionDays: retentionDays, ...config } = readConfig(process.env);
  if (config.databaseUrl === undefined) throw invalidField("SOC_DATABASE_URL", "is required");
  const log = createLog({ clock, level: "warn" });
  const recent = { folder: toRecentFolder(config.dataFolder), log };
  const logStore = openLogStore({ address: NO_LOG_STORE, retentionDays, recent });
  const settings = {
    ...config,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", import.meta.url)),
    machine: describeMachine(logStoreAddress),
  };
  // The service creates the administrator.
  const opened = await openPlatform({ settings, logStore, firstAdmin: undefined, clock, ids: createIds(clock), log });
  try {
    await waitFor(opened.database);
    await opened.database.db.transaction().execute(async (tx) => {
      if (await tx.selectFrom("alerts").select("id").limit(1).executeTakeFirst()) return;
      process.stdout.write("storing demo data…\n");
      const showcase = buildShowcase(clock.now());
      for (const feature of opened.platform.features) await feature.storeDemo?.(tx, showcase);
    });
  } finally {
    await opened.database.close();
    await logStore.close();
  }
}

/** Waits for the first answer, which includes all migrations and may exceed the usual deadline. */
async function waitFor(database: Database): Promise<void> {
  const deadline = clock.deadline(ANSWER_WITHIN_MS);
  while (!(await database.isAvailable())) {
    if (deadline.aborted) throw new Problem("unavailable", "the database is unavailable");
    await clock.sleep(200);
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
