import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import Type from "typebox";
import { expect, it, onTestFinished } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { createSettingsService } from "../settings/settings.service.ts";
import { createSettingsStore } from "../settings/settings.store.ts";
import { openDatabase } from "../storage/database.ts";
import { resetRoutes } from "./reset.routes.ts";
import { createResetService } from "./reset.service.ts";
import { createResetStore } from "./reset.store.ts";

const Count = Type.Object({ count: Type.Integer() });

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "reset-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { database } = openDatabase(folder, createFakeClock());
  const settings = createSettingsService({ store: createSettingsStore(database), log: silentLog });
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const steps: string[] = [];
  const step = (name: string) => () => void steps.push(name);
  const renewToken = { run: async () => void steps.push("token") };
  const reset = createResetService({
    store: createResetStore(database),
    quiet: step("quiet"),
    removeCopies: step("copies"),
    suspendPairing: () => {
      steps.push("suspend");
      return step("resume");
    },
    renewToken: () => renewToken.run(),
    replaceAuthority: async () => void steps.push("authority"),
    reloads: [settings.reload, step("others")],
    dropSockets: async () => void steps.push("sockets"),
    forgetNetworks: step("networks"),
    events,
    log: silentLog,
  });
  const app = createTestFrame();
  await app.register(resetRoutes(reset), { prefix: "/api" });
  const post = () => app.inject({ method: "POST", url: "/api/reset" });
  const count = (table: string) => database.query(Count, `SELECT count(*) AS count FROM ${table}`).first()?.count;
  return { folder, database, settings, emitted, steps, renewToken, post, count };
}

it("creates a new token and restores all defaults before it answers, and disconnects every client", async () => {
  const { settings, steps, emitted, post } = await setUp();
  settings.change({ volume: 3, device_name: "Kitchen" });
  const answered = await post();
  expect(answered.json()).toEqual({ success: true });
  expect(settings.get()).toMatchObject({ volume: 50, device_name: "Manara" });
  expect(steps).toEqual([
    ...["quiet", "suspend", "copies", "authority", "token", "resume", "others", "networks", "sockets"],
  ]);
  expect(emitted).toEqual([{ type: "system", data: { phase: "reset", wakes_at: null } }]);
});

it("leaves no recoverable data in the file", async () => {
  const { folder, database, settings, count, post } = await setUp();
  settings.change({ device_name: "Grandmother" });
  const insert = database.command("INSERT INTO stations (name, url) VALUES (?, ?)");
  for (let at = 0; at < 100; at += 1) insert("Grandmother", `http://grandmother.example/${at}`);
  await post();
  expect([count("settings"), count("stations"), count("favorites")]).toEqual([0, 0, 0]);
  const files = await Promise.all(["player.db", "player.db-wal"].map((name) => readFile(join(folder, name))));
  expect(Buffer.concat(files).includes("randmother")).toBe(false);
});

it("keeps the record of a firmware update", async () => {
  const { database, count, post } = await setUp();
  database.command(
    "CREATE TABLE IF NOT EXISTS ota_update (id INTEGER PRIMARY KEY, mode, status, progress, error, slot, boot_id, trials) ",
  )();
  database.command("INSERT INTO ota_update VALUES (1, 'pull', 'confirming', 90, '', 'b', 'x', 1)")();
  await post();
  expect(count("ota_update")).toBe(1);
});

it("changes nothing when the storage cannot be written", async () => {
  const { database, settings, steps, emitted, post } = await setUp();
  settings.change({ volume: 3 });
  database.command("PRAGMA query_only = ON")();
  const refused = await post();
  expect(refused.statusCode).toBe(500);
  expect(refused.json()).toEqual({ error: "storage: the device's storage is read-only" });
  expect(settings.get().volume).toBe(3);
  expect([steps, emitted]).toEqual([["quiet", "suspend", "resume"], []]);
});

it("can be retried when the new token could not be saved", async () => {
  const { renewToken, steps, emitted, post } = await setUp();
  const { run } = renewToken;
  renewToken.run = () => Promise.reject(new Problem("failed", "storage: the device's storage is full"));
  expect((await post()).statusCode).toBe(500);
  expect(emitted).toEqual([]);
  renewToken.run = run;
  expect((await post()).statusCode).toBe(200);
  expect(steps).toEqual([
    ...["quiet", "suspend", "copies", "authority", "resume"],
    ...["quiet", "suspend", "copies", "authority", "token", "resume", "others", "networks", "sockets"],
  ]);
});
