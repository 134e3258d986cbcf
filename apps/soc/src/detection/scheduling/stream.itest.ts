import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { silentLog } from "@kit/log/silent";
import type { Condition } from "@kit/query/condition";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { insertRules } from "../../../testing/fixtures/detection-load.ts";
import { createTestedRules } from "../../../testing/fixtures/detection-rules.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { openLogStore } from "../../adapters/log-store.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import type { Database } from "../../foundation/database/tables.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { createAccountingStore } from "./accounting.store.ts";
import { createBackfillService } from "./backfill.service.ts";
import { createBackfillStore } from "./backfill.store.ts";
import { createStreamStore } from "./stream.store.ts";
import { createStreamWorker } from "./stream.worker.ts";
import type { StreamRules } from "./stream-rules.ts";

const clock = createClock();
const ids = createIds(clock);
let owner: pg.Client;
let database: Database;
let engine: Awaited<ReturnType<typeof startLogStore>>;

beforeAll(async () => {
  const { url } = await freshDatabase();
  owner = new pg.Client(url);
  await owner.connect();
  database = createDatabase({ url, migrationsFolder: "", clock, log: silentLog, onFirstAnswer: async () => undefined });
  engine = await startLogStore();
});

afterAll(async () => {
  await database.close();
  await owner.end();
  await engine.stop();
});

beforeEach(async () => {
  for (const table of ["matches", "runs", "counts", "backfills", "batches", "coverage", "rules"]) {
    await owner.query(`DELETE FROM detection_${table}`);
  }
  await owner.query("UPDATE detection_stream SET position = clock_timestamp(), leads_until = '-infinity'");
});

/** The ingest time of the log that is currently being stored. */
let storing: Date | undefined;

/** Stores logs with the word that the given rule matches. */
async function store(rule: number, count = 1, fields: Partial<LogEvent> = {}) {
  storing = clock.now();
  const at = storing.toISOString();
  const logs = Array.from({ length: count }, () =>
    sampleLog({ id: ids.next(), timestamp: at, ingested_at: at, message: `a needle${rule}x in the hay`, ...fields }),
  );
  await engine.store.insert(logs, { token: ids.next() });
  storing = undefined;
  // Ensures that the next log has a later time.
  await clock.sleep(2);
  return logs;
}

interface StreamOptions {
  rules?: Partial<StreamRules>;
  logStore?: Partial<LogStore>;
  name?: string;
  /** Replaces the condition of all rules. */
  condition?: Condition;
  warn?: Log["warn"];
}

function startStream(options: StreamOptions = {}) {
  const { db } = database;
  const rules = { ...createTestedRules({ db, logStore: engine.store, clock, ids }), ...options.rules };
  const accounting = createAccountingStore(db);
  const worker = createStreamWorker({
    worker: options.name ?? "stream",
    stream: createStreamStore(db),
    rules,
    listStreaming: async () => {
      const owned = await accounting.listOwned("stream");
      const found = await rules.find(owned.map(({ id }) => id));
      return found.map((rule) => ({ ...rule, condition: options.condition ?? rule.condition }));
    },
    logs: { ...engine.store, ...options.logStore },
    watermark: async () => storing ?? clock.now(),
    isAllowed: async () => true,
    clock,
    log: { ...silentLog, ...(options.warn && { warn: options.warn }) },
  });
  worker.start();
  return { worker };
}

/** The part of a dispatcher tick that the stream needs. */
async function syncAndBackfill(): Promise<void> {
  const { db } = database;
  await createAccountingStore(db).sync();
  const backfills = createBackfillStore(db);
  const rules = createTestedRules({ db, logStore: engine.store, clock, ids });
  const backfill = createBackfillService({ backfills, rules, log: silentLog });
  await owner.query("UPDATE detection_backfills SET next_attempt_at = now() - interval '1 s'");
  for (const { id } of await backfills.claimDue(100)) await backfill.run(id);
}

async function matched(): Promise<string[]> {
  const { rows } = await owner.query<{ log_id: string }>("SELECT log_id FROM detection_matches ORDER BY log_id");
  return rows.map(({ log_id }) => log_id);
}

async function position(): Promise<Date> {
  const { rows } = await owner.query<{ position: Date }>("SELECT position FROM detection_stream");
  return rows[0]?.position ?? expect.fail("there is no stream");
}

async function passed(instant: Date): Promise<void> {
  await expect.poll(async () => (await position()) > instant, { timeout: 20_000 }).toBe(true);
}

it("raises one alert per entity, with its entities and the times of its events", async () => {
  await insertRules(owner, 3, { isScheduled: false });
  await owner.query("UPDATE detection_rules SET alert_title_template = '{rule_name} on {entity}'");
  await syncAndBackfill();
  const { worker } = startStream();
  const seen = [
    { host: "WS-7", user: "CORP\\ann", src_ip: "::ffff:192.0.2.7", timestamp: "2020-08-07T10:00:00.000Z" },
    { host: "ws-7.corp.example", user: "ann", src_ip: "192.0.2.7", timestamp: "2020-08-07T09:00:00.000Z" },
    { host: "WS-8", user: "bob", timestamp: "2020-08-07T11:00:00.000Z" },
    { user: "eve@corp.example", timestamp: "2020-08-07T12:00:00.000Z" },
  ];
  for (const fields of seen) await store(1, 1, fields);
  await passed(clock.now());
  await worker.close();
  const { rows } = await owner.query(
    "SELECT title, host, entities, event_first_at, event_last_at FROM alerts WHERE title LIKE 'rule 1 on %' ORDER BY title",
  );
  expect(rows).toMatchObject([
    { title: "rule 1 on eve", host: null, event_first_at: new Date("2020-08-07T12:00:00.000Z") },
    {
      title: "rule 1 on ws-7",
      entities: {
        hosts: [{ name: "ws-7", full_name: "ws-7.corp.example", count: 2 }],
        users: [{ name: "ann", full_name: "CORP\\ann", count: 2 }],
        addresses: [{ name: "192.0.2.7", count: 2 }],
        is_complete: true,
      },
      event_first_at: new Date("2020-08-07T09:00:00.000Z"),
      event_last_at: new Date("2020-08-07T10:00:00.000Z"),
    },
    { title: "rule 1 on ws-8", host: "WS-8" },
  ]);
});

it("matches new logs and raises one alert per title", async () => {
  await insertRules(owner, 3, { isScheduled: false });
  await syncAndBackfill();
  const { worker } = startStream();
  const logs = [...(await store(1, 2)), ...(await store(1))];
  await store(7);
  await passed(clock.now());
  await worker.close();
  expect(await matched()).toEqual(logs.map(({ id }) => id).toSorted());
  const { rows } = await owner.query("SELECT title, log_ids FROM alerts WHERE title = 'rule 1'");
  expect(rows).toHaveLength(1);
  expect(new Set(rows[0]?.log_ids)).toEqual(new Set(logs.map(({ id }) => id)));
});

it("accounts for time as capped, and logs once, if a regular expression is too expensive for its logs", async () => {
  await insertRules(owner, 1, { isScheduled: false });
  await syncAndBackfill();
  const warned: object[] = [];
  const condition: Condition = {
    ...{ kind: "regex", field: { name: "message" }, source: "a.{900}c", isCased: true },
    ...{ isMultiline: false, dotAll: false },
  };
  const { worker } = startStream({ condition, warn: (fields) => void warned.push(fields) });
  const bits = Array.from({ length: 20_000 }, (_, n) => (Math.imul(n ^ (n >>> 7), 2_654_435_761) >>> 28) & 1);
  const message = `${bits.map((bit) => "ab"[bit]).join("")}c`;
  for (let turn = 0; turn < 2; turn += 1) {
    await store(0, 1, { message });
    await passed(clock.now());
  }
  await worker.close();
  const { rows } = await owner.query("SELECT rule_id, capped_s > 0 AS is_capped FROM detection_coverage");
  expect(rows).toEqual([{ rule_id: expect.any(String), is_capped: true }]);
  expect(warned).toEqual([{ rule_id: rows[0]?.rule_id, events: 1 }]);
});

it("misses no log that arrived before a new rule was loaded", async () => {
  const { worker } = startStream();
  await insertRules(owner, 2, { isScheduled: false });
  await clock.sleep(2);
  const logs = await store(1, 5);
  // The stream passes these logs without the rule.
  await passed(clock.now());
  expect(await matched()).toEqual([]);
  await syncAndBackfill();
  const more = await store(1);
  await passed(clock.now());
  await worker.close();
  expect(await matched()).toEqual([...logs, ...more].map(({ id }) => id).toSorted());
});

it("evaluates again with the new rules if they change during a pass", async () => {
  let isHeld = true;
  let isReading = false;
  await insertRules(owner, 1, { isScheduled: false });
  await syncAndBackfill();
  const before = await position();
  const read: LogStore["read"] = async function* (window) {
    isReading ||= window.from.getTime() === before.getTime();
    while (isReading && isHeld) await clock.sleep(5);
    yield* engine.store.read(window);
  };
  const logs = await store(1);
  const { worker } = startStream({ logStore: { read } });
  await expect.poll(() => isReading).toBe(true);
  await owner.query("UPDATE detection_rules SET query = 'message:*needle1x*', version = 2, updated_at = $1", [before]);
  await createAccountingStore(database.db).sync();
  isHeld = false;
  await passed(clock.now());
  await worker.close();
  expect(await matched()).toEqual(logs.map(({ id }) => id));
});

it("continues where a worker stopped before it stored any of its matches", async () => {
  await insertRules(owner, 1, { isScheduled: false });
  await syncAndBackfill();
  const logs = await store(0, 3);
  const never = () => new Promise<void>(() => undefined);
  // Hangs while it raises matches, which looks like a killed worker to the others.
  startStream({ rules: { raise: never }, name: "killed" });
  await clock.sleep(500);
  expect(await matched()).toEqual([]);
  const { worker } = startStream({ name: "next" });
  await passed(clock.now());
  await worker.close();
  expect(await matched()).toEqual(logs.map(({ id }) => id).toSorted());
});

it("hands the stream over to a worker that can read logs if its leader no longer can", async () => {
  await insertRules(owner, 1, { isScheduled: false });
  await syncAndBackfill();
  const recent = { folder: engine.recentFolder, log: silentLog };
  const lost = openLogStore({ addresses: ["unix:/nonexistent/engine"], retentionDays: 90, recent, clock });
  let isLost = false;
  const read: LogStore["read"] = (window) => (isLost ? lost : engine.store).read(window);
  const { worker: broken } = startStream({ logStore: { read }, name: "broken" });
  const logs = await store(0);
  await passed(clock.now());
  isLost = true;
  const { worker: healthy } = startStream({ name: "healthy" });
  logs.push(...(await store(0)));
  await passed(clock.now());
  const { rows } = await owner.query<{ leader: string }>("SELECT leader FROM detection_stream");
  expect(rows[0]?.leader).toBe("healthy");
  await broken.close();
  await healthy.close();
  await lost.close();
  expect(await matched()).toEqual(logs.map(({ id }) => id).toSorted());
});

it("does not let a rule whose matches cannot be raised block the others, and backfills it", async () => {
  await insertRules(owner, 2, { isScheduled: false });
  await syncAndBackfill();
  const real = createTestedRules({ db: database.db, logStore: engine.store, clock, ids });
  const { rows } = await owner.query<{ id: string }>("SELECT id FROM detection_rules WHERE name = 'rule 0'");
  const raise: StreamRules["raise"] = async (rule, logs) => {
    if (rule.id === rows[0]?.id) throw new Error("planted");
    await real.raise(rule, logs);
  };
  const { worker } = startStream({ rules: { raise } });
  const failing = await store(0);
  const logs = await store(1);
  await passed(clock.now());
  await worker.close();
  expect(await matched()).toEqual(logs.map(({ id }) => id));
  await syncAndBackfill();
  expect(await matched()).toEqual([...failing, ...logs].map(({ id }) => id).toSorted());
});

it("moves a rule from the schedule to the stream and back without losing a log", async () => {
  await insertRules(owner, 1, { isScheduled: true });
  await syncAndBackfill();
  const { worker } = startStream();
  const logs = await store(0);
  await passed(clock.now());
  await owner.query("UPDATE detection_rules SET schedule_enabled = false, version = 2, updated_at = clock_timestamp()");
  logs.push(...(await store(0)));
  await passed(clock.now());
  await syncAndBackfill();
  logs.push(...(await store(0)));
  await passed(clock.now());
  expect(await matched()).toEqual(logs.map(({ id }) => id).toSorted());

  await owner.query("UPDATE detection_rules SET schedule_enabled = true, version = 3, updated_at = clock_timestamp()");
  // The coverage still assigns the rule to the stream, which continues to evaluate it.
  const between = await store(0);
  await passed(clock.now());
  await syncAndBackfill();
  const after = await store(0);
  await passed(clock.now());
  await worker.close();
  expect(await matched()).toEqual([...logs, ...between].map(({ id }) => id).toSorted());
  const { rows } = await owner.query<{ window_from: Date }>("SELECT window_from FROM detection_coverage");
  expect(rows[0]?.window_from.toISOString() ?? "").toSatisfy((from: string) => from <= (after[0]?.ingested_at ?? ""));
});
