import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { type FaultProxy, startFaultProxy } from "@kit/testing/fault-proxy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase } from "../../testing/fresh-database.ts";
import { createAuditStore } from "../audit/audit.store.ts";
import { createRuntimeService } from "../runtime/runtime.service.ts";
import { ARGON2_PASSWORDS } from "../users/passwords.ts";
import { createFirstAdmin, createUsersService } from "../users/users.service.ts";
import { createShowcaseUsersStore, createUsersStore } from "../users/users.store.ts";
import { createDatabase, type Database } from "./postgres.ts";

const clock = createClock();
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
    onFirstAnswer,
  });
});

afterEach(async () => {
  proxy.heal();
  await database.close();
  await proxy.close();
});

describe("a database that comes and goes", () => {
  it("is available while it answers, through a slow network, too", async () => {
    expect(await database.isAvailable()).toBe(true);
    proxy.delay(100);
    expect(await database.isAvailable()).toBe(true);
  });

  it.each(["stall", "cut"] as const)(
    "is unavailable within 2 s after a %s, and back after it is healed",
    async (fault) => {
      expect(await database.isAvailable()).toBe(true);
      proxy[fault]();
      const start = clock.monotonicMs();
      expect(await database.isAvailable()).toBe(false);
      expect(clock.monotonicMs() - start).toBeLessThan(2000);
      proxy.heal();
      await expect.poll(() => database.isAvailable(), { timeout: 10_000 }).toBe(true);
    },
  );

  it("is brought up to date when it first answers, however late that is", async () => {
    proxy.cut();
    expect(await database.isAvailable()).toBe(false);
    proxy.heal();
    await expect.poll(() => database.isAvailable(), { timeout: 10_000 }).toBe(true);
    expect(await createUsersStore(database.db).find("nobody")).toBeUndefined();
  });
});

describe("users", () => {
  const runtimeIn = (mode: "dummy" | "real") => createRuntimeService({ mode, database });
  const usersIn = (mode: "dummy" | "real") => {
    const stores = { database: createUsersStore(database.db), showcase: createShowcaseUsersStore(clock) };
    const audit = createAuditStore(createIds(clock));
    return createUsersService({ runtime: runtimeIn(mode), stores, audit, passwords: ARGON2_PASSWORDS });
  };

  it("creates one first administrator, however many processes start at once", async () => {
    await database.isAvailable();
    const store = createUsersStore(database.db);
    const created = await Promise.all(Array.from({ length: 8 }, () => createFirstAdmin(store, PASSWORD)));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await usersIn("real").findByPassword("admin", PASSWORD)).toMatchObject({ username: "admin", role: "admin" });
  });

  it("finds nobody by a wrong password, nor a disabled user by the right one", async () => {
    await database.isAvailable();
    await createFirstAdmin(createUsersStore(database.db), PASSWORD);
    expect(await usersIn("real").findByPassword("admin", "wrong")).toBeUndefined();
    await database.db.updateTable("users").set({ disabled: true }).execute();
    expect(await usersIn("real").findByPassword("admin", PASSWORD)).toBeUndefined();
  });

  it("refuses with 'unavailable' outside dummy mode, and never falls back to the showcase", async () => {
    proxy.cut();
    await expect(usersIn("real").findByPassword("admin", PASSWORD)).rejects.toMatchObject({ kind: "unavailable" });
    expect(await usersIn("dummy").findByPassword("admin", PASSWORD)).toBeUndefined();
  });

  it("tells the runtime truth from the same answer", async () => {
    expect((await runtimeIn("real").truth()).read_data_source).toBe("database");
    proxy.cut();
    expect((await runtimeIn("real").truth()).read_data_source).toBe("unavailable");
    expect((await runtimeIn("dummy").truth()).read_data_source).toBe("showcase");
  });
});
