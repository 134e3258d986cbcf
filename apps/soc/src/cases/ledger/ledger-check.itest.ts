import { appendFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { createCheckpointFile } from "./checkpoint-file.store.ts";
import { createLedgerService, type LedgerService } from "./ledger.service.ts";
import { createShowcaseLedgerStore } from "./ledger.showcase.ts";
import { createLedgerStore } from "./ledger.store.ts";
import { createLedgerWorker, type LedgerWorker } from "./ledger.worker.ts";

const [ONE, TWO] = ["0197f000-0000-7000-8000-0000000000c1", "0197f000-0000-7000-8000-0000000000c2"];
let platform: TestPlatform;
let ledger: LedgerService;
let worker: LedgerWorker;
let otherWorker: LedgerWorker;
let checkpoints: string;
const clock = createFakeClock();

beforeEach(async () => {
  platform = await testPlatform("real");
  const { db, runtime } = platform;
  const folder = await mkdtemp(join(tmpdir(), "ledger-"));
  checkpoints = join(folder, "checkpoints.ndjson");
  const key = await openLedgerKey(join(folder, "key.pem"));
  const stores = { database: createLedgerStore(db), showcase: createShowcaseLedgerStore([], key) };
  ledger = createLedgerService({ runtime, stores, key, clock });
  const file = createCheckpointFile(checkpoints);
  const open = () => createLedgerWorker({ db, runtime, key, witness: "box", file, clock, log: silentLog });
  [worker, otherWorker] = [open(), open()];
});
afterEach(() => platform.close());

async function append(case_id: string, count: number): Promise<void> {
  await platform.db.transaction().execute(async (tx) => {
    for (let i = 1; i <= count; i += 1) {
      await ledger.append(tx, case_id, { kind: "evidence.created", actor: "sara", body: { number: i } });
    }
  });
}

/** Creates two chains of three entries and signs an intact checkpoint. */
async function signTwoChains(): Promise<void> {
  await append(ONE, 3);
  await append(TWO, 3);
  await minute();
  expect(await ledger.status()).toMatchObject({ alarm: null, tree_size: 6, faults: [] });
}

/** Runs as the owner of the database, who can disable triggers and foreign keys. */
async function tamper(...statements: string[]): Promise<void> {
  const owner = new pg.Client(platform.url);
  await owner.connect();
  await owner.query("SET session_replication_role = replica");
  for (const statement of statements) await owner.query(statement);
  await owner.end();
}

async function minute(by = worker): Promise<void> {
  await clock.advance(60_000);
  await by.sequence();
}

it.each([
  ["changed", `UPDATE ledger_entries SET body = '{"number":7}' WHERE case_id = '${ONE}' AND sequence = 2`],
  ["changed", `UPDATE ledger_entries SET actor = 'other' WHERE case_id = '${ONE}' AND sequence = 2`],
  ["removed", `DELETE FROM ledger_entries WHERE case_id = '${ONE}' AND sequence = 2`],
])("names an entry that was %s in the database by its owner: %s", async (how, statement) => {
  await signTwoChains();
  await tamper(statement);
  await minute();
  expect((await ledger.status()).alarm).toMatch(new RegExp(`^entry ${ONE}/2 was ${how}`));
});

it("names an entry whose content and hash were both replaced", async () => {
  await signTwoChains();
  await tamper(
    `UPDATE ledger_entries AS entry SET body = other.body, actor = other.actor, entry_hash = other.entry_hash
     FROM ledger_entries AS other
     WHERE entry.case_id = '${ONE}' AND entry.sequence = 3 AND other.case_id = '${TWO}' AND other.sequence = 3`,
  );
  await minute();
  expect((await ledger.status()).faults).toContainEqual(`entry ${ONE}/3 was changed`);
});

it("names both entries when their places were swapped", async () => {
  await signTwoChains();
  await tamper(
    "ALTER TABLE ledger_leaves DROP CONSTRAINT ledger_leaves_case_id_sequence_key",
    `UPDATE ledger_leaves SET case_id = CASE WHEN case_id = '${ONE}' THEN '${TWO}' ELSE '${ONE}' END::uuid
     WHERE sequence = 1`,
  );
  await minute();
  expect((await ledger.status()).faults).toEqual([
    `entry ${ONE}/1 is not the one that was signed at place 3`,
    `entry ${TWO}/1 is not the one that was signed at place 0`,
  ]);
});

it("detects a chain that was deleted without a trace", async () => {
  await signTwoChains();
  await tamper(
    `DELETE FROM ledger_leaves WHERE case_id = '${ONE}'`,
    `DELETE FROM ledger_entries WHERE case_id = '${ONE}'`,
  );
  await minute();
  expect((await ledger.status()).faults).toEqual([
    "place 0 of the tree is empty",
    "place 1 of the tree is empty",
    "place 2 of the tree is empty",
  ]);
});

it("detects an entry that the service did not add", async () => {
  await signTwoChains();
  await tamper(`INSERT INTO ledger_entries SELECT case_id, 4, entry_hash, repeat('a', 64), kind, actor, at, body
    FROM ledger_entries WHERE case_id = '${ONE}' AND sequence = 3`);
  await minute();
  expect((await ledger.status()).alarm).toBe(`entry ${ONE}/4 is neither in the tree nor waiting for it`);
});

it("signs no entry that was changed before its first checkpoint", async () => {
  await append(ONE, 2);
  await tamper(`UPDATE ledger_entries SET actor = 'other' WHERE sequence = 2`);
  await minute();
  expect(await ledger.status()).toMatchObject({ alarm: `entry ${ONE}/2 was changed`, tree_size: 0, waiting: 2 });
});

it.each([
  "UPDATE ledger_nodes SET hash = repeat('0', 64) WHERE level = 1 AND position = 0",
  "DELETE FROM ledger_nodes WHERE level = 1 AND position = 0",
])("detects %s", async (statement) => {
  await signTwoChains();
  await tamper(statement);
  await minute();
  expect((await ledger.status()).faults).toEqual(["node 1/0 of the tree was changed or removed"]);
});

it("keeps the alarm when another process checks, and ends it when the entry is restored", async () => {
  await signTwoChains();
  await tamper("UPDATE ledger_entries SET actor = 'other' WHERE sequence = 2");
  await minute();
  await append(ONE, 1);
  await minute(otherWorker);
  expect(await ledger.status()).toMatchObject({ alarm: `entry ${ONE}/2 was changed, and 1 more`, tree_size: 6 });
  await tamper("UPDATE ledger_entries SET actor = 'sara' WHERE sequence = 2");
  await minute(otherWorker);
  await minute(otherWorker);
  expect(await ledger.status()).toMatchObject({ alarm: null, tree_size: 7, faults: [] });
});

it("signs again after the operator accepts a fault, and reports the next fault", async () => {
  await signTwoChains();
  await tamper(`UPDATE ledger_entries SET actor = 'other' WHERE case_id = '${ONE}' AND sequence = 2`);
  await minute();
  await appendFile(checkpoints, '{"accepted_by":"noor","reason":"known incident"}\n');
  await append(TWO, 1);
  await minute();
  await minute();
  expect(await ledger.status()).toMatchObject({ alarm: null, tree_size: 7 });
  await tamper(`UPDATE ledger_entries SET actor = 'other' WHERE case_id = '${TWO}' AND sequence = 1`);
  await minute();
  expect((await ledger.status()).alarm).toBe(`entry ${TWO}/1 was changed`);
});

it("checks a ledger of several pieces completely and names a fault in the middle", async () => {
  await append(ONE, 600);
  await append(TWO, 500);
  for (let i = 0; i < 3; i += 1) await minute();
  const began = clock.now().toISOString();
  expect((await ledger.status()).alarm).toBeNull();
  await tamper(`UPDATE ledger_entries SET kind = 'x' WHERE case_id = '${TWO}' AND sequence = 30`);
  for (let i = 0; i < 4; i += 1) await minute();
  const status = await ledger.status();
  expect(status.faults).toEqual([`entry ${TWO}/30 was changed`]);
  expect(status.fully_checked_at && status.fully_checked_at > began).toBe(true);
});
