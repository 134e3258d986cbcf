import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createFakeClock } from "@kit/clock/fake";
import { DatabaseSync } from "@photostructure/sqlite";
import Type from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Database, openDatabase, writing } from "./database.ts";
import { MIGRATIONS } from "./tables.ts";

const clock = createFakeClock(new Date("2026-01-01T00:00:00Z"));

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "database-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function open(folder: string) {
  const opened = openDatabase(folder, clock);
  onTestFinished(() => opened.database.close());
  return opened;
}

const keep = (database: Database) => database.command("INSERT INTO settings (name, value) VALUES ('kept', '1')")();
const kept = (database: Database) => readFirst(database, "SELECT value FROM settings WHERE name = 'kept'");
const readFirst = (database: Database, sql: string) => database.query(Type.Unknown(), sql).first();

describe("a new database", () => {
  it("is created with its folder, readable only by the owner", async () => {
    const folder = join(await temporaryFolder(), "data");
    const { database, boot_failure } = open(folder);
    keep(database);
    expect(boot_failure).toBeUndefined();
    expect(readdirSync(folder).toSorted()).toEqual(["player.db", "player.db-shm", "player.db-wal"]);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  });

  it("syncs at every commit and does not trust its schema", async () => {
    const { database } = open(await temporaryFolder());
    const read = (pragma: string) => readFirst(database, `PRAGMA ${pragma}`);
    expect(read("journal_mode")).toEqual({ journal_mode: "wal" });
    expect(read("synchronous")).toEqual({ synchronous: 2 });
    expect(read("foreign_keys")).toEqual({ foreign_keys: 1 });
    expect(read("trusted_schema")).toEqual({ trusted_schema: 0 });
    expect(read("user_version")).toEqual({ user_version: MIGRATIONS.length });
  });

  it("keeps its log near one megabyte however much is written", async () => {
    const folder = await temporaryFolder();
    const { database } = open(folder);
    const write = database.command("REPLACE INTO settings (name, value) VALUES (?, ?)");
    for (let i = 0; i < 300; i += 1) write(`name ${i % 7}`, "x".repeat(3000));
    expect(statSync(join(folder, "player.db-wal")).size).toBeLessThan(1.2 * 1024 * 1024);
  });
});

it("stays open while one of its statements is in use", async () => {
  const folder = await temporaryFolder();
  // A separate function: values on the stack of this one are not garbage.
  const prepare = () => openDatabase(folder, clock).database.query(Type.Unknown(), "SELECT 1 AS one");
  const query = prepare();
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  for (let i = 0; i < 3; i += 1) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(query.first()).toEqual({ one: 1 });
});

describe("a database that is opened again", () => {
  it("has everything that was committed before a power cut", async () => {
    const [folder, afterwards] = [await temporaryFolder(), await temporaryFolder()];
    keep(open(folder).database);
    for (const name of ["player.db", "player.db-wal"]) copyFileSync(join(folder, name), join(afterwards, name));
    const { database, boot_failure } = open(afterwards);
    expect(boot_failure).toBeUndefined();
    expect(kept(database)).toEqual({ value: "1" });
  });

  it("restores the permissions of its file", async () => {
    const folder = await temporaryFolder();
    openDatabase(folder, clock).database.close();
    chmodSync(join(folder, "player.db"), 0o644);
    open(folder);
    expect(statSync(join(folder, "player.db")).mode & 0o777).toBe(0o600);
  });

  it("is refused with a plain message, and unchanged, when newer software wrote it", async () => {
    const folder = await temporaryFolder();
    const newer = new DatabaseSync(join(folder, "player.db"));
    newer.exec("PRAGMA user_version = 99");
    newer.close();
    expect(() => openDatabase(folder, clock)).toThrow(
      `storage: player.db is of version 99, and this software knows versions up to ${MIGRATIONS.length}; install the newer software again`,
    );
    expect(readdirSync(folder).filter((name) => name.includes("broken"))).toEqual([]);
  });
});

describe("a broken database", () => {
  function damage(folder: string, from: number, to: number): void {
    const path = join(folder, "player.db");
    const { database } = openDatabase(folder, clock);
    keep(database);
    database.command("PRAGMA wal_checkpoint(TRUNCATE)")();
    database.close();
    writeFileSync(path, readFileSync(path).fill(0xff, from, to));
  }

  it.each([
    ["is not a database", (folder: string) => writeFileSync(join(folder, "player.db"), "no database".repeat(1000))],
    // The first page holds a header of 100 bytes and the schema; tables and indexes follow.
    ["has a damaged schema", (folder: string) => damage(folder, 100, 4096)],
    ["has a damaged table", (folder: string) => damage(folder, 4096, 8192)],
  ])("that %s is moved aside completely, and the caller gets a boot failure", async (_what, destroy) => {
    const folder = await temporaryFolder();
    destroy(folder);
    writeFileSync(join(folder, "player.db-wal"), "");
    const before = readFileSync(join(folder, "player.db"));
    const { database, boot_failure } = open(folder);
    expect(boot_failure).toEqual({
      component: "storage",
      error: "player.db was broken and has been moved aside; all settings are new",
    });
    // 2026-01-01T00:00:00Z
    expect(readFileSync(join(folder, "player.db.broken-1767225600"))).toEqual(before);
    expect(existsSync(join(folder, "player.db.broken-1767225600-wal"))).toBe(true);
    expect(readFirst(database, "SELECT count(*) AS count FROM settings")).toEqual({ count: 0 });
    keep(database);
    expect(openDatabase(folder, clock).boot_failure).toBeUndefined();
  });
});

describe("writing", () => {
  it("commits all of a transaction or nothing", async () => {
    const { database } = open(await temporaryFolder());
    const work = () => {
      keep(database);
      throw new Error("half-way");
    };
    expect(() => database.inTransaction(work)).toThrow("half-way");
    expect(kept(database)).toBeUndefined();
    expect(database.inTransaction(() => keep(database).changes)).toBe(1);
    expect(kept(database)).toEqual({ value: "1" });
  });

  it("reports a full storage, loses nothing, and continues when there is room again", async () => {
    const { database } = open(await temporaryFolder());
    keep(database);
    const write = database.command("INSERT INTO settings (name, value) VALUES (?, ?)");
    const writeMuch = () => database.inTransaction(() => write("much", "x".repeat(100_000)));
    database.command("PRAGMA max_page_count = 16")();
    expect(writeMuch).toThrow(expect.objectContaining({ kind: "failed", message: FULL, cause: expect.any(Error) }));
    expect(kept(database)).toEqual({ value: "1" });
    database.command("PRAGMA max_page_count = 1000")();
    writeMuch();
    expect(readFirst(database, "PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  });

  it.each([
    ["a read-only storage", 8, "storage: the device's storage is read-only"],
    ["a failing read", 266, "storage: the device's storage does not work"],
    ["a missing folder", 14, "storage: the device's storage cannot be opened"],
  ])("has a message for %s", (_what, errcode, message) => {
    const refuse = () => {
      throw Object.assign(new Error("SQLite's own words"), { errcode });
    };
    expect(() => writing(refuse)).toThrow(expect.objectContaining({ kind: "failed", message }));
  });

  it("leaves every other error unchanged", async () => {
    const { database } = open(await temporaryFolder());
    keep(database);
    expect(() => keep(database)).toThrow("UNIQUE constraint failed: settings.name");
  });
});

const FULL = "storage: the device's storage is full";
