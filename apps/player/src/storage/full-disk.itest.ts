import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import Type from "typebox";
import { afterAll, beforeEach, expect, it } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createSimulatedSystemClock } from "../drivers/simulated-clock.ts";
import { createEvents } from "../events.ts";
import { favoritesRoutes } from "../favorites/favorites.routes.ts";
import { createFavoritesService } from "../favorites/favorites.service.ts";
import { createFavoritesStore } from "../favorites/favorites.store.ts";
import { createResumePositionStore } from "../playback/resume-position.store.ts";
import { createDeviceSettingsService } from "../settings/device-settings.service.ts";
import { settingsRoutes } from "../settings/settings.routes.ts";
import { createSettingsService } from "../settings/settings.service.ts";
import { createSettingsStore } from "../settings/settings.store.ts";
import { createWifiService } from "../settings/wifi.service.ts";
import { createTimeService } from "../time/time.service.ts";
import { type Database, openDatabase } from "./database.ts";

const clock = createFakeClock();
const disk = mkdtempSync(join(tmpdir(), "full-disk-"));
// Only a separate disk can be filled up, and only root may mount one.
const mounted = hasRun("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk);

beforeEach(() => {
  for (const name of readdirSync(disk)) rmSync(join(disk, name));
});

afterAll(() => {
  if (mounted) expect(hasRun("umount", "--lazy", disk)).toBe(true);
  rmSync(disk, { recursive: true });
});

function hasRun(command: string, ...parameters: string[]): boolean {
  return spawnSync(command, parameters).status === 0;
}

function fillUp(): void {
  for (const sizeBytes of [65_536, 4096, 1]) {
    try {
      for (;;) appendFileSync(join(disk, "filler"), Buffer.alloc(sizeBytes));
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
}

const makeRoom = () => rmSync(join(disk, "filler"));

const checkIntegrity = (database: Database) => database.query(Type.Unknown(), "PRAGMA integrity_check").all();

async function start(database: Database) {
  const events = createEvents();
  const settings = createSettingsService({ store: createSettingsStore(database), log: silentLog });
  const device = createDeviceSettingsService({
    settings,
    wifi: createWifiService({ manager: undefined, isInUse: () => false, events, clock, log: silentLog }),
    time: createTimeService({
      system: createSimulatedSystemClock({ clock, hasServers: () => true }),
      chip: undefined,
      timezone: { get: () => settings.get().timezone, set: (timezone) => void settings.change({ timezone }) },
      clock,
      log: silentLog,
    }),
    backlight: undefined,
    canSleep: () => true,
    hostname: () => "manara",
    ip: () => "",
    events,
    log: silentLog,
  });
  const favorites = createFavoritesService({
    store: createFavoritesStore(database),
    events,
    clock,
    isAvailable: () => true,
    checkUrl: async () => undefined,
  });
  const app = createTestFrame();
  await app.register(settingsRoutes(device), { prefix: "/api" });
  await app.register(favoritesRoutes(favorites), { prefix: "/api" });
  const post = (path: string, payload: object) => app.inject({ method: "POST", url: `/api${path}`, payload });
  const remove = () => app.inject({ method: "DELETE", url: "/api/favorites/1" });
  const list = async () => (await app.inject("/api/favorites")).json().favorites;
  return { settings, post, remove, list };
}

it.skipIf(!mounted)(
  "answers writes to a full disk with 500, loses nothing, and continues when there is room",
  async () => {
    const { database } = openDatabase(disk, clock);
    const { settings, post, remove, list } = await start(database);
    const positions = createResumePositionStore(database);
    const position = { path: "1.mp3", reciter: "", surah: 1, position_ms: 1, was_running: true, saved_at: 1 };
    positions.save(position);
    await post("/favorites", { type: "surah", reciter: "Husary", surah: 1 });
    await post("/settings", { max_volume: 90 });
    fillUp();
    for (let round = 0; round < 20; round += 1) {
      const refused = [
        await post("/favorites", { type: "surah", reciter: "Husary", surah: 2 }),
        await post("/favorites/toggle", { type: "surah", reciter: "Husary", surah: 1 }),
        await post("/settings", { max_volume: 20 }),
        await post("/settings/auto-resume", { enabled: true }),
        await remove(),
      ];
      for (const answer of refused) {
        expect(answer.statusCode).toBe(500);
        expect(answer.json()).toEqual({ error: "storage: the device's storage is full" });
      }
      expect(() => positions.save({ ...position, surah: 2 })).toThrow("storage: the device's storage is full");
    }
    expect(await list()).toMatchObject([{ id: 1, surah: 1 }]);
    expect(settings.get()).toMatchObject({ volume: 50, max_volume: 90, auto_resume: false });
    expect(positions.list()).toEqual([position]);

    makeRoom();
    expect((await post("/favorites", { type: "surah", reciter: "Husary", surah: 3 })).statusCode).toBe(200);
    expect((await post("/settings", { max_volume: 20 })).json()).toMatchObject({ volume: 20, max_volume: 20 });
    expect(await list()).toMatchObject([{ surah: 1 }, { surah: 3 }]);
    expect(checkIntegrity(database)).toEqual([{ integrity_check: "ok" }]);
    const again = openDatabase(disk, clock);
    expect(again.boot_failure).toBeUndefined();
    expect(createSettingsStore(again.database).find("max_volume")).toBe("20");
  },
);

it.skipIf(!mounted)("starts on a full disk with all stored data, and writes again when there is room", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "full-disk-origin-"));
  const origin = openDatabase(elsewhere, clock).database;
  createSettingsStore(origin).save({ volume: 33 });
  origin.command("PRAGMA wal_checkpoint(TRUNCATE)")();
  copyFileSync(join(elsewhere, "player.db"), join(disk, "player.db"));
  rmSync(elsewhere, { recursive: true });
  fillUp();
  const { database, boot_failure } = openDatabase(disk, clock);
  expect(boot_failure).toBeUndefined();
  const { settings, post } = await start(database);
  expect(settings.get().volume).toBe(33);
  expect((await post("/settings", { max_volume: 20 })).statusCode).toBe(500);
  makeRoom();
  expect((await post("/settings", { max_volume: 20 })).json()).toMatchObject({ volume: 20 });
  expect(checkIntegrity(database)).toEqual([{ integrity_check: "ok" }]);
});
