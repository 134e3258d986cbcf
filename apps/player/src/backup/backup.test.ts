import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import { expect, it, onTestFinished } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createSettingsService } from "../settings/settings.service.ts";
import { createSettingsStore } from "../settings/settings.store.ts";
import { openDatabase } from "../storage/database.ts";
import { backupRoutes } from "./backup.routes.ts";
import { createBackupService } from "./backup.service.ts";
import { listPart } from "./list-part.ts";

const Station = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  url: Type.String({ maxLength: 1024 }),
});
const RADIO = { id: 7, name: "Radio", url: "http://radio.example/live" };

/** The settings and one list, in a separate database. */
async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { database } = openDatabase(folder, createFakeClock());
  const settings = createSettingsService({ store: createSettingsStore(database), log: silentLog });
  const reloaded: string[] = [];
  settings.onChange(() => reloaded.push("settings"));
  const select = database.query(Station, "SELECT id, name, url FROM stations ORDER BY id");
  const insert = database.command("INSERT INTO stations (id, name, url) VALUES (?, ?, ?)");
  const stations = listPart({
    name: "stations",
    Item: Station,
    maxItems: 100,
    list: () => select.all(),
    keysOf: ({ id, url }) => [`id ${id}`, `url ${url}`],
    check: async ({ url }, field) => {
      if (url.includes("127.0.0.1")) throw invalidField(`${field}.url`, "must lead to a public address");
    },
    removeAll: database.command("DELETE FROM stations"),
    insert: ({ id, name, url }) => insert(id, name, url),
    reload: () => reloaded.push("stations"),
  });
  const backup = createBackupService({ parts: [settings.backup, stations], database });
  const app = createTestFrame();
  await app.register(backupRoutes(backup), { prefix: "/api" });
  const read = async () => (await app.inject("/api/backup")).json();
  const restore = (payload: unknown) =>
    app.inject({ method: "POST", url: "/api/backup", payload: JSON.stringify(payload) });
  return { database, settings, reloaded, insert, read, restore };
}

it("restores all saved data on another device", async () => {
  const one = await setUp();
  one.settings.change({ volume: 33, timezone: "<+03>-3", device_name: "منارة" });
  one.insert(7, "Radio", "http://radio.example/live");
  one.insert(9, "Other", "http://radio.example/other");
  const kept = await one.read();
  expect(kept.stations).toEqual([RADIO, { id: 9, name: "Other", url: "http://radio.example/other" }]);
  const other = await setUp();
  other.settings.change({ brightness: 1, card_removal: "stop" });
  other.insert(7, "Third", "http://radio.example/third");
  const answered = await other.restore(kept);
  expect(answered.statusCode).toBe(200);
  expect(answered.json()).toEqual({ success: true, restored: ["settings", "stations"] });
  expect(await other.read()).toEqual(kept);
  expect(other.settings.get()).toMatchObject({ volume: 33, timezone: "<+03>-3", brightness: 200 });
  expect(other.reloaded).toEqual(["settings", "settings", "stations"]);
});

it("contains no secrets", async () => {
  const { read } = await setUp();
  expect(Object.keys(await read())).toEqual(["settings", "stations"]);
  expect(JSON.stringify(await read())).not.toMatch(/token|password|psk/i);
});

it("leaves a part unchanged that is missing in the backup, and ignores unknown parts", async () => {
  const { settings, restore, read } = await setUp();
  settings.change({ volume: 33 });
  const answered = await restore({ stations: [{ ...RADIO, weather: "fine" }], wishes: [1] });
  expect(answered.json()).toEqual({ success: true, restored: ["stations"] });
  expect((await read()).stations).toEqual([RADIO]);
  expect(settings.get().volume).toBe(33);
});

it("keeps the advance mode, which is not a part of the settings", async () => {
  const { settings, restore } = await setUp();
  settings.saveMode({ mode: "continuous" });
  await restore({ settings: {} });
  expect(settings.mode()).toEqual({ mode: "continuous" });
});

it.each([
  [{}, "body: must have at least one of settings, stations"],
  [[], "body: must be an object"],
  [{ stations: [RADIO], settings: 5 }, "settings: must be object"],
  [{ stations: [RADIO], settings: { volume: 101 } }, "settings.volume: must be <= 100"],
  [{ stations: [RADIO], settings: { timezone: "Mars" } }, "settings.timezone: must be a POSIX rule"],
  [
    { stations: [RADIO], settings: { device_name: "a\nb" } },
    "settings.device_name: must not contain control characters",
  ],
  [{ settings: { volume: 1 }, stations: [RADIO, { id: 8, name: "Radio" }] }, "stations.1: must have required"],
  [{ settings: { volume: 1 }, stations: [{ ...RADIO, id: "7" }] }, "stations.0.id: must be integer"],
  [{ settings: { volume: 1 }, stations: [RADIO, { ...RADIO, id: 8 }] }, "stations.1: is there twice (url http"],
  [{ settings: { volume: 1 }, stations: [RADIO, { ...RADIO, url: "http://x/" }] }, "stations.1: is there twice (id 7)"],
  [{ settings: { volume: 1 }, stations: Array(101).fill(RADIO) }, "stations: must not have more than 100 items"],
  [
    { settings: { volume: 1 }, stations: [{ ...RADIO, url: "http://127.0.0.1/" }] },
    "stations.0.url: must lead to a public address",
  ],
])("refuses %j with 400 and saves none of it", async (backup, error) => {
  const { restore, read, reloaded } = await setUp();
  const before = await read();
  const refused = await restore(backup);
  expect(refused.statusCode).toBe(400);
  expect(refused.json().error).toContain(error);
  expect(await read()).toEqual(before);
  expect(reloaded).toEqual([]);
});

it("saves nothing when the storage fails during the restore", async () => {
  const { database, settings, restore, read, reloaded } = await setUp();
  const before = await read();
  database.command("CREATE TRIGGER broken BEFORE INSERT ON stations BEGIN SELECT RAISE(ABORT, 'broken'); END")();
  const refused = await restore({ settings: { volume: 1 }, stations: [RADIO] });
  expect(refused.statusCode).toBe(500);
  expect(reloaded).toEqual([]);
  settings.reload();
  expect(await read()).toEqual(before);
});

it("accepts a backup that is much larger than any other body", async () => {
  const { restore, read } = await setUp();
  const stations = Array.from({ length: 100 }, (_, at) => ({
    id: at + 1,
    name: "ن".repeat(100),
    url: `http://radio.example/${at}/`.padEnd(1024, "x"),
  }));
  expect((await restore({ stations })).statusCode).toBe(200);
  expect((await read()).stations).toEqual(stations);
});
