import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { startPostgres } from "@kit/testing/postgres";
import { freePort } from "@kit/testing/process";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { createDatabase } from "../../src/adapters/postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export const TEMPLATE = "soc_template";
/** A crash may lose everything here, and hundreds of small databases need no vacuum. */
const FAST = { fsync: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: "0", autovacuum: "off" };
const MIGRATED_WITHIN_MS = 60_000;

/** One real PostgreSQL for all integration tests, with a migrated template that each file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const server = await startPostgres({ folder, port: await freePort(), settings: FAST });
  const { url } = server;
  await createTemplate(url);
  project.provide("postgresUrl", url);
  return async () => {
    await server.stop("SIGINT");
    rmSync(folder, { recursive: true });
  };
}

async function createTemplate(url: string): Promise<void> {
  const owner = new pg.Client(`${url}/postgres`);
  await owner.connect();
  await owner.query(`CREATE DATABASE ${TEMPLATE}`);
  await owner.end();
  const clock = createClock();
  const database = createDatabase({
    url: `${url}/${TEMPLATE}`,
    migrationsFolder: join(import.meta.dirname, "../../src/migrations"),
    clock,
    log: silentLog,
    onFirstAnswer: async () => undefined,
  });
  // On a busy machine migrations take longer than one availability check; they continue in the background.
  const untilMs = clock.monotonicMs() + MIGRATED_WITHIN_MS;
  while (!(await database.isAvailable())) {
    if (clock.monotonicMs() > untilMs) throw new Error("the template could not be migrated");
    await clock.sleep(100);
  }
  await database.close();
}
