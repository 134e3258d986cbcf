import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { copyDatabase, startPostgres } from "@kit/testing/postgres";
import { freePort } from "@kit/testing/process";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import type { Database } from "../../foundation/database/tables.ts";
import { createEventsStore } from "../../foundation/events/events.store.ts";
import { IOCS } from "./ioc.ts";
import { type ChangedIocsStore, createChangedIocsStore } from "./ioc-hits.store.ts";
import { createIocWatch } from "./ioc-watch.ts";
import { createIocsService } from "./iocs.service.ts";
import { createIocsStore, createShowcaseIocsStore } from "./iocs.store.ts";

const clock = createClock();
const folder = mkdtempSync(join(tmpdir(), "restored-"));
let platform: TestPlatform;
let server: Awaited<ReturnType<typeof startPostgres>>;
let restored: Database;

async function run(url: string, statement: string): Promise<void> {
  const owner = new pg.Client(url);
  await owner.connect();
  await owner.query(statement);
  await owner.end();
}

async function add(db: Database["db"], value: string): Promise<void> {
  const { runtime, ids } = platform;
  const stores = { database: createIocsStore(db), showcase: createShowcaseIocsStore([]) };
  const iocs = createIocsService({ runtime, stores, audit: createAuditStore(ids), clock });
  await db.transaction().execute((tx) => iocs.create(tx, IOCS, { value, force: true }));
}

/**
 * A watch over the store that `choose` currently returns, with the values that it read and the values that it found in
 * logs.
 */
function watchOver(choose: () => ChangedIocsStore) {
  const read: string[] = [];
  const noted = async <Ioc extends { value: string }>(page: Promise<Ioc[]>) => {
    read.push(...(await page).map(({ value }) => value));
    return page;
  };
  const found: string[] = [];
  const watch = createIocWatch({
    changed: {
      look: (since) => choose().look(since),
      list: (afterId, limit) => noted(choose().list(afterId, limit)),
      next: (since, limit) => noted(choose().next(since, limit)),
    },
    hits: {
      record: async (seen) => {
        found.push(...[...seen.values()].flatMap((logs) => logs.map(({ message }) => message)));
      },
    },
    clock,
    log: silentLog,
  });
  const see = async (address: string) => {
    await watch.onLogs([sampleLog({ id: platform.ids.next(), message: address, src_ip: address })]);
    return found.splice(0);
  };
  return { watch, read, see };
}

beforeAll(async () => {
  platform = await testPlatform("real");
  await platform.runtime.truth();
  const source = platform.url ?? "";
  // The backed-up server has used more transaction ids than a new one will have used after the restore.
  await run(
    source,
    "DO $$ BEGIN FOR i IN 1..20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$ LANGUAGE plpgsql",
  );
  for (const value of ["5.6.7.8", "5.6.7.9", "5.6.7.10"]) await add(platform.db, value);

  server = await startPostgres({ folder, port: await freePort(), settings: { fsync: "off" } });
  await run(`${server.url}/postgres`, "CREATE ROLE soc_app NOLOGIN; CREATE ROLE soc_site NOLOGIN");
  await run(`${server.url}/postgres`, "CREATE DATABASE soc");
  copyDatabase(source, `${server.url}/soc`, join(folder, "soc.dump"));
  restored = createDatabase({
    url: `${server.url}/soc`,
    migrationsFolder: join(import.meta.dirname, "../../migrations"),
    clock,
    log: silentLog,
    onFirstAnswer: async () => undefined,
  });
  while (!(await restored.isAvailable())) await clock.sleep(100);
}, 120_000);

afterAll(async () => {
  await restored.close();
  await server.stop("SIGINT");
  await platform.close();
  rmSync(folder, { recursive: true });
});

it("reads restored indicators once, and afterwards only changed ones", async () => {
  const changed = createChangedIocsStore(restored.db);
  const { watch, read, see } = watchOver(() => changed);

  expect(await watch.refresh()).toBe(true);
  expect(read.splice(0).sort()).toEqual(["5.6.7.10", "5.6.7.8", "5.6.7.9"]);
  await watch.refresh();
  await watch.refresh();
  expect(read).toEqual([]);

  await add(restored.db, "5.6.7.11");
  await watch.refresh();
  expect(new Set(read)).toEqual(new Set(["5.6.7.11"]));
  expect(await see("5.6.7.11")).toEqual(["5.6.7.11"]);
  expect(await see("5.6.7.8")).toEqual(["5.6.7.8"]);
});

it("reloads the indicators if the database was restored onto another server", async () => {
  const stores = [createChangedIocsStore(platform.db), createChangedIocsStore(restored.db)] as const;
  let isRestored = false;
  const { watch, see } = watchOver(() => stores[isRestored ? 1 : 0]);
  await watch.refresh();

  await add(restored.db, "5.6.7.12");
  isRestored = true;
  await watch.refresh();
  expect(await see("5.6.7.12")).toEqual(["5.6.7.12"]);
});

it("keeps restored events in place, and appends new events after them", async () => {
  const before = createEventsStore(platform.db);
  const after = createEventsStore(restored.db);
  const kept = await before.read(0n, 100);
  expect(kept.length).toBeGreaterThan(0);

  const read = await after.read(0n, 100);
  expect(read.slice(0, kept.length).map(({ subject_id }) => subject_id)).toEqual(
    kept.map(({ subject_id }) => subject_id),
  );
  const place = await after.last();
  await add(restored.db, "5.6.7.13");
  expect((await after.read(place, 100)).map(({ type }) => type)).toEqual(["ioc.created"]);
  expect(await after.read(place + 1n, 100)).toEqual([]);
  // The transaction ids of the restored rows belong to the other server and order nothing.
  const { rows } = await sql<{ is_ahead: boolean }>`
    SELECT bool_or(xid > pg_current_xact_id()) AS is_ahead FROM outbox`.execute(restored.db);
  expect(rows).toEqual([{ is_ahead: true }]);
});
