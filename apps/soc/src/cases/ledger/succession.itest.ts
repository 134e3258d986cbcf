import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import type { Database, Tables } from "../../foundation/database/tables.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import { type LedgerKey, openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { createRuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createCheckpointFile } from "./checkpoint-file.store.ts";
import { createLedgerService } from "./ledger.service.ts";
import { createShowcaseLedgerStore } from "./ledger.showcase.ts";
import { createLedgerStore } from "./ledger.store.ts";
import { createLedgerWorker } from "./ledger.worker.ts";
import { CHAIN_OF_KEYS, replaceLedgerKey } from "./replace-key.ts";
import { readSuccession, signSuccession } from "./succession.ts";
import { verifyBundle } from "./verify.ts";
import { compareWithCheckpoints } from "./witnesses.ts";

const clock = createClock();
const ids = createIds(clock);
const ENTRY = { kind: "evidence.created", actor: "sara", body: { name: "disk image" } };
const closing: (() => Promise<unknown>)[] = [];
let folder: string;
let database: Database;
let owner: Kysely<Tables>;
let keys: LedgerKey[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "succession-"));
  const { url } = await freshDatabase();
  database = createDatabase({
    url,
    migrationsFolder: join(import.meta.dirname, "../../migrations"),
    clock,
    log: silentLog,
    onFirstAnswer: async () => undefined,
  });
  expect(await database.isAvailable()).toBe(true);
  owner = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
  });
  keys = await Promise.all([1, 2, 3].map((number) => openLedgerKey(join(folder, `${number}.key`))));
  closing.push(
    () => owner.destroy(),
    () => database.close(),
    () => rm(folder, { recursive: true }),
  );
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const findKey = (number: number): LedgerKey => keys[number - 1] ?? expect.fail("no such key");
const toFile = (witness: string) => join(folder, `${witness}.ndjson`);

/** Starts a process with this key on a host with its own file. */
function startProcess(number: number, witness = "a") {
  const key = findKey(number);
  const runtime = createRuntimeService({ mode: "real", database });
  const stores = { database: createLedgerStore(database.db), showcase: createShowcaseLedgerStore([], key) };
  const file = createCheckpointFile(toFile(witness));
  return {
    ledger: createLedgerService({ runtime, stores, key, clock }),
    worker: createLedgerWorker({ db: database.db, runtime, key, witness, file, clock, log: silentLog }),
  };
}

const append = (process: ReturnType<typeof startProcess>, case_id: string) =>
  database.db.transaction().execute((tx) => process.ledger.append(tx, case_id, ENTRY));
const replace = (from: number, to: number) =>
  owner.transaction().execute((tx) => replaceLedgerKey(tx, findKey(from), findKey(to), clock));

it("continues with the next key without an alarm and proves both keys with the file of any host", async () => {
  const case_id = ids.next();
  const [first, elsewhere] = [startProcess(1), startProcess(1, "b")];
  await append(first, case_id);
  await first.worker.sequence();
  await elsewhere.worker.sequence();
  const former = await first.ledger.bundle(case_id);

  await replace(1, 2);
  await append(first, case_id);
  // The former key signs nothing more, but still accepts evidence.
  await first.worker.sequence();
  expect(await first.ledger.status()).toMatchObject({ alarm: null, tree_size: 1, waiting: 2 });

  const second = startProcess(2);
  await expect(second.ledger.bundle(case_id)).rejects.toMatchObject({ kind: "unavailable", retryAfterSeconds: 5 });
  await second.worker.sequence();
  expect(await second.ledger.status()).toMatchObject({ alarm: null, tree_size: 3, waiting: 0 });
  await expect(first.ledger.bundle(case_id)).rejects.toMatchObject({ kind: "unavailable" });
  await replace(2, 3);
  const third = startProcess(3);
  await third.worker.sequence();
  // This host missed both successions.
  await startProcess(3, "b").worker.sequence();
  expect(await third.ledger.status()).toMatchObject({ alarm: null, tree_size: 4 });

  const latest = await third.ledger.bundle(case_id);
  expect(latest.chain.key_id).toBe(findKey(3).key_id);
  for (const witness of ["a", "b"]) {
    const text = await readFile(toFile(witness), "utf8");
    for (const bundle of [former, latest]) {
      const verdict = await verifyBundle(JSON.parse(JSON.stringify(bundle)), { sha256, verifyEd25519 });
      expect(compareWithCheckpoints(verdict, text)).toMatchObject({ isGenuine: true });
      const cut = text.split("\n").filter((line) => !line.includes("succession"));
      expect(compareWithCheckpoints(verdict, cut.join("\n"))).toMatchObject({ isGenuine: false });
    }
  }
  const chain = await third.ledger.bundle(CHAIN_OF_KEYS);
  expect(chain.entries.map(({ entry }) => readSuccession(entry.body)?.next_key_id)).toEqual([
    findKey(2).key_id,
    findKey(3).key_id,
  ]);
});

it("raises the alarm for a key that the former key has not named", async () => {
  const first = startProcess(1);
  await append(first, ids.next());
  await first.worker.sequence();
  const at = clock.now().toISOString();
  const forged = { ...signSuccession(findKey(3), findKey(2), { tree_size: 1, root_hash: "", at }), ...toNames(1) };
  expect(readSuccession(forged)).toBeUndefined();
  const row = { key_id: findKey(1).key_id, next_key_id: findKey(2).key_id, statement: forged };
  await owner.insertInto("ledger_successions").values(row).execute();
  const second = startProcess(2);
  await second.worker.sequence();
  expect((await second.ledger.status()).alarm).toMatch(/^the checkpoint of .* in the file was not signed by this key$/);
});

it("refuses to replace the key during an alarm or by the database login of the service", async () => {
  const first = startProcess(1);
  await append(first, ids.next());
  await first.worker.sequence();
  const inside = database.db.transaction().execute((tx) => replaceLedgerKey(tx, findKey(1), findKey(2), clock));
  await expect(inside).rejects.toMatchObject({ code: "42501" });
  await owner.updateTable("ledger_witnesses").set({ alarm: "set back" }).execute();
  await expect(replace(1, 2)).rejects.toMatchObject({ message: "ledger: the key was not replaced because set back" });
});

const toNames = (number: number) => ({ key_id: findKey(number).key_id, public_key: findKey(number).public_key });
