import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createSimulatedBacklight } from "../drivers/simulated-backlight.ts";
import { createSimulatedClockChip, createSimulatedSystemClock } from "../drivers/simulated-clock.ts";
import { createSimulatedWifi } from "../drivers/simulated-wifi.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { openDatabase } from "../storage/database.ts";
import { createTimeService } from "../time/time.service.ts";
import { createDeviceSettingsService } from "./device-settings.service.ts";
import { settingsRoutes } from "./settings.routes.ts";
import type { Settings } from "./settings.schema.ts";
import { createSettingsService } from "./settings.service.ts";
import { createSettingsStore } from "./settings.store.ts";
import { createWifiService } from "./wifi.service.ts";

// 2026-01-01T00:00:00Z
const NEW_YEAR = 1_767_225_600;

const DEFAULTS: Settings = {
  brightness: 200,
  timezone: "UTC0",
  time_format_24h: false,
  auto_resume: false,
  auto_off_minutes: 0,
  card_removal: "continue",
  volume: 50,
  max_volume: 100,
  device_name: "Manara",
  language: "en",
  high_latitude: "auto",
  hijri_adjust: 0,
  after_adhan: "resume",
  stream_retry_min: 30,
  allow_private_streams: false,
};
const SURROUNDINGS = {
  ssid: "Home",
  wifi_connected: true,
  ip: "192.168.1.7",
  hostname: "manara",
  time: NEW_YEAR,
  time_synced: false,
  time_source: "rtc",
  rtc_temperature: 24.25,
};
const OTHERS: Settings = {
  brightness: 0,
  timezone: "<+03>-3",
  time_format_24h: true,
  auto_resume: true,
  auto_off_minutes: 240,
  card_removal: "stop",
  volume: 0,
  max_volume: 80,
  device_name: "منارة",
  language: "ar",
  high_latitude: "twilight_angle",
  hijri_adjust: -2,
  after_adhan: "stay_paused",
  stream_retry_min: 0,
  allow_private_streams: true,
};

async function setUp({ hasParts = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = createFakeClock();
  const { database } = openDatabase(folder, clock);
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  const start = () => createSettingsService({ store: createSettingsStore(database), log });
  const settings = start();
  const chip = createSimulatedClockChip(clock);
  const time = createTimeService({
    system: createSimulatedSystemClock({ clock, hasServers: () => false }),
    chip: hasParts ? chip : undefined,
    timezone: { get: () => settings.get().timezone, set: (timezone) => settings.change({ timezone }) },
    clock,
    log,
  });
  await time.start();
  onTestFinished(() => time.close());
  const backlight = createSimulatedBacklight();
  const wifi = createWifiService({
    manager: hasParts ? createSimulatedWifi({ ssid: "Home", password: "" }) : undefined,
    isInUse: () => false,
    events,
    clock,
    log,
  });
  const device = createDeviceSettingsService({
    settings,
    wifi,
    time,
    backlight: hasParts ? backlight : undefined,
    canSleep: () => hasParts,
    hostname: () => "manara",
    ip: () => "192.168.1.7",
    events,
    log,
  });
  if (hasParts) await device.start();
  const app = createTestFrame();
  await app.register(settingsRoutes(device), { prefix: "/api" });
  const get = async () => (await app.inject("/api/settings")).json();
  const post = (path: string, payload: unknown) =>
    app.inject({ method: "POST", url: `/api${path}`, payload: JSON.stringify(payload) });
  return { clock, database, emitted, warnings, settings, device, backlight, chip, time, get, post, restart: start };
}

describe("settings", () => {
  it("settings have their defaults on a new device", async () => {
    const { settings, warnings } = await setUp();
    expect(settings.get()).toEqual(DEFAULTS);
    expect(settings.mode()).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it("settings are the same after a restart", async () => {
    const { settings, restart } = await setUp();
    settings.change(OTHERS);
    settings.saveMode({ mode: "hifz_ab", repeat: 3, pause_s: 5, ab: { from: 78, to: 114 } });
    expect(settings.mode()).toEqual({ mode: "hifz_ab", repeat: 3, pause_s: 5, ab: { from: 78, to: 114 } });
    const again = restart();
    expect(again.get()).toEqual(OTHERS);
    expect(again.mode()).toEqual({ mode: "hifz_ab", repeat: 3, pause_s: 5, ab: { from: 78, to: 114 } });
  });

  it("settings lower the volume to a limit that falls below it, and keep it when the limit rises", async () => {
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
    ["brightness", "256"],
    ["card_removal", '"explode"'],
    ["device_name", '""'],
    ["mode", '{"mode":"backwards"}'],
  ])("replace a stored %s of %s by its default, and log it", async (name, value) => {
    const { database, restart, warnings } = await setUp();
    database.command("INSERT INTO settings (name, value) VALUES (?, ?)")(name, value);
    const settings = restart();
    expect(settings.get()).toEqual(DEFAULTS);
    expect(settings.mode()).toBeUndefined();
    expect(warnings).toEqual([{ setting: name }]);
  });

  it("settings stay unchanged, without an event, when a change cannot be saved", async () => {
    const { database, settings, backlight, emitted, post, restart } = await setUp();
    settings.change({ volume: 40 });
    database.command("PRAGMA query_only = ON")();
    expect(() => settings.change({ volume: 60 })).toThrow("storage: the device's storage is read-only");
    expect((await post("/settings/brightness", { brightness: 7 })).statusCode).toBe(500);
    expect((await post("/settings/timezone", { timezone: "<+03>-3" })).statusCode).toBe(500);
    expect(settings.get()).toEqual({ ...DEFAULTS, volume: 40 });
    expect(backlight.brightness()).toBe(200);
    expect(restart().get().volume).toBe(40);
    expect(emitted).toHaveLength(1);
  });

  it("settings notify their listeners, also of a change without effect, until these stop listening", async () => {
    const { settings, emitted } = await setUp();
    const volumes: number[] = [];
    const stop = settings.onChange(({ volume }) => volumes.push(volume));
    settings.change({ volume: 60 });
    settings.change({ volume: 60 });
    stop();
    settings.change({ volume: 70 });
    expect(volumes).toEqual([60, 60]);
    expect(emitted.map(({ type }) => type)).toEqual(["settings", "settings", "settings"]);
    expect(emitted[2]?.data).toEqual({ ...SURROUNDINGS, ...DEFAULTS, volume: 70 });
  });

  it("settings are read again when the store was emptied, and the light is set", async () => {
    const { database, settings, backlight, emitted, post } = await setUp();
    await post("/settings/brightness", { brightness: 7 });
    settings.change({ ...OTHERS, brightness: 7 });
    settings.saveMode({ mode: "continuous" });
    database.command("DELETE FROM settings")();
    settings.reload();
    expect(settings.get()).toEqual(DEFAULTS);
    expect(settings.mode()).toBeUndefined();
    expect(backlight.brightness()).toBe(200);
    expect(emitted.at(-1)?.data).toEqual({ ...SURROUNDINGS, ...DEFAULTS });
  });
});

describe("GET /settings", () => {
  it("returns everything except secrets", async () => {
    const { get, settings } = await setUp();
    expect(await get()).toEqual({ ...SURROUNDINGS, ...DEFAULTS });
    settings.change(OTHERS);
    expect(await get()).toEqual({ ...SURROUNDINGS, ...OTHERS });
  });

  it("answers also without radio, clock chip and backlight", async () => {
    const { get } = await setUp({ hasParts: false });
    const { rtc_temperature: _, ...others } = SURROUNDINGS;
    const absent = { ssid: "", wifi_connected: false, time_source: "none" };
    expect(await get()).toEqual({ ...others, ...absent, ...DEFAULTS });
  });
});

describe("a route of one setting", () => {
  it.each([
    ["brightness", { brightness: 0 }, { brightness: 0 }],
    ["brightness", { brightness: 255 }, { brightness: 255 }],
    ["timezone", { timezone: "EST5EDT,M3.2.0,M11.1.0" }, { timezone: "EST5EDT,M3.2.0,M11.1.0" }],
    ["time-format", { time_format_24h: true }, { time_format_24h: true }],
    ["auto-resume", { enabled: true }, { auto_resume: true }],
    ["auto-off", { auto_off_minutes: 240 }, { auto_off_minutes: 240 }],
    ["card-removal", { policy: "pause" }, { card_removal: "pause" }],
  ])("POST /settings/%s accepts %j, saves it and notifies every client once", async (path, body, setting) => {
    const { post, emitted, restart } = await setUp();
    const answered = await post(`/settings/${path}`, body);
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({ success: true, ...setting });
    expect(restart().get()).toEqual({ ...DEFAULTS, ...setting });
    expect(emitted).toEqual([{ type: "settings", data: { ...SURROUNDINGS, ...DEFAULTS, ...setting } }]);
  });

  it("POST /settings/auto-off refuses minutes on a device that cannot sleep, and accepts 0", async () => {
    const { post, emitted, settings } = await setUp({ hasParts: false });
    const refused = await post("/settings/auto-off", { auto_off_minutes: 10 });
    expect(refused.statusCode).toBe(500);
    expect(refused.json()).toEqual({ error: "power: this device cannot sleep" });
    expect([settings.get().auto_off_minutes, emitted]).toEqual([0, []]);
    expect((await post("/settings/auto-off", { auto_off_minutes: 0 })).statusCode).toBe(200);
  });

  it("POST /settings/brightness dims the light immediately", async () => {
    const { post, backlight } = await setUp();
    expect(backlight.brightness()).toBe(200);
    await post("/settings/brightness", { brightness: 3 });
    expect(backlight.brightness()).toBe(3);
  });

  it("POST /settings/time sets the clocks, each time with an event", async () => {
    const { post, get, chip, emitted } = await setUp();
    const answered = await post("/settings/time", { epoch: 1_800_000_000 });
    expect(answered.json()).toEqual({ success: true, time: 1_800_000_000, time_source: "manual" });
    expect(await chip.read()).toMatchObject({ epochS: 1_800_000_000 });
    await post("/settings/time", { epoch: 1_800_000_100 });
    expect(await get()).toMatchObject({ time: 1_800_000_100, time_source: "manual", time_synced: false });
    expect(emitted.map(({ type }) => type)).toEqual(["settings", "settings"]);
    expect(emitted[1]?.data).toMatchObject({ time: 1_800_000_100, time_source: "manual" });
  });

  it.each([
    ["/settings/brightness", { brightness: 7 }, "backlight: none is fitted"],
    ["/settings/wifi", { ssid: "Home", password: "" }, "wifi: no adapter is fitted"],
  ])("POST %s answers 500, names a missing part, and saves nothing", async (path, body, error) => {
    const { post, settings, emitted } = await setUp({ hasParts: false });
    const refused = await post(path, body);
    expect(refused.statusCode).toBe(500);
    expect(refused.json()).toEqual({ error });
    expect(settings.get()).toEqual(DEFAULTS);
    expect(emitted).toEqual([]);
  });
});

describe("POST /settings/wifi", () => {
  it("answers before it switches to the network, and never reveals the password", async () => {
    const { clock, post, get, emitted } = await setUp();
    const answered = await post("/settings/wifi", { ssid: "Office", password: "battery staple" });
    expect(answered.json()).toEqual({ success: true, ssid: "Office" });
    expect(await get()).toMatchObject({ ssid: "Home" });
    await clock.advance(1000);
    expect(await get()).toMatchObject({ ssid: "Office", wifi_connected: true });
    expect(emitted.map(({ data }) => ("ssid" in data ? data.ssid : data))).toEqual(["Home", "Office"]);
    expect(JSON.stringify([answered.json(), emitted, await get()])).not.toContain("staple");
  });
});

describe("POST /settings", () => {
  it("changes the given settings and returns all settings", async () => {
    const { post, settings } = await setUp();
    const answered = await post("/settings", { stream_retry_min: 1440, max_volume: 20, volume: 99, token: "x" });
    const changed = { ...DEFAULTS, volume: 20, max_volume: 20, stream_retry_min: 1440 };
    expect(answered.json()).toEqual({ success: true, ...SURROUNDINGS, ...changed });
    expect(settings.get()).toEqual(changed);
  });

  it("accepts every setting that has no route of its own", async () => {
    const { post, settings } = await setUp();
    const { device_name, language, high_latitude, hijri_adjust, after_adhan, allow_private_streams } = OTHERS;
    const given = { device_name, language, high_latitude, hijri_adjust, after_adhan, allow_private_streams };
    expect((await post("/settings", given)).statusCode).toBe(200);
    expect(settings.get()).toEqual({ ...DEFAULTS, ...given });
  });
});

const NOTHING =
  "body: must have at least one of device_name, language, max_volume, high_latitude, hijri_adjust, after_adhan, " +
  "stream_retry_min, allow_private_streams";

it.each([
  ["/settings/brightness", { brightness: 256 }, "brightness: must be an integer from 0 to 255"],
  ["/settings/brightness", { brightness: -1 }, "brightness: must be an integer from 0 to 255"],
  ["/settings/brightness", {}, "brightness: is required"],
  ["/settings/timezone", { timezone: 3 }, "timezone: must be a text"],
  ["/settings/timezone", { timezone: "" }, "timezone: must be 1 to 100 printable ASCII characters"],
  ["/settings/time-format", { time_format_24h: 1 }, "time_format_24h: must be true or false"],
  ["/settings/time", { epoch: "now" }, "epoch: must be an integer"],
  ["/settings/time", { epoch: 0 }, "epoch: must be an integer from 1704067200 to 4102444799"],
  ["/settings/auto-resume", {}, "enabled: is required"],
  ["/settings/auto-resume", { enabled: 1 }, "enabled: must be true or false"],
  ["/settings/auto-resume", [], "body: must be an object"],
  ["/settings/auto-off", { auto_off_minutes: 241 }, "auto_off_minutes: must be an integer from 0 to 240"],
  ["/settings/card-removal", { policy: "explode" }, "policy: must be one of continue, pause, stop"],
  ["/settings/wifi", { password: "correct horse" }, "ssid: is required"],
  ["/settings/wifi", { ssid: "Home" }, "password: is required"],
  ["/settings/wifi", { ssid: "", password: "" }, "ssid: must be a text of 1 to 32 characters"],
  ["/settings/wifi", { ssid: "م".repeat(17), password: "" }, "ssid: must be at most 32 bytes"],
  ["/settings/wifi", { ssid: "a\nb", password: "" }, "ssid: must not contain control characters"],
  ["/settings", {}, NOTHING],
  ["/settings", { volume: 5 }, NOTHING],
  ["/settings", { max_volume: 101 }, "max_volume: must be an integer from 0 to 100"],
  ["/settings", { max_volume: -1 }, "max_volume: must be an integer from 0 to 100"],
  ["/settings", { max_volume: "50" }, "max_volume: must be an integer from 0 to 100"],
  ["/settings", { stream_retry_min: 1441 }, "stream_retry_min: must be an integer from 0 to 1440"],
  ["/settings", { allow_private_streams: null }, NOTHING],
  ["/settings", { allow_private_streams: 1 }, "allow_private_streams: must be true or false"],
  ["/settings", { device_name: "" }, "device_name: must be a text of 1 to 32 characters"],
  ["/settings", { device_name: "a\u0000b" }, "device_name: must not contain control characters"],
  ["/settings", { language: "fr" }, "language: must be one of en, ar"],
  ["/settings", { hijri_adjust: 3 }, "hijri_adjust: must be an integer from -2 to 2"],
  ["/settings", { after_adhan: "stop" }, "after_adhan: must be one of resume, stay_paused"],
])("POST %s refuses %j with 400 and the reason", async (path, body, error) => {
  const { post, settings, emitted } = await setUp();
  const refused = await post(path, body);
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toEqual({ error });
  expect(settings.get()).toEqual(DEFAULTS);
  expect(emitted).toEqual([]);
});

it.each(["short", "g".repeat(64), "with\ttabulator", "كلمة السر"])(
  "refuses a password of the form %j, and does not repeat it",
  async (password) => {
    const { post } = await setUp();
    const refused = await post("/settings/wifi", { ssid: "Home", password });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({
      error: "password: must be 8 to 63 printable ASCII characters, 64 hex digits, or empty",
    });
  },
);

it("reports a backlight that fails, and keeps the former brightness", async () => {
  const { device, backlight, settings } = await setUp();
  backlight.set = () => Promise.reject(new Problem("failed", "backlight: it cannot be set"));
  await expect(device.setBrightness(9)).rejects.toThrow("backlight: it cannot be set");
  expect(settings.get().brightness).toBe(200);
});
