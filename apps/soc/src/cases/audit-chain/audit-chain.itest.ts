import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import type { NewAlert } from "../../alerts/module.ts";
import { type AuditStore, createAuditStore } from "../../foundation/audit/audit.store.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import { type LedgerKey, openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { createCheckpointFile } from "../ledger/checkpoint-file.store.ts";
import { createLedgerService, type LedgerService } from "../ledger/ledger.service.ts";
import { createShowcaseLedgerStore } from "../ledger/ledger.showcase.ts";
import { createLedgerStore } from "../ledger/ledger.store.ts";
import { createLedgerWorker, type LedgerWorker } from "../ledger/ledger.worker.ts";
import { replaceLedgerKey } from "../ledger/replace-key.ts";
import { createAuditChainStore } from "./audit-chain.store.ts";
import { createAuditChain } from "./audit-chain.ts";
import { createAuditChainWorker } from "./audit-chain.worker.ts";
import { createAuditCheck } from "./audit-check.ts";

let platform: TestPlatform;
let clock: FakeClock;
let key: LedgerKey;
let audit: AuditStore;
let ledger: LedgerService;
let ledgerWorker: LedgerWorker;
let alerts: NewAlert[];
let worker: ReturnType<typeof openWorker>;

beforeEach(async () => {
  platform = await testPlatform("real");
  clock = createFakeClock();
  alerts = [];
  const { db, runtime } = platform;
  const folder = await mkdtemp(join(tmpdir(), "audit-chain-"));
  key = await openLedgerKey(join(folder, "key.pem"));
  audit = createAuditStore(platform.ids, key);
  const stores = { database: createLedgerStore(db), showcase: createShowcaseLedgerStore([], key) };
  ledger = createLedgerService({ runtime, stores, key, clock });
  const file = createCheckpointFile(join(folder, "checkpoints.ndjson"));
  ledgerWorker = createLedgerWorker({ db, runtime, key, witness: "box", file, clock, log: silentLog });
  worker = openWorker();
});
afterEach(() => platform.close());

function openWorker() {
  const { db, runtime } = platform;
  const chain = createAuditChain({ ledger, key, clock });
  const create = async (_tx: unknown, _caller: unknown, alert: NewAlert) => {
    alerts.push(alert);
    return Promise.reject(new Error("the alert is not read")).catch(() => ({}) as never);
  };
  const check = createAuditCheck({ chain, alerts: { create }, key, clock, log: silentLog });
  return createAuditChainWorker({ db, runtime, chain, check, key, clock, log: silentLog });
}

async function record(...actions: string[]): Promise<void> {
  for (const action of actions) {
    await audit.record(platform.db, {
      actor: "sara",
      action,
      subject_type: "approval",
      subject_id: "one",
      details: { approved: true, at: new Date("2026-11-20T00:00:00.000Z"), ratio: 0.1, nested: { b: 1, a: null } },
    });
  }
}

/** Adds what waits, checks everything, and signs a checkpoint. */
async function minute(by = worker): Promise<void> {
  await clock.advance(60_000);
  await by.round(0);
  await ledgerWorker.sequence();
}

/** Runs as the owner of the database, who can disable triggers. */
async function tamper(...statements: string[]): Promise<void> {
  const owner = new pg.Client(platform.url);
  await owner.connect();
  await owner.query("SET session_replication_role = replica");
  for (const statement of statements) await owner.query(statement);
  await owner.end();
}

const listFaults = () => createAuditChainStore(platform.db).listFaults(100);
const idOf = async (action: string) =>
  (await platform.db.selectFrom("audit_log").select("id").where("action", "=", action).executeTakeFirstOrThrow()).id;

async function countPositions() {
  const { rows } = await sql<{ entries: number; positions: number; waiting: number }>`
    SELECT (SELECT count(*) FROM audit_log)::int AS entries, (SELECT count(*) FROM audit_positions)::int AS positions,
      (SELECT count(*) FROM audit_waiting)::int AS waiting`.execute(platform.db);
  return rows[0];
}

it("adds every audit entry to the ledger once", async () => {
  await minute();
  await record("approval.approved", "approval.rejected");
  await audit.recordAll(
    platform.db,
    Array.from({ length: 600 }, (_, place) => ({
      actor: "sara",
      action: `alert.updated${place}`,
      subject_type: "alert",
      subject_id: "one",
      details: {},
    })),
  );
  await Promise.all([minute(), openWorker().round(0)]);
  await minute();
  expect(await countPositions()).toEqual({ entries: 602, positions: 602, waiting: 0 });
  expect(await listFaults()).toEqual([]);
  expect(await ledger.status()).toMatchObject({ alarm: null, waiting: 0 });
});

it.each([
  ["changed", "UPDATE audit_log SET actor = 'noor' WHERE action = 'approval.approved'"],
  ["changed", `UPDATE audit_log SET details = details || '{"approved":false}' WHERE action = 'approval.approved'`],
  ["changed", "UPDATE audit_log SET at = at - interval '1 day' WHERE action = 'approval.approved'"],
  ["removed", "DELETE FROM audit_log WHERE action = 'approval.approved'"],
])("names an entry that the owner of the database %s: %s", async (how, statement) => {
  await minute();
  await record("approval.created", "approval.approved", "approval.used");
  await minute();
  expect(await listFaults()).toEqual([]);
  const id = await idOf("approval.approved");
  await tamper(statement);
  await minute();
  await minute();
  expect(await listFaults()).toEqual([`audit entry ${id} was ${how}`]);
  expect(alerts).toHaveLength(1);
  expect(alerts[0]?.title).toContain(`audit entry ${id} was ${how}`);
  expect((await ledger.status()).alarm).toBe(`audit entry ${id} was ${how}`);
});

const INSERT = `INSERT INTO audit_log (id, actor, action, subject_type, subject_id)
  VALUES ('0197f000-0000-7000-8000-0000000000aa', 'noor', 'approval.approved', 'approval', 'two')`;
const INSERTED = "audit entry 0197f000-0000-7000-8000-0000000000aa was inserted or changed before it joined the chain";

it.each([
  ["alone", []],
  [
    "and listed as waiting",
    [
      `INSERT INTO audit_waiting (entry_ids, hashes, key_id, seal)
       VALUES ('{0197f000-0000-7000-8000-0000000000aa}', ARRAY[repeat('a', 64)], repeat('b', 64), repeat('c', 128))`,
    ],
  ],
  [
    "with the seal of another entry",
    [
      `INSERT INTO audit_waiting (entry_ids, hashes, key_id, seal)
       SELECT '{0197f000-0000-7000-8000-0000000000aa}', hashes, key_id, seal FROM audit_waiting`,
    ],
  ],
])("names an entry that the owner of the database inserted %s", async (_, others) => {
  await minute();
  await record("approval.created");
  await tamper(INSERT, ...others);
  await minute();
  await minute();
  expect(await listFaults()).toEqual([INSERTED]);
  expect(alerts).toHaveLength(1);
  await tamper("DELETE FROM audit_log WHERE subject_id = 'two'");
  await minute();
  await minute();
  expect(await listFaults()).toEqual([]);
  expect((await ledger.status()).alarm).toBeNull();
});

it.each([
  ["removed", "DELETE FROM audit_log WHERE action = 'approval.approved'", "was removed before it joined the chain"],
  ["changed", "UPDATE audit_log SET actor = 'noor'", "was inserted or changed before it joined the chain"],
])("names an entry that was %s before it joined the ledger", async (_, statement, what) => {
  await minute();
  await record("approval.approved");
  const id = await idOf("approval.approved");
  await tamper(statement);
  await minute();
  await minute();
  expect(await listFaults()).toEqual([`audit entry ${id} ${what}`]);
});

it("names an entry whose position was removed from the index", async () => {
  await minute();
  await record("approval.approved");
  await minute();
  const id = await idOf("approval.approved");
  await tamper("DELETE FROM audit_positions");
  await minute();
  // The check first misses the position, and then finds an entry that the chain does not seem to have.
  expect(await listFaults()).toEqual([expect.stringContaining(id)]);
});

it("marks entries of the time before the chain, and those of a former release during the upgrade", async () => {
  await createAuditStore(platform.ids).record(platform.db, {
    actor: "sara",
    action: "user.created",
    subject_type: "user",
    subject_id: "noor",
    details: {},
  });
  await record("approval.approved");
  await minute();
  await createAuditStore(createIds(clock)).record(platform.db, {
    actor: "sara",
    action: "user.updated",
    subject_type: "user",
    subject_id: "noor",
    details: {},
  });
  await minute();
  await minute();
  const batches = await createAuditChainStore(platform.db).listBatches(1, 10);
  expect(batches.map(({ body }) => body)).toEqual([
    expect.objectContaining({ origin: "before_chain" }),
    expect.objectContaining({ origin: "service" }),
    expect.objectContaining({ origin: "before_chain" }),
  ]);
  expect(await listFaults()).toEqual([]);
  await clock.advance(25 * 3600 * 1000);
  await tamper(INSERT);
  await minute();
  await minute();
  expect(await listFaults()).toEqual([INSERTED]);
});

it("continues with the next key and accepts entries that the former key sealed", async () => {
  await minute();
  await record("approval.approved");
  const pool = new pg.Pool({ connectionString: platform.url, max: 1 });
  const owner = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const next = await openLedgerKey(join(await mkdtemp(join(tmpdir(), "audit-key-")), "key.pem"));
  await owner.transaction().execute((tx) => replaceLedgerKey(tx, key, next, clock));
  await owner.destroy();
  await worker.round(0);
  expect(await countPositions()).toMatchObject({ positions: 0 });
  key = next;
  await openWorker().round(0);
  expect(await countPositions()).toMatchObject({ positions: 1, waiting: 0 });
  expect(await listFaults()).toEqual([]);
});
