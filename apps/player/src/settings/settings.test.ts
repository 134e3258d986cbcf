import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { openDatabase } from "../storage/database.ts";
import { settingsRoutes } from "./settings.routes.ts";
import type { SettingsBody } from "./settings.schema.ts";
import { createSettingsService } from "./settings.service.ts";
import { createSettingsStore } from "./settings.store.ts";

const DEFAULTS: SettingsBody = {
  volume: 50,
  max_volume: 100,
  auto_resume: false,
  stream_retry_min: 30,
  allow_private_streams: false,
};

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { database } = openDatabase(folder, createFakeClock());
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  const start = () => createSettingsService({ store: createSettingsStore(database), events, log });
  const settings = start();
  const app = createTestFrame();
  await app.register(settingsRoutes(settings), { prefix: "/api" });
  const post = (path: string, payload: unknown) =>
    app.inject({ method: "POST", url: `/api${path}`, payload: JSON.stringify(payload) });
  return { database, emitted, warnings, settings, post, restart: start };
}

describe("settings", () => {
  it("have their defaults on a new device", async () => {
    const { settings, warnings } = await setUp();
    expect(settings.get()).toEqual(DEFAULTS);
    expect(settings.mode()).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it("are the same after a restart", async () => {
    const { settings, restart } = await setUp();
    settings.change({ volume: 0, max_volume: 80, auto_resume: true, stream_retry_min: 0, allow_private_streams: true });
    settings.keepMode({ mode: "hifz_ab", repeat: 3, pause_s: 5, ab: { from: 78, to: 114 } });
    expect(settings.mode()).toEqual({ mode: "hifz_ab", repeat: 3, pause_s: 5, ab: { from: 78, to: 114 } });
    const again = restart();
    expect(again.get()).toEqual({
      volume: 0,
      max_volume: 80,
      auto_resume: true,
      stream_retry_min: 0,
      allow_private_streams: true,
    });
    expect(again.mode()).toEqual({ mode: "hifz_ab", repeat: 3, pause_s: 5, ab: { from: 78, to: 114 } });
  });

  it("lower the volume to a limit that falls below it, and leave it there when the limit rises", async () => {
    const { settings, restart } = await setUp();
    expect(settings.change({ max_volume: 30 })).toMatchObject({ volume: 30, max_volume: 30 });
    expect(restart().get()).toMatchObject({ volume: 30, max_volume: 30 });
    expect(settings.change({ max_volume: 100 })).toMatchObject({ volume: 30, max_volume: 100 });
    expect(restart().get()).toMatchObject({ volume: 30, max_volume: 100 });
  });

  it.each([
    ["volume", "101"],
    ["volume", '"50"'],
    ["max_volume", "not JSON"],
    ["auto_resume", "1"],
    ["stream_retry_min", "2.5"],
    ["mode", '{"mode":"backwards"}'],
  ])("replace a stored %s of %s by its default, with a line in the log", async (name, value) => {
    const { database, restart, warnings } = await setUp();
    database.command("INSERT INTO settings (name, value) VALUES (?, ?)")(name, value);
    const settings = restart();
    expect(settings.get()).toEqual(DEFAULTS);
    expect(settings.mode()).toBeUndefined();
    expect(warnings).toEqual([{ setting: name }]);
  });

  it("stay as they were, with no event, when a change cannot be kept", async () => {
    const { database, settings, emitted, restart } = await setUp();
    settings.change({ volume: 40 });
    database.command("PRAGMA query_only = ON")();
    expect(() => settings.change({ volume: 60 })).toThrow("storage: the device's storage is read-only");
    expect(settings.get().volume).toBe(40);
    expect(restart().get().volume).toBe(40);
    expect(emitted).toHaveLength(1);
  });

  it("tell their listeners after the event, also of a change without effect, until these stop listening", async () => {
    const { settings, emitted } = await setUp();
    const heard: number[] = [];
    const stop = settings.onChange(({ volume }) => heard.push(volume, emitted.length));
    settings.change({ volume: 60 });
    settings.change({ volume: 60 });
    stop();
    settings.change({ volume: 70 });
    expect(heard).toEqual([60, 1, 60, 2]);
    expect(emitted.map(({ type }) => type)).toEqual(["settings", "settings", "settings"]);
    expect(emitted[2]?.data).toEqual({ ...DEFAULTS, volume: 70 });
  });
});

describe("POST /settings/auto-resume", () => {
  it("answers the setting, keeps it and tells every client", async () => {
    const { post, emitted, restart } = await setUp();
    const answered = await post("/settings/auto-resume", { enabled: true });
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({ success: true, auto_resume: true });
    expect(restart().get().auto_resume).toBe(true);
    expect(emitted).toEqual([{ type: "settings", data: { ...DEFAULTS, auto_resume: true } }]);
  });
});

describe("POST /settings", () => {
  it("changes what is given and answers all settings", async () => {
    const { post, settings } = await setUp();
    const answered = await post("/settings", { stream_retry_min: 1440, max_volume: 20, volume: 99, token: "x" });
    expect(answered.json()).toEqual({
      success: true,
      volume: 20,
      max_volume: 20,
      auto_resume: false,
      stream_retry_min: 1440,
      allow_private_streams: false,
    });
    expect(settings.get()).toMatchObject({ volume: 20, max_volume: 20, stream_retry_min: 1440 });
  });
});

it.each([
  ["/settings/auto-resume", {}, "enabled: is required"],
  ["/settings/auto-resume", { enabled: 1 }, "enabled: must be true or false"],
  ["/settings/auto-resume", [], "body: must be an object"],
  ["/settings", {}, "body: must have at least one of max_volume, stream_retry_min, allow_private_streams"],
  ["/settings", { volume: 5 }, "body: must have at least one of max_volume, stream_retry_min, allow_private_streams"],
  ["/settings", { max_volume: 101 }, "max_volume: must be an integer from 0 to 100"],
  ["/settings", { max_volume: -1 }, "max_volume: must be an integer from 0 to 100"],
  ["/settings", { max_volume: "50" }, "max_volume: must be an integer from 0 to 100"],
  ["/settings", { stream_retry_min: 1441 }, "stream_retry_min: must be an integer from 0 to 1440"],
  ["/settings", { allow_private_streams: null }, "allow_private_streams: must be true or false"],
])("POST %s refuses %j with 400 and says why", async (path, body, error) => {
  const { post, settings, emitted } = await setUp();
  const refused = await post(path, body);
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toEqual({ error });
  expect(settings.get()).toEqual(DEFAULTS);
  expect(emitted).toEqual([]);
});
