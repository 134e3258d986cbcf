import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { realPlatform } from "../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../testing/servers/fresh-database.ts";
import { startLogStore } from "../../testing/servers/log-engine.ts";
import { buildShowcase } from "../demo/showcase.ts";
import { createAccountingStore } from "../detection/scheduling/accounting.store.ts";
import type { Registrations } from "../foundation/base.ts";
import { ALL_SITES } from "../foundation/caller/caller.ts";
import { storeDemo } from "./demo.ts";

const HOUR_MS = 3_600_000;
const LOGS = 1079;
const ALL_TIME = {
  from: new Date(0),
  to: new Date(Date.UTC(2299, 0, 1)),
  scope: ALL_SITES,
  where: { sql: "1", parameters: {} },
};
const clock = createClock();

let folder: string;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let platform: Awaited<ReturnType<typeof realPlatform>>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "soc-"));
  logs = await startLogStore();
  platform = await realPlatform((await freshDatabase()).url, folder, logs.store);
  await vi.waitFor(async () => expect(await platform.database.isAvailable()).toBe(true), { timeout: 30_000 });
});

afterEach(async () => {
  await platform.database.close();
  await logs.stop();
  await rm(folder, { recursive: true });
});

/** Stores the demo with a clock that may be ahead, and with features of which one may fail. */
function store({ laterMs = 0, broken = {} }: { laterMs?: number; broken?: Registrations } = {}) {
  return storeDemo({
    db: platform.database.db,
    registrations: [...platform.platform.registrations, broken],
    openLogStore: async () => logs.store,
    audit: platform.base.audit,
    clock: { now: () => new Date(clock.now().getTime() + laterMs) },
    ids: createIds(clock),
  });
}

async function countRows(table: string): Promise<number> {
  const { rows } = await sql<{ found: number }>`SELECT count(*)::int AS found FROM ${sql.table(table)}`.execute(
    platform.database.db,
  );
  return rows[0]?.found ?? 0;
}

const countLogs = () => logs.store.count({ ...ALL_TIME, time: "ingested_at" }, 10 * LOGS);
const fail = async () => Promise.reject(new Error("the power failed"));

it("stores the demo once, however often it is called", async () => {
  expect(await store()).toBe("stored");
  const before = [
    await countLogs(),
    await countRows("alerts"),
    await countRows("reports"),
    await countRows("audit_log"),
  ];
  expect(before.slice(0, 3)).toEqual([LOGS, 46, 6]);
  expect(await store({ laterMs: HOUR_MS })).toBe("exists");
  const after = [
    await countLogs(),
    await countRows("alerts"),
    await countRows("reports"),
    await countRows("audit_log"),
  ];
  expect(after).toEqual(before);
});

it("continues after a failure between logs and records, and gives the records the times of the stored logs", async () => {
  await expect(store({ broken: { storeDemo: fail } })).rejects.toThrow("the power failed");
  expect([await countLogs(), await countRows("alerts"), await countRows("users")]).toEqual([LOGS, 0, 0]);
  expect(await store({ laterMs: HOUR_MS })).toBe("stored");
  expect([await countLogs(), await countRows("alerts")]).toEqual([LOGS, 46]);
  const { rows } = await sql<{ log_id: string; event_first_at: Date }>`
    SELECT log_ids[1] AS log_id, event_first_at FROM alerts WHERE cardinality(log_ids) = 1 LIMIT 1`.execute(
    platform.database.db,
  );
  const stored = await logs.store.search({ ...ALL_TIME, time: "timestamp", order: "newest", limit: LOGS });
  const log = stored.find(({ id }) => id === rows[0]?.log_id);
  expect(log?.timestamp).toBe(rows[0]?.event_first_at.toISOString());
});

it("continues after a failure between records and reports", async () => {
  await expect(store({ broken: { completeDemo: fail } })).rejects.toThrow("the power failed");
  await sql`DELETE FROM reports WHERE format = 'pdf'`.execute(platform.database.db);
  expect(await store()).toBe("stored");
  expect([await countLogs(), await countRows("alerts"), await countRows("reports")]).toEqual([LOGS, 46, 6]);
});

it("refuses a database that has the records of an older release", async () => {
  const showcase = buildShowcase(clock.now());
  await platform.database.db.transaction().execute(async (tx) => {
    for (const each of platform.platform.registrations) await each.storeDemo?.(tx, showcase);
  });
  expect(await store()).toBe("refused");
  expect([await countLogs(), await countRows("alerts"), await countRows("reports")]).toEqual([0, 46, 0]);
});

it("counts the past of its rules as evaluated", async () => {
  await store();
  expect(await createAccountingStore(platform.database.db).sync()).toBe(0);
  expect([await countRows("detection_coverage"), await countRows("detection_backfills")]).toEqual([15, 0]);
});

it("counts each alert of a rule once in the ATT&CK coverage", async () => {
  await store();
  const { rows } = await sql<{ counted: number; raised: number }>`
    SELECT (SELECT sum(alerts)::int FROM detection_counts) AS counted,
      (SELECT count(*)::int FROM alerts WHERE rule_id IS NOT NULL) AS raised`.execute(platform.database.db);
  expect(rows).toEqual([{ counted: 10, raised: 10 }]);
});

it("watches none of its sources until they have sent for hours", async () => {
  await store();
  const { rows } = await sql<{ watched: number; silent: number }>`
    SELECT count(*) FILTER (WHERE last_seen >= watched_from)::int AS watched, count(silent_since)::int AS silent
    FROM log_sources`.execute(platform.database.db);
  expect(rows).toEqual([{ watched: 0, silent: 1 }]);
});
