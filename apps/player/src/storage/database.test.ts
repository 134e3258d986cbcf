import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { collectGarbage } from "@kit/testing/garbage";
import { DatabaseSync } from "@photostructure/sqlite";
import Type from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { asStorageProblem } from "./sqlite-errors.ts";
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
  it("a new database is created with its folder, readable only by the owner", async () => {
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
  for (let i = 0; i < 3; i += 1) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(query.first()).toEqual({ one: 1 });
});

describe("a database that is opened again", () => {
  it("a database that is opened again has everything that was committed before a power cut", async () => {
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
});

/** What a newer version leaves: its own tables and columns, and perhaps the copy from before its upgrade. */
function upgradeBeyond(folder: string): void {
  const newer = new DatabaseSync(join(folder, "player.db"));
  newer.exec(`
    ALTER TABLE settings ADD COLUMN unit TEXT;
    CREATE TABLE moods (name TEXT);
    INSERT INTO moods VALUES ('calm');
    INSERT INTO settings (name, value, unit) VALUES ('later', '2', 'dB');
    INSERT INTO stations (id, name, url) VALUES (41, 'Radio', 'http://radio.example/');
    DELETE FROM stations;
    PRAGMA user_version = 99;
  `);
  newer.close();
}

describe("a database of newer software", () => {
  const failure = {
    component: "storage",
    error: "player.db was written by newer software and has been moved aside; what can be read was restored",
  };

  it("a database of newer software is moved aside, and all that this version knows is taken over", async () => {
    const folder = await temporaryFolder();
    useOnce(folder);
    upgradeBeyond(folder);
    const { database, boot_failure } = open(folder);
    expect(boot_failure).toEqual(failure);
    expect(kept(database)).toEqual({ value: "1" });
    expect(readFirst(database, "SELECT value FROM settings WHERE name = 'later'")).toEqual({ value: "2" });
    expect(readFirst(database, "PRAGMA user_version")).toEqual({ user_version: MIGRATIONS.length });
    // An id that the newer software assigned is not assigned again.
    const insert = database.command("INSERT INTO stations (name, url) VALUES ('Other', 'http://other.example/')");
    expect(insert().insertedId).toBe(42);
    expect(listNames(folder, "newer")).toContain("player.db.newer-1767225600");
  });

  it("a database of newer software is replaced by the copy from before its upgrade, as long as there is one", async () => {
    const folder = await temporaryFolder();
    useOnce(folder);
    renameSync(join(folder, "player.db.copy"), join(folder, "player.db.before-upgrade"));
    upgradeBeyond(folder);
    const { database, boot_failure } = open(folder);
    expect(boot_failure).toEqual(failure);
    expect(kept(database)).toEqual({ value: "1" });
    expect(readFirst(database, "SELECT value FROM settings WHERE name = 'later'")).toBeUndefined();
  });

  it("leaves a copy of the former version at an upgrade, until the new version has proved itself", async () => {
    const folder = await temporaryFolder();
    const old = new DatabaseSync(join(folder, "player.db"));
    for (const sql of MIGRATIONS.slice(0, -1)) old.exec(sql);
    old.exec(`PRAGMA user_version = ${MIGRATIONS.length - 1}; INSERT INTO settings VALUES ('kept', '1')`);
    old.close();
    const { database, boot_failure } = open(folder);
    expect(boot_failure).toBeUndefined();
    expect(kept(database)).toEqual({ value: "1" });
    const former = new DatabaseSync(join(folder, "player.db.before-upgrade"));
    expect(former.prepare("PRAGMA user_version").get()).toEqual({ user_version: MIGRATIONS.length - 1 });
    expect(former.prepare("SELECT value FROM settings").all()).toEqual([{ value: "1" }]);
    former.close();
    database.forgetFormerVersion();
    expect(listNames(folder, "before-upgrade")).toEqual([]);
  });
});

/** A database with data, and its copy. */
function useOnce(folder: string): void {
  const { database } = openDatabase(folder, clock);
  keep(database);
  database.writeCopy();
  database.close();
}

const listNames = (folder: string, word: string) => readdirSync(folder).filter((name) => name.includes(word));

describe("a broken database", () => {
  function damage(folder: string, from: number, to: number): void {
    // In another folder: SQLite deletes the log of a closed file by its name, when the statements are garbage.
    const elsewhere = mkdtempSync(join(tmpdir(), "database-"));
    const { database } = openDatabase(elsewhere, clock);
    keep(database);
    closeWithoutLog(database);
    writeFileSync(join(folder, "player.db"), readFileSync(join(elsewhere, "player.db")).fill(0xff, from, to));
    rmSync(elsewhere, { recursive: true });
  }

  /** All of its content is in one file then. */
  function closeWithoutLog(database: Database): void {
    database.command("PRAGMA wal_checkpoint(TRUNCATE)")();
    database.close();
  }

  it.each([
    ["is not a database", (folder: string) => writeFileSync(join(folder, "player.db"), "no database".repeat(1000))],
    // The first page holds a header of 100 bytes and the schema; tables and indexes follow.
    ["has a damaged schema", (folder: string) => damage(folder, 100, 4096)],
    ["has a damaged table", (folder: string) => damage(folder, 4096, 8192)],
  ])(
    "a broken database that %s is moved aside completely, and the caller gets a boot failure",
    async (_what, destroy) => {
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
    },
  );

  const RESTORED = "player.db was broken and has been moved aside; what can be read was restored";

  it("a broken database is restored from its last copy", async () => {
    const folder = await temporaryFolder();
    const { database } = openDatabase(folder, clock);
    keep(database);
    database.writeCopy();
    closeWithoutLog(database);
    writeFileSync(join(folder, "player.db"), "no database".repeat(1000));
    const again = open(folder);
    expect(again.boot_failure?.error).toBe(RESTORED);
    expect(kept(again.database)).toEqual({ value: "1" });
  });

  it("keeps the tables that are sound, however old the copy is", async () => {
    const folder = await temporaryFolder();
    const { database } = openDatabase(folder, clock);
    keep(database);
    database.writeCopy();
    database.command("INSERT INTO stations (name, url) VALUES ('Radio', 'http://radio.example/')")();
    closeWithoutLog(database);
    const path = join(folder, "player.db");
    // The second page is that of the settings.
    writeFileSync(path, readFileSync(path).fill(0xff, 4096, 8192));
    const again = open(folder);
    expect(again.boot_failure?.error).toBe(RESTORED);
    expect(kept(again.database)).toEqual({ value: "1" });
    expect(readFirst(again.database, "SELECT name FROM stations")).toEqual({ name: "Radio" });
  });

  it("a broken database is the only one that is kept aside, and a reset deletes it with all copies", async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "player.db.broken-1"), "older");
    writeFileSync(join(folder, "player.db.newer-2-wal"), "older");
    damage(folder, 4096, 8192);
    const { database } = open(folder);
    expect(listNames(folder, "broken").filter((name) => !/-(wal|shm)$/.test(name))).toEqual([
      "player.db.broken-1767225600",
    ]);
    expect(listNames(folder, "newer")).toEqual([]);
    database.writeCopy();
    database.removeCopies();
    expect(readdirSync(folder).toSorted()).toEqual(["player.db", "player.db-shm", "player.db-wal"]);
  });

  it("a broken database is put back from its copy when the power failed during the repair", async () => {
    const folder = await temporaryFolder();
    const { database } = openDatabase(folder, clock);
    keep(database);
    database.writeCopy();
    closeWithoutLog(database);
    for (const name of listNames(folder, "-")) rmSync(join(folder, name));
    rmSync(join(folder, "player.db"));
    expect(kept(open(folder).database)).toEqual({ value: "1" });
  });

  it("a broken database that breaks while it is in use is reported, and the service gets a Problem", async () => {
    const folder = await temporaryFolder();
    const { database } = open(folder);
    keep(database);
    database.command("PRAGMA wal_checkpoint(TRUNCATE)")();
    const other = openDatabase(folder, clock).database;
    onTestFinished(() => other.close());
    const path = join(folder, "player.db");
    writeFileSync(path, readFileSync(path).fill(0xff, 4096, 8192));
    const damaged = expect.objectContaining({ kind: "failed", message: "storage: the device's storage is damaged" });
    expect(() => kept(other)).toThrow(damaged);
    expect(() => other.command("DELETE FROM settings")()).toThrow(damaged);
    expect(other.failures()).toEqual([
      { component: "storage", error: "player.db is damaged; the next start restores its copy" },
    ]);
  });
});

it("leaves out rows that this version does not understand, reports them, and keeps them", async () => {
  const { database } = open(await temporaryFolder());
  const save = database.command("INSERT INTO settings (name, value) VALUES (?, ?)");
  for (const value of ["1", "two", "3"]) save(value, value);
  const select = database.queryRecords(
    Type.Object({ value: Type.String() }),
    "SELECT value FROM settings",
    ({ value }) => {
      if (value === "two") throw new Error("it is not a number");
      return Number(value);
    },
  );
  expect(select.all()).toEqual([1, 3]);
  expect(database.failures()).toEqual([
    { component: "storage", error: "settings: 1 not readable by this version, left out" },
  ]);
  expect(readFirst(database, "SELECT count(*) AS count FROM settings")).toEqual({ count: 3 });
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
    ["a read-only storage", { errcode: 8 }, "storage: the device's storage is read-only"],
    ["a failing read", { errcode: 266 }, "storage: the device's storage does not work"],
    ["a missing folder", { errcode: 14 }, "storage: the device's storage cannot be opened"],
    ["a damaged page", { errcode: 267 }, "storage: the device's storage is damaged"],
    ["a file on a read-only disk", { code: "EROFS" }, "storage: the device's storage is read-only"],
    ["a file on a full disk", { code: "ENOSPC" }, "storage: the device's storage is full"],
  ])("has a message for %s", (_what, fields, message) => {
    const cause = Object.assign(new Error("their own words"), fields);
    expect(asStorageProblem(cause)).toEqual(expect.objectContaining({ kind: "failed", message, cause }));
  });

  it("leaves every other error unchanged", async () => {
    const { database } = open(await temporaryFolder());
    keep(database);
    expect(() => keep(database)).toThrow("UNIQUE constraint failed: settings.name");
  });
});

const FULL = "storage: the device's storage is full";
