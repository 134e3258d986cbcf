import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createFakeClock, type FakeClock } from "@kit/clock/fake";
import { runCommandLine } from "@kit/config/commands";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createAuditChainStore } from "../../cases/audit-chain/audit-chain.store.ts";
import { createAuditChain } from "../../cases/audit-chain/audit-chain.ts";
import { createAuditChainWorker } from "../../cases/audit-chain/audit-chain.worker.ts";
import { createAuditCheck } from "../../cases/audit-chain/audit-check.ts";
import { signDeletion } from "../../cases/audit-chain/audit-deletion.ts";
import { createLedgerService } from "../../cases/ledger/ledger.service.ts";
import { createShowcaseLedgerStore } from "../../cases/ledger/ledger.showcase.ts";
import { createLedgerStore } from "../../cases/ledger/ledger.store.ts";
import { type AuditStore, createAuditStore } from "../../foundation/audit/audit.store.ts";
import { type LedgerKey, openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { createAuditCommands } from "./audit-commands.ts";

const OLD = "2024-05-01T10:00:00.000Z";
const CHANGE = { actor: "sara", action: "alert.updated", subject_type: "alert", details: {} };
const YEAR_2024 = ["--before", "2025-01-01", "--reason", "end of storage"];

let platform: TestPlatform;
let folder: string;
let clock: FakeClock;
let key: LedgerKey;
let audit: AuditStore;
let worker: ReturnType<typeof createAuditChainWorker>;

beforeEach(async () => {
  platform = await testPlatform("real");
  folder = await mkdtemp(join(tmpdir(), "audit-delete-"));
  clock = createFakeClock();
  key = await openLedgerKey(join(folder, "ledger.key"));
  const { db, runtime } = platform;
  audit = createAuditStore(platform.ids, key);
  const stores = { database: createLedgerStore(db), showcase: createShowcaseLedgerStore([], key) };
  const ledger = createLedgerService({ runtime, stores, key, clock });
  const chain = createAuditChain({ ledger, key, clock });
  const create = () => Promise.resolve({} as never);
  const check = createAuditCheck({ chain, alerts: { create }, key, clock, log: silentLog });
  worker = createAuditChainWorker({ db, runtime, chain, check, key, clock, log: silentLog });
  await minute();
});
afterEach(async () => {
  await platform.close();
  await rm(folder, { recursive: true });
});

/** Adds what waits and checks everything. */
async function minute(): Promise<void> {
  await clock.advance(60_000);
  await worker.round(0);
}

/** Runs as the owner of the database, who can disable triggers. */
async function tamper(statement: string, values: unknown[] = []): Promise<void> {
  const owner = new pg.Client(platform.url);
  await owner.connect();
  await owner.query("SET session_replication_role = replica");
  await owner.query(statement, values);
  await owner.end();
}

/** Writes entries of 2024, which only the owner of the database can do, and then one of today; they join the chain. */
async function recordYears(count: number): Promise<void> {
  const old = Array.from({ length: count }, (_, place) => ({ ...CHANGE, subject_id: `old ${place}` }));
  await audit.recordAll(platform.db, old);
  await tamper(`UPDATE audit_log SET at = '${OLD}'`);
  await minute();
  await audit.record(platform.db, { ...CHANGE, subject_id: "new" });
  await minute();
  expect(await listFaults()).toEqual([]);
}

async function runDelete(...words: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { write: (text: string) => void out.push(text), writeError: (text: string) => void err.push(text) };
  const environment = { SOC_MODE: "real", SOC_DATABASE_URL: platform.url, SOC_DATA_DIR: folder };
  const systemClock = createClock();
  const commands = createAuditCommands({ environment, terminal, clock: systemClock });
  const line = {
    program: "manara-soc",
    version: "1",
    commands,
    terminal,
    sleep: (ms: number, signal: AbortSignal) => systemClock.sleep(ms, signal),
  };
  const code = await runCommandLine(line, ["audit", "delete", ...words]);
  return { code, out: out.join(""), err: err.join("") };
}

/** A pass over the batches, and one over the audit log. */
async function listFaults(): Promise<string[]> {
  await minute();
  await minute();
  return createAuditChainStore(platform.db).listFaults(100);
}

async function listSubjects(): Promise<string[]> {
  const rows = await platform.db.selectFrom("audit_log").select("subject_id").orderBy("id").execute();
  return rows.map(({ subject_id }) => subject_id);
}

async function findId(subject: string): Promise<string> {
  const entries = platform.db.selectFrom("audit_log").select("id").where("subject_id", "=", subject);
  return (await entries.executeTakeFirstOrThrow()).id;
}

const acceptFaults = () => tamper("UPDATE ledger_faults SET is_accepted = true");

it("deletes the entries of old batches, which is no fault, and still finds one that is removed by hand", async () => {
  await recordYears(260);
  const { code, out, err } = await runDelete(...YEAR_2024);
  expect({ code, out, err }).toEqual({
    code: 0,
    out: `260 audit entries are deleted, up to ${OLD}\n`,
    err: "The statement covers the batches 1 to 2.\n",
  });
  expect(await listSubjects()).toEqual(["new"]);
  expect(await listFaults()).toEqual([]);
  const { rows } = await sql<{ statement: unknown }>`SELECT statement FROM audit_deletions`.execute(platform.db);
  expect(rows).toEqual([
    {
      statement: expect.objectContaining({
        batches: 2,
        before: "2025-01-01T00:00:00.000Z",
        reason: "end of storage",
        key_id: key.key_id,
      }),
    },
  ]);
  const again = await runDelete(...YEAR_2024);
  expect(again).toEqual({ code: 0, out: "No batch has only older entries: nothing was deleted\n", err: "" });
  const id = await findId("new");
  await tamper("DELETE FROM audit_log WHERE subject_id = 'new'");
  expect(await listFaults()).toEqual([`audit entry ${id} was removed`]);
});

it("continues after an earlier deletion", async () => {
  await recordYears(3);
  expect(await runDelete(...YEAR_2024)).toMatchObject({ code: 0 });
  await tamper(`UPDATE audit_log SET at = '2025-05-01' WHERE subject_id = 'new'`);
  expect(await listFaults()).toHaveLength(1);
  await acceptFaults();
  const { out } = await runDelete("--before", "2026-01-01", "--reason", "end of storage");
  expect(out).toBe("1 audit entries are deleted, up to 2025-05-01T00:00:00.000Z\n");
  expect(await listSubjects()).toEqual([]);
  expect(await listFaults()).toEqual([]);
});

it("keeps a batch with a newer entry and all batches after it", async () => {
  const record = (...subjects: string[]) =>
    audit.recordAll(
      platform.db,
      subjects.map((subject_id) => ({ ...CHANGE, subject_id })),
    );
  await record("old", "new");
  await tamper(`UPDATE audit_log SET at = '${OLD}' WHERE subject_id = 'old'`);
  await minute();
  await record("late");
  await tamper(`UPDATE audit_log SET at = '${OLD}' WHERE subject_id = 'late'`);
  await minute();
  expect(await listFaults()).toEqual([]);
  expect((await runDelete(...YEAR_2024)).out).toContain("nothing was deleted");
  expect(await listSubjects()).toEqual(["old", "new", "late"]);
});

it.each([
  ["has an alarm", "UPDATE ledger_status SET alarm = 'the root differs'", "because the root differs"],
  ["has a fault of a newer entry", "UPDATE audit_log SET actor = 'noor' WHERE subject_id = 'new'", "was changed"],
])("deletes nothing while the ledger %s", async (_, statement, why) => {
  await recordYears(3);
  await tamper(statement);
  await listFaults();
  expect(await runDelete(...YEAR_2024)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(why) });
  expect(await listSubjects()).toHaveLength(4);
});

it.each([
  ["removed", "DELETE FROM audit_log WHERE subject_id = 'old 7'"],
  ["changed", "UPDATE audit_log SET actor = 'noor' WHERE subject_id = 'old 7'"],
])("deletes nothing while an entry of these batches was %s, until an operator accepts it", async (how, statement) => {
  await recordYears(10);
  const id = await findId("old 7");
  await tamper(statement);
  const kept = await listSubjects();
  const refusal = {
    code: 2,
    out: "",
    err: expect.stringContaining(`nothing was deleted because audit entry ${id} was ${how}`),
  };
  // The background check has not seen it yet.
  expect(await runDelete(...YEAR_2024)).toEqual(refusal);
  expect(await listFaults()).toEqual([`audit entry ${id} was ${how}`]);
  expect(await runDelete(...YEAR_2024)).toEqual(refusal);
  expect(await listSubjects()).toEqual(kept);
  await acceptFaults();
  expect(await runDelete(...YEAR_2024)).toMatchObject({ code: 0 });
  expect(await listSubjects()).toEqual(["new"]);
  expect(await listFaults()).toEqual([]);
});

it("waits for a process that adds or checks entries", async () => {
  await recordYears(3);
  const isLocked = sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
  const { deleting } = await platform.db.transaction().execute(async (tx) => {
    expect(await createAuditChainStore(tx).tryLock()).toBe(true);
    const started = runDelete(...YEAR_2024);
    await vi.waitFor(async () => expect((await isLocked.execute(tx)).rows).toHaveLength(1), { timeout: 20_000 });
    return { deleting: started };
  });
  expect(await deleting).toMatchObject({ code: 0, out: expect.stringContaining("3 audit entries") });
});

it("does not count a statement that no key of the ledger signed", async () => {
  await recordYears(3);
  const made = { batches: 1, before: "2025-01-01T00:00:00.000Z", reason: "forged", at: OLD };
  const other = await openLedgerKey(join(folder, "other.key"));
  const signed = signDeletion(other, made);
  const insert = "INSERT INTO audit_deletions (batches, statement) VALUES ($1, $2)";
  await tamper(insert, [1, JSON.stringify(signed)]);
  await tamper(insert, [2, JSON.stringify({ ...signed, key_id: key.key_id })]);
  await tamper(insert, [3, JSON.stringify({ ...signDeletion(key, { ...made, batches: 2 }), batches: 1 })]);
  const id = await findId("old 1");
  await tamper("DELETE FROM audit_log WHERE subject_id = 'old 1'");
  expect(await listFaults()).toEqual([`audit entry ${id} was removed`]);
});

it("refuses a key that does not sign the ledger, and creates no key", async () => {
  await recordYears(3);
  await tamper("INSERT INTO platform_keys (name, fingerprint) VALUES ('ledger', $1)", ["a".repeat(64)]);
  const wrong = await runDelete(...YEAR_2024);
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("SOC_LEDGER_KEY_FILE: is not the key") });
  await rm(join(folder, "ledger.key"));
  for (let run = 0; run < 2; run += 1) {
    const missing = await runDelete(...YEAR_2024);
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("does not exist") });
  }
  expect(await listSubjects()).toHaveLength(4);
});

it.each([
  [["--reason", "end of storage"], "--before: must be a date"],
  [["--before", "2025-02-30", "--reason", "end of storage"], "--before: must be a date"],
  [["--before", "2999-01-01", "--reason", "end of storage"], "--before: must not be in the future"],
  [["--before", "2025-01-01", "--reason", " "], "--reason: must have 1 to 500 characters"],
  [["--before", "2025-01-01", "--reason", "x".repeat(501)], "--reason: must have 1 to 500 characters"],
])("refuses wrong options: %#", async (words, message) => {
  expect(await runDelete(...words)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
});
