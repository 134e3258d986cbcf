import { fileURLToPath } from "node:url";
import { createIds } from "@kit/clock/ids";
import { createLog } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { LogStore } from "../ports/log-store.ts";
import { readConfig } from "./config/config.ts";
import { storeDemo } from "./demo.ts";
import { describeMachine } from "./machine.ts";
import { openLogs } from "./open-logs.ts";
import { openPlatform } from "./open-platform.ts";
import type { StartDeps } from "./start.ts";
import { createYamlThreadStarter } from "./yaml-thread.ts";

type DemoRoleDeps = Pick<StartDeps, "host" | "entry" | "clock">;

const ANSWER_WITHIN_MS = 30_000;
const REFUSED =
  "no demo data is stored: the database has alerts of its own or of an earlier release; start with an empty one for all of it";

/** Stores the showcase as real records and logs, once, and ends before the service starts. Returns the exit code. */
export async function runDemo(deps: DemoRoleDeps): Promise<0 | 1> {
  try {
    await storeWholeDemo(deps);
    return 0;
  } catch (error) {
    deps.host.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function storeWholeDemo({ host, entry, clock }: DemoRoleDeps): Promise<void> {
  const config = readConfig(host.env);
  if (config.databaseUrl === undefined) throw invalidField("SOC_DATABASE_URL", "is required");
  const log = createLog({ clock, level: "warn" });
  const ids = createIds(clock);
  const logs = openLogs({
    ...config,
    bucket: undefined,
    program: host.execPath,
    entry: fileURLToPath(new URL("./main-log-engine.js", entry)),
    clock,
    ids,
    log,
  });
  const settings = {
    ...config,
    // The demo consists of records: the mode of the service decides later whether they are shown.
    mode: "real" as const,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", entry)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", entry)),
    startYamlThread: createYamlThreadStarter(entry),
    machine: describeMachine(config.logSettings),
  };
  // The service creates the administrator.
  const opened = await openPlatform({ settings, logStore: logs.store, firstAdmin: undefined, clock, ids, log });
  const { database, platform } = opened;

  async function openLogStore(): Promise<LogStore> {
    host.stdout.write("storing demo data…\n");
    logs.start();
    await waitFor("log store", () => logs.store.isAvailable(), clock);
    await logs.store.migrate();
    return logs.store;
  }

  try {
    await waitFor("database", () => database.isAvailable(), clock);
    const outcome = await storeDemo({
      db: database.db,
      registrations: platform.registrations,
      openLogStore,
      audit: opened.base.audit,
      clock,
      ids,
    });
    if (outcome === "refused") host.stdout.write(`${REFUSED}\n`);
  } finally {
    await database.close();
    await logs.close();
  }
}

/** Waits for the first response, which includes all migrations and may exceed the usual deadline. */
async function waitFor(name: string, isAvailable: () => Promise<boolean>, clock: StartDeps["clock"]): Promise<void> {
  const deadline = clock.deadline(ANSWER_WITHIN_MS);
  while (!(await isAvailable())) {
    if (deadline.aborted) throw new Problem("unavailable", `the ${name} is unavailable`);
    await clock.sleep(200);
  }
}
