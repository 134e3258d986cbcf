import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { type FaultProxy, startFaultProxy } from "@kit/testing/fault-proxy";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_SITES } from "../../testing/fixtures/sign-in-methods.ts";
import { freshDatabase } from "../../testing/servers/fresh-database.ts";
import { createAuditStore } from "../foundation/audit/audit.store.ts";
import type { Database } from "../foundation/database/tables.ts";
import { createRuntimeService } from "../foundation/runtime/runtime.service.ts";
import { ARGON2_PASSWORDS } from "../identity/users/passwords.ts";
import { createFirstAdmin, createUsersService } from "../identity/users/users.service.ts";
import { createShowcaseUsersStore } from "../identity/users/users.showcase.ts";
import { createUsersStore } from "../identity/users/users.store.ts";
import { createDatabase } from "./postgres.ts";

const clock = createClock();
/** Longer than an availability result is cached. */
const HELD_MS = 60;
const IDLE_TRANSACTION_MS = 500;
const PASSWORD = "correct horse battery";
const migrationsFolder = join(import.meta.dirname, "../migrations");

let proxy: FaultProxy;
let database: Database;

beforeEach(async () => {
  const { url, port } = await freshDatabase();
  proxy = await startFaultProxy(port);
  const onFirstAnswer = async () => undefined;
  database = createDatabase({
    url: url.replace(`:${port}`, `:${proxy.port}`),
    migrationsFolder,
    clock,
    log: silentLog,
    limits: { idleTransactionMs: IDLE_TRANSACTION_MS },
    onFirstAnswer,
  });
});

afterEach(async () => {
  proxy.heal();
  await database.close();
  await proxy.close();
});

describe("a database with outages", () => {
  it("reports the database as available while it responds, even through a slow network", async () => {
    expect(await database.isAvailable()).toBe(true);
    proxy.delay(100);
    expect(await database.isAvailable()).toBe(true);
  });

  it.each(["stall", "cut"] as const)(
    "reports the database as unavailable within 2 s after a %s, and as available once the network is restored",
    async (fault) => {
      expect(await database.isAvailable()).toBe(true);
      proxy[fault]();
      await clock.sleep(HELD_MS);
      const start = clock.monotonicMs();
      expect(await database.isAvailable()).toBe(false);
      expect(clock.monotonicMs() - start).toBeLessThan(2000);
      proxy.heal();
      await expect.poll(() => database.isAvailable(), { timeout: 10_000 }).toBe(true);
    },
  );

  it("migrates the database when it first responds, however late", async () => {
    proxy.cut();
    expect(await database.isAvailable()).toBe(false);
    proxy.heal();
    await expect.poll(() => database.isAvailable(), { timeout: 10_000 }).toBe(true);
    expect(await createUsersStore(database.db).find("unknown-user")).toBeUndefined();
  });
});

describe("a statement that does not end", () => {
  const asleep = (seconds: number) => sql`SELECT pg_sleep(${seconds})`.execute(database.db);

  it.each(["stall", "cut"] as const)("refuses the statement as 'unavailable' within 2 s after a %s", async (fault) => {
    expect(await database.isAvailable()).toBe(true);
    const start = clock.monotonicMs();
    const asked = expect(asleep(1)).rejects.toMatchObject({
      kind: "unavailable",
      message: "the database is unavailable",
    });
    await clock.sleep(100);
    proxy[fault]();
    await asked;
    expect(clock.monotonicMs() - start).toBeLessThan(2000);
    expect(await database.isAvailable()).toBe(false);
  });

  it("fails its transaction without a second wait", async () => {
    expect(await database.isAvailable()).toBe(true);
    const start = clock.monotonicMs();
    const changed = database.db.transaction().execute(async (tx) => {
      await sql`SELECT 1`.execute(tx);
      proxy.stall();
      await sql`SELECT 2`.execute(tx);
    });
    await expect(changed).rejects.toMatchObject({ kind: "unavailable" });
    expect(clock.monotonicMs() - start).toBeLessThan(2000);
  });

  it("refuses a slow statement without reporting the database as unavailable", async () => {
    expect(await database.isAvailable()).toBe(true);
    await expect(asleep(3)).rejects.toMatchObject({ kind: "unavailable", message: "the database took too long" });
    expect(await database.isAvailable()).toBe(true);
  });

  it("does not mask the error of a wrong statement", async () => {
    expect(await database.isAvailable()).toBe(true);
    await expect(sql`SELECT 1 / 0`.execute(database.db)).rejects.toMatchObject({ code: "22012" });
  });

  it("makes later statements fail as busy while the database stays available", async () => {
    expect(await database.isAvailable()).toBe(true);
    const asked = await Promise.allSettled(Array.from({ length: 45 }, () => asleep(1.2)));
    const reasons = asked.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    // As many as there are connections.
    expect(asked.length - reasons.length).toBeGreaterThanOrEqual(14);
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons)
      expect(reason).toMatchObject({ kind: "unavailable", message: "the database is busy" });
    expect(await database.isAvailable()).toBe(true);
  });

  it("leaves no broken connection for a later statement", async () => {
    expect(await database.isAvailable()).toBe(true);
    proxy.stall();
    await Promise.allSettled(Array.from({ length: 10 }, () => asleep(0)));
    proxy.heal();
    await clock.sleep(150);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sql<{ n: number }>`SELECT ${n}::int AS n`.execute(database.db)),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });
});

describe("a login whose password was changed", () => {
  it("refuses new connections as 'unavailable', while open ones work", async () => {
    const { url } = await freshDatabase();
    const owner = new pg.Client(url);
    await owner.connect();
    const name = `login_${createIds(clock).next().replaceAll("-", "")}`;
    await owner.query(`CREATE ROLE ${name} LOGIN IN ROLE soc_app, soc_site`);
    const address = Object.assign(new URL(url), { username: name }).href;
    const used = createDatabase({
      url: address,
      migrationsFolder,
      clock,
      log: silentLog,
      onFirstAnswer: async () => undefined,
    });
    expect(await used.isAvailable()).toBe(true);
    const open = used.db.transaction().execute(async (tx) => {
      await sql`SELECT 1`.execute(tx);
      // Every server refuses it, whether or not it requires passwords.
      await owner.query(`ALTER ROLE ${name} NOLOGIN`);
      await expect(sql`SELECT 2`.execute(used.db)).rejects.toMatchObject({
        kind: "unavailable",
        message: "the database refuses the login of this process",
      });
      return sql`SELECT 3 AS three`.execute(tx);
    });
    expect((await open).rows).toEqual([{ three: 3 }]);
    await used.close();
    await owner.end();
  });
});

describe("a transaction that waits", () => {
  it("ends the transaction on the server, releases its locks and keeps the database available", async () => {
    expect(await database.isAvailable()).toBe(true);
    const lock = sql`SELECT pg_try_advisory_xact_lock(1) AS is_locked`;
    const waiting = database.db.transaction().execute(async (tx) => {
      await lock.execute(tx);
      await clock.sleep(4 * IDLE_TRANSACTION_MS);
      await sql`SELECT 1`.execute(tx);
    });
    const refused = expect(waiting).rejects.toMatchObject({
      kind: "unavailable",
      message: "the transaction waited too long between two statements",
    });
    await clock.sleep(2 * IDLE_TRANSACTION_MS);
    expect((await lock.execute(database.db)).rows).toEqual([{ is_locked: true }]);
    await refused;
    expect(await database.isAvailable()).toBe(true);
  });

  it("drops its connection within 25 seconds if its machine fails silently", async () => {
    expect(await database.isAvailable()).toBe(true);
    const { rows } = await sql<{ name: string; setting: string }>`
      SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp%' ORDER BY name`.execute(database.db);
    expect(rows).toEqual([
      { name: "tcp_keepalives_count", setting: "3" },
      { name: "tcp_keepalives_idle", setting: "10" },
      { name: "tcp_keepalives_interval", setting: "5" },
      { name: "tcp_user_timeout", setting: "25000" },
    ]);
  });
});

describe("users", () => {
  const runtimeIn = (mode: "dummy" | "real") => createRuntimeService({ mode, database });
  const usersIn = (mode: "dummy" | "real") => {
    const stores = { database: createUsersStore(database.db), showcase: createShowcaseUsersStore(clock) };
    const audit = createAuditStore(createIds(clock));
    return createUsersService({
      runtime: runtimeIn(mode),
      stores,
      findSites: NO_SITES,
      audit,
      passwords: ARGON2_PASSWORDS,
    });
  };

  it("creates one first administrator, however many processes start concurrently", async () => {
    await database.isAvailable();
    const store = createUsersStore(database.db);
    const created = await Promise.all(
      Array.from({ length: 8 }, () => createFirstAdmin(store, ARGON2_PASSWORDS, PASSWORD)),
    );
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await usersIn("real").findByPassword("admin", PASSWORD)).toMatchObject({ username: "admin", role: "admin" });
  });

  it("creates the first administrator beside users with other roles, and no second one", async () => {
    await database.isAvailable();
    const sara = { username: "sara", role: "tier1", email: null, disabled: false, password_hash: "none" } as const;
    await database.db.insertInto("users").values(sara).execute();
    const store = createUsersStore(database.db);
    expect(await createFirstAdmin(store, ARGON2_PASSWORDS, PASSWORD)).toBe(true);
    expect(await createFirstAdmin(store, ARGON2_PASSWORDS, PASSWORD)).toBe(false);
  });

  it("accepts no wrong password, and no disabled user with the right one", async () => {
    await database.isAvailable();
    await createFirstAdmin(createUsersStore(database.db), ARGON2_PASSWORDS, PASSWORD);
    expect(await usersIn("real").findByPassword("admin", "wrong")).toBeUndefined();
    await database.db.updateTable("users").set({ disabled: true }).execute();
    expect(await usersIn("real").findByPassword("admin", PASSWORD)).toBeUndefined();
  });

  it("refuses with 'unavailable' outside dummy mode, and never falls back to the showcase", async () => {
    proxy.cut();
    await expect(usersIn("real").findByPassword("admin", PASSWORD)).rejects.toMatchObject({ kind: "unavailable" });
    expect(await usersIn("dummy").findByPassword("admin", PASSWORD)).toBeUndefined();
  });

  it("reports the same availability in the runtime truth", async () => {
    expect((await runtimeIn("real").truth()).read_data_source).toBe("database");
    proxy.cut();
    await clock.sleep(HELD_MS);
    expect((await runtimeIn("real").truth()).read_data_source).toBe("unavailable");
    expect((await runtimeIn("dummy").truth()).read_data_source).toBe("showcase");
  });
});
