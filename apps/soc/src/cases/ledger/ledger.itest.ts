import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import type { Database } from "../../foundation/database/tables.ts";
import { encodeCursor } from "../../foundation/lists/page.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import { openLedgerKey } from "../../foundation/records/ledger-key.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { createRuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { type CheckpointFile, createCheckpointFile } from "./checkpoint-file.store.ts";
import { createLedgerService, type LedgerService } from "./ledger.service.ts";
import { createShowcaseLedgerStore } from "./ledger.showcase.ts";
import { createLedgerStore } from "./ledger.store.ts";
import type { CheckpointLine } from "./ledger.ts";
import { createLedgerWorker, type LedgerWorker } from "./ledger.worker.ts";
import { verifyBundle } from "./verify.ts";

const clock = createClock();
const ids = createIds(clock);
const NEW_ENTRY = { kind: "evidence.created", actor: "sara", body: { name: "disk image", size_bytes: 1.5 } };

let url: string;
let database: Database;
let ledger: LedgerService;
let worker: LedgerWorker;
let openWorker: (file: CheckpointFile) => LedgerWorker;
let checkpoints: string;
let witness = "a:data";

async function open(databaseUrl: string, mode: Mode = "real", time: Clock = clock): Promise<void> {
  database = createDatabase({
    url: databaseUrl,
    migrationsFolder: join(import.meta.dirname, "../../migrations"),
    clock,
    log: silentLog,
    // Fifty appends to one chain wait for each other.
    limits: { answerMs: 10_000 },
    onFirstAnswer: async () => undefined,
  });
  if (!(await database.isAvailable())) throw new Error("the database does not answer");
  const key = await openLedgerKey(join(checkpoints, "../key.pem"));
  const stores = { database: createLedgerStore(database.db), showcase: createShowcaseLedgerStore([], key) };
  const runtime = createRuntimeService({ mode, database });
  ledger = createLedgerService({ runtime, stores, key, clock });
  openWorker = (file) =>
    createLedgerWorker({ db: database.db, runtime, key, witness, file, clock: time, log: silentLog });
  worker = openWorker(createCheckpointFile(checkpoints));
}

beforeEach(async () => {
  witness = "a:data";
  checkpoints = join(await mkdtemp(join(tmpdir(), "ledger-")), "checkpoints.jsonl");
  ({ url } = await freshDatabase());
  await open(url);
});

afterEach(() => database.close());

const append = (case_id: string, entry = NEW_ENTRY) =>
  database.db.transaction().execute((tx) => ledger.append(tx, case_id, entry));

async function asOwner<Result>(work: (owner: pg.Client) => Promise<Result>, at = url): Promise<Result> {
  const owner = new pg.Client(at);
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

const verify = async (case_id: string) =>
  verifyBundle(JSON.parse(JSON.stringify(await ledger.bundle(case_id))), { sha256, verifyEd25519 });

const publishedSizes = async () =>
  (await readFile(checkpoints, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).tree_size)
    .filter((size) => size !== undefined);

/** Writes only the first line to disk, then fails. */
async function fullAfterFirst(file: CheckpointFile, line: CheckpointLine): Promise<void> {
  if ((await file.last()) !== undefined) throw new Error("disk full");
  await file.append(line);
}

const alarm = async () => (await ledger.status()).alarm;

describe("the chain of a case", () => {
  it("begins with 64 zeros and links each entry to the previous one", async () => {
    const case_id = ids.next();
    const first = await append(case_id);
    const second = await append(case_id.toUpperCase());
    expect(first).toMatchObject({ sequence: 1, previous_hash: "0".repeat(64) });
    expect(second).toMatchObject({ sequence: 2, previous_hash: first.entry_hash });
    expect(await verify(case_id)).toMatchObject({ isGenuine: true, chain: { length: 2, covered: 0 } });
  });

  it("has no gap after 50 concurrent appends, and no entries of other chains", async () => {
    const [one, two] = [ids.next(), ids.next()];
    const links = await Promise.all(Array.from({ length: 50 }, () => append(one)).concat(append(two)));
    const sequences = links.slice(0, 50).map(({ sequence }) => sequence);
    expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(links.at(-1)?.sequence).toBe(1);
    await worker.sequence();
    expect(await verify(one)).toMatchObject({ isGenuine: true, chain: { length: 50, covered: 50 } });
  });

  it("has no gap after an append that was rolled back", async () => {
    const case_id = ids.next();
    await append(case_id);
    const undone = database.db.transaction().execute(async (tx) => {
      await ledger.append(tx, case_id, NEW_ENTRY);
      throw new Error("changed my mind");
    });
    await expect(undone).rejects.toThrow("changed my mind");
    expect((await append(case_id)).sequence).toBe(2);
    await worker.sequence();
    expect(await verify(case_id)).toMatchObject({ isGenuine: true, chain: { length: 2, covered: 2 } });
  });

  it.each([
    "UPDATE ledger_entries SET actor = 'other'",
    "DELETE FROM ledger_entries",
    "TRUNCATE ledger_entries CASCADE",
    "DELETE FROM ledger_leaves",
    "UPDATE ledger_nodes SET position = 1",
    "TRUNCATE ledger_checkpoints",
  ])("refuses %s, even from the owner of the tables", async (statement) => {
    await append(ids.next());
    await expect(asOwner((owner) => owner.query(statement))).rejects.toThrow(/only ever appended to/);
    const byService = asOwner((owner) => owner.query(`SET ROLE soc_app; ${statement}`));
    await expect(byService).rejects.toThrow(/permission denied/);
  });

  it("fails verification when an entry is rewritten in the database", async () => {
    const case_id = ids.next();
    for (let i = 0; i < 3; i += 1) await append(case_id);
    await worker.sequence();
    await asOwner((owner) =>
      owner.query(`SET session_replication_role = replica; UPDATE ledger_entries SET actor = 'x' WHERE sequence = 2`),
    );
    expect(await verify(case_id)).toMatchObject({
      isGenuine: false,
      fault: { kind: "changed_field", message: "kind, actor, at or body of entry 2 was changed" },
    });
  });
});

describe("the tree over all chains", () => {
  it("never skips an entry that commits after a later one", async () => {
    const [late, early] = [ids.next(), ids.next()];
    await database.db.transaction().execute(async (tx) => {
      await ledger.append(tx, late, NEW_ENTRY);
      await append(early);
      await worker.sequence();
      expect((await ledger.prove(early, 1)).leaf_index).toBe(0);
    });
    await expect(ledger.prove(late, 1)).rejects.toMatchObject({ kind: "conflict" });
    await worker.sequence();
    expect((await ledger.prove(late, 1)).leaf_index).toBe(1);
  });

  it("builds the tree once with many concurrent workers and adds a checkpoint only when the tree grew", async () => {
    const case_id = ids.next();
    for (let i = 0; i < 5; i += 1) await append(case_id);
    await Promise.all(Array.from({ length: 5 }, () => worker.sequence()));
    await worker.sequence();
    await append(case_id);
    await worker.sequence();
    const page = await ledger.listCheckpoints({ limit: 1 });
    expect(page).toMatchObject({ total: 2, items: [{ tree_size: 6 }] });
    const next = await ledger.listCheckpoints({ limit: 1, cursor: page.next_cursor ?? "" });
    expect(next).toMatchObject({ items: [{ tree_size: 5 }], next_cursor: null });
    expect(await publishedSizes()).toEqual([5, 6]);
    expect(await verify(case_id)).toMatchObject({ isGenuine: true, chain: { covered: 6, tree_size: 6 } });
  });

  it("processes a backlog of more than one batch", async () => {
    const case_id = ids.next();
    await database.db.transaction().execute(async (tx) => {
      for (let i = 0; i < 1001; i += 1) await ledger.append(tx, case_id, NEW_ENTRY);
    });
    await worker.sequence();
    expect(await verify(case_id)).toMatchObject({ isGenuine: true, chain: { length: 1001, covered: 1001 } });
  });

  it("proves that an earlier checkpoint grew into a later one", async () => {
    const case_id = ids.next();
    for (const count of [2, 1]) {
      for (let i = 0; i < count; i += 1) await append(case_id);
      await worker.sequence();
    }
    const { from, to, proof } = await ledger.proveConsistency(2, 3);
    // From two leaves to three, the proof is the third leaf alone.
    const third = Buffer.concat([Buffer.of(0), Buffer.from((await ledger.prove(case_id, 3)).entry.entry_hash, "hex")]);
    expect(proof).toEqual([Buffer.from(sha256(third)).toString("hex")]);
    const both = Buffer.concat([Buffer.of(1), Buffer.from(from.root_hash, "hex"), sha256(third)]);
    expect(Buffer.from(sha256(both)).toString("hex")).toBe(to.root_hash);
    await expect(ledger.proveConsistency(1, 3)).rejects.toMatchObject({ kind: "not_found" });
    await expect(ledger.proveConsistency(3, 2)).rejects.toMatchObject({ kind: "invalid" });
  });
});

describe("the ledger worker", () => {
  it("makes a checkpoint immediately and then each minute, until it is closed", async () => {
    const minutes = createFakeClock();
    await database.close();
    await open(url, "real", minutes);
    const total = async () => (await ledger.listCheckpoints({})).total;
    await append(ids.next());
    const running = worker.run();
    await expect.poll(total, { timeout: 10_000 }).toBe(1);
    await append(ids.next());
    expect(await total()).toBe(1);
    await expect.poll(() => minutes.advance(60_000).then(total), { timeout: 10_000 }).toBe(2);
    worker.close();
    await running;
  });

  it("does nothing in dummy mode", async () => {
    await append(ids.next());
    await database.close();
    await open(url, "dummy");
    const running = worker.run();
    worker.close();
    await running;
    expect((await ledger.listCheckpoints({})).total).toBe(0);
  });
});

describe("comparison of the database with the checkpoint file", () => {
  async function restoreOlder(): Promise<void> {
    const copy = `${new URL(url).pathname.slice(1)}_older`;
    await database.close();
    await asOwner(
      (owner) => owner.query(`CREATE DATABASE ${copy} TEMPLATE ${new URL(url).pathname.slice(1)}`),
      url.replace(/\/[^/]*$/, "/postgres"),
    );
    await open(url);
    await append(ids.next());
    await worker.sequence();
    expect(await alarm()).toBeNull();
    await database.close();
    await open(`${url}_older`);
  }

  it("stops signing when the database is older than the checkpoint file", async () => {
    await append(ids.next());
    await worker.sequence();
    await restoreOlder();
    await worker.sequence();
    expect(await alarm()).toMatch(/the ledger has 1 entries, but had 2 at .*: it was set back/);
    await append(ids.next());
    await append(ids.next());
    await worker.sequence();
    expect((await ledger.listCheckpoints({})).total).toBe(1);
    expect(await publishedSizes()).toEqual([1, 2]);
  });

  it("detects that signed entries were replaced", async () => {
    await append(ids.next());
    await worker.sequence();
    await asOwner((owner) =>
      owner.query(`SET session_replication_role = replica; UPDATE ledger_nodes SET hash = repeat('0', 64)`),
    );
    await worker.sequence();
    expect(await alarm()).toMatch(/the first 1 entries differ from those signed/);
  });

  it("detects that the file was signed by another key or is damaged", async () => {
    await append(ids.next());
    await worker.sequence();
    const written = await readFile(checkpoints, "utf8");
    await writeFile(checkpoints, written.replace(/"key_id":"./, '"key_id":"x'));
    await worker.sequence();
    expect(await alarm()).toMatch(/was not signed by this key/);
    await writeFile(checkpoints, "{}\n");
    await worker.sequence();
    expect(await alarm()).toMatch(/not a checkpoint/);
    // The alarm stays after the file is restored, because a person must acknowledge it.
    await writeFile(checkpoints, written);
    await worker.sequence();
    expect(await alarm()).toMatch(/not a checkpoint/);
    await appendFile(checkpoints, '{"accepted_by":"noor","reason":"put the file back"}\n');
    await worker.sequence();
    expect(await alarm()).toBeNull();
  });

  it("completes a file that misses a checkpoint or whose last line was cut by a crash", async () => {
    await append(ids.next());
    await worker.sequence();
    const [first] = (await readFile(checkpoints, "utf8")).split("\n");
    await writeFile(checkpoints, `${first}\n{"tree_si`);
    await worker.sequence();
    expect(await alarm()).toBeNull();
    const lines = (await readFile(checkpoints, "utf8")).split("\n");
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({ tree_size: 1 });
  });

  it.each([
    ["deleted", rm],
    ["emptied", truncate],
  ] as const)("detects that the file was %s", async (_how, lose) => {
    await append(ids.next());
    await append(ids.next());
    await worker.sequence();
    await lose(checkpoints);
    await append(ids.next());
    await worker.sequence();
    await worker.sequence();
    expect(await alarm()).toBe("the checkpoint file is gone; 2 entries had been signed");
    expect((await ledger.listCheckpoints({})).total).toBe(1);
  });

  it("raises no alarm after a crash right after the first checkpoint", async () => {
    await append(ids.next());
    const file = createCheckpointFile(checkpoints);
    const crashing = { ...file, append: (line: CheckpointLine) => fullAfterFirst(file, line) };
    await expect(openWorker(crashing).sequence()).rejects.toThrow("disk full");
    expect((await ledger.listCheckpoints({})).total).toBe(1);
    await worker.sequence();
    expect(await alarm()).toBeNull();
    expect(await publishedSizes()).toEqual([1]);
  });

  it("signs again after an operator accepts the database, and keeps the earlier lines of the file", async () => {
    await append(ids.next());
    await worker.sequence();
    await restoreOlder();
    await worker.sequence();
    expect(await alarm()).toMatch(/it was set back$/);
    await appendFile(checkpoints, '{"accepted_by":"noor","reason":"restored the backup of last night"}\n');
    await append(ids.next());
    await worker.sequence();
    expect(await alarm()).toBeNull();
    expect(await publishedSizes()).toEqual([1, 2, 2]);
    await append(ids.next());
    await worker.sequence();
    expect(await publishedSizes()).toEqual([1, 2, 2, 3]);
  });
});

describe("ledger files of several hosts", () => {
  /** Opens the same ledger on another host with its own folder. */
  async function openHost(name: string) {
    const folder = await mkdtemp(join(tmpdir(), "ledger-"));
    const path = join(folder, "checkpoints.jsonl");
    witness = name;
    return { path, worker: openWorker(createCheckpointFile(path)) };
  }
  const readSizes = async (path: string) =>
    (await readFile(path, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).tree_size);

  it("starts the file of a new host with the newest signed checkpoint and appends new ones", async () => {
    await append(ids.next());
    await worker.sequence();
    const second = await openHost("b:data");
    await second.worker.sequence();
    expect(await alarm()).toBeNull();
    expect(await readSizes(second.path)).toEqual([1]);
    await append(ids.next());
    await second.worker.sequence();
    await worker.sequence();
    expect(await readSizes(second.path)).toEqual([1, 2]);
    expect(await publishedSizes()).toEqual([1, 2]);
    expect(await alarm()).toBeNull();
  });

  it("refuses to start a file with a checkpoint that the database does not match", async () => {
    await append(ids.next());
    await worker.sequence();
    await asOwner((owner) =>
      owner.query(`SET session_replication_role = replica; UPDATE ledger_checkpoints SET root_hash = repeat('0', 64)`),
    );
    const second = await openHost("b:data");
    await second.worker.sequence();
    expect(await alarm()).toMatch(/^b:data: the checkpoint of .* in the database was not signed by this key$/);
    await expect(readFile(second.path, "utf8")).rejects.toThrow("ENOENT");
  });

  it("keeps the alarm of one host until it is accepted there", async () => {
    await append(ids.next());
    await worker.sequence();
    const second = await openHost("b:data");
    await second.worker.sequence();
    await rm(second.path);
    await second.worker.sequence();
    const lost = "b:data: the checkpoint file is gone; 1 entries had been signed";
    expect(await alarm()).toBe(lost);

    // The first host finds no fault, but signs nothing.
    await append(ids.next());
    await worker.sequence();
    await appendFile(checkpoints, '{"accepted_by":"noor","reason":"on the wrong host"}\n');
    await worker.sequence();
    expect(await alarm()).toBe(lost);
    expect((await ledger.listCheckpoints({})).total).toBe(1);

    await appendFile(second.path, '{"accepted_by":"noor","reason":"the disk was replaced"}\n');
    await second.worker.sequence();
    expect(await alarm()).toBeNull();
    expect((await ledger.listCheckpoints({})).total).toBe(2);
  });
});

describe("status of the ledger", () => {
  it("reports the status in a process that has never read the file", async () => {
    expect(await ledger.status()).toEqual({
      alarm: null,
      checked_at: null,
      tree_size: 0,
      waiting: 0,
      last_checkpoint_at: null,
      fully_checked_at: null,
      faults: [],
    });
    await append(ids.next());
    await worker.sequence();
    await append(ids.next());
    const [{ at } = { at: "" }] = (await ledger.listCheckpoints({})).items;
    const healthy = {
      alarm: null,
      tree_size: 1,
      waiting: 1,
      last_checkpoint_at: at,
      checked_at: expect.any(String),
      fully_checked_at: expect.any(String),
      faults: [],
    };
    expect(await ledger.status()).toEqual(healthy);
    await rm(checkpoints);
    await worker.sequence();
    await database.close();
    checkpoints = join(await mkdtemp(join(tmpdir(), "ledger-")), "another.jsonl");
    await open(url);
    expect(await ledger.status()).toEqual({
      ...healthy,
      alarm: "the checkpoint file is gone; 1 entries had been signed",
    });
  });

  it.each(["x", "99999999999", "-1", "1.5"])("refuses a forged cursor with %s", async (place) => {
    const cursor = encodeCursor("tree_size desc", [place]);
    await expect(ledger.listCheckpoints({ cursor })).rejects.toMatchObject({ kind: "invalid" });
  });
});
