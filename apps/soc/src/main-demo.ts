import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createLog } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import { readConfig } from "./composition/config.ts";
import { storeDemo } from "./composition/demo.ts";
import { describeMachine } from "./composition/machine.ts";
import { openLogs } from "./composition/open-logs.ts";
import { openPlatform } from "./composition/open-platform.ts";
import type { LogStore } from "./logs/search/log-store.ts";

const ANSWER_WITHIN_MS = 30_000;
const REFUSED =
  "no demo data is stored: the database has alerts of its own or of an earlier release; start with an empty one for all of it";
const clock = createClock();

/** Stores the showcase as real records and logs, once. Ends before the service starts. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.databaseUrl === undefined) throw invalidField("SOC_DATABASE_URL", "is required");
  const log = createLog({ clock, level: "warn" });
  const ids = createIds(clock);
  const logs = openLogs({
    ...config,
    bucket: undefined,
    program: process.execPath,
    entry: fileURLToPath(new URL("./main-log-engine.js", import.meta.url)),
    clock,
    ids,
    log,
  });
  const settings = {
    ...config,
    // The demo consists of records: the mode of the service decides later whether they are shown.
    mode: "real" as const,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", import.meta.url)),
    machine: describeMachine(config.logSettings),
  };
  // The service creates the administrator.
  const opened = await openPlatform({ settings, logStore: logs.store, firstAdmin: undefined, clock, ids, log });
  const { database, platform } = opened;

  async function openLogStore(): Promise<LogStore> {
    process.stdout.write("storing demo data…\n");
    logs.start();
    await waitFor("log store", () => logs.store.isAvailable());
    await logs.store.migrate();
    return logs.store;
  }

  try {
    await waitFor("database", () => database.isAvailable());
    const outcome = await storeDemo({
      db: database.db,
      registrations: platform.registrations,
      openLogStore,
      clock,
      ids,
    });
    if (outcome === "refused") process.stdout.write(`${REFUSED}\n`);
  } finally {
    await database.close();
    await logs.close();
  }
}

/** Waits for the first answer, which includes all migrations and may exceed the usual deadline. */
async function waitFor(name: string, isAvailable: () => Promise<boolean>): Promise<void> {
  const deadline = clock.deadline(ANSWER_WITHIN_MS);
  while (!(await isAvailable())) {
    if (deadline.aborted) throw new Problem("unavailable", `the ${name} is unavailable`);
    await clock.sleep(200);
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
