import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { flippedAt, simulatedBundle } from "@player/service/testing/simulated-bundle";
import { beforeAll, describe, expect, it } from "vitest";
import { isFull } from "../counts.ts";
import type { StartedService } from "../services.ts";
import { makeCard, makeFile } from "./card.ts";
import { createPlayerClient, hearFile, type PlayerClient } from "./client.ts";
import { askBytes, execute, openGuest, startSimulatedForTest } from "./simulator.ts";

const clock = createClock();
const LONG = "Husary/002.mp3";
const UID = "04A1B2C3";
const IDLE = { in_progress: false, mode: "idle" };

let memory: string;

beforeAll(async () => {
  memory = await makeCard({ reciters: { Husary: [1] } });
  await makeFile(join(memory, LONG), { seconds: 300 });
});

const readStatus = async ({ get }: PlayerClient) => (await get("/api/playback/status")).body;
const readOta = async ({ get }: PlayerClient) => (await get("/api/ota/status")).body;

async function post(client: PlayerClient, path: string, body?: unknown) {
  const answered = await client.post(path, body);
  expect([path, answered.status, answered.text]).toEqual([path, 200, expect.stringContaining('"success":true')]);
  return answered.body;
}

async function readOwn({ ask, token }: PlayerClient, path: string) {
  const answered = await ask({ method: "GET", path, headers: { authorization: `Bearer ${token}` } });
  expect([path, answered.status]).toEqual([path, 200]);
  return answered.body;
}

/** Sends a bundle as the dashboard does. */
async function upload(service: StartedService, token: string, body: Buffer) {
  const { status, bytes } = await askBytes(service, { method: "POST", path: "/api/ota/upload", token, body });
  return { status, body: JSON.parse(bytes.toString("utf8")) };
}

describe("firmware updates", () => {
  it("uploads, installs, starts and confirms firmware step by step", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    const live = await client.socket();
    const answered = await upload(service, client.token, simulatedBundle());
    expect([answered.status, answered.body]).toEqual([200, expect.objectContaining({ success: true, mode: "upload" })]);
    expect(await readOta(client)).toMatchObject({ in_progress: true, mode: "upload", error: "" });
    const second = await upload(service, client.token, simulatedBundle());
    expect([second.status, second.body]).toEqual([400, { error: expect.stringMatching(/^ota: /) }]);
    await live.next("ota", ({ status }) => status === "success", 20_000);
    expect(await readOta(client)).toEqual({ ...IDLE, progress: 100, status: "success", error: "" });
    const received = live.events.filter(({ type }) => type === "ota").map(({ data }) => data);
    const steps = received.map(({ status }) => status);
    expect(steps.filter((step, at) => step !== steps[at - 1])).toEqual([
      "receiving",
      "verifying",
      "installing",
      "rebooting",
      "confirming",
      "success",
    ]);
    const progress = received.map((data) => data.progress);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    await live.close();
  });

  it("refuses firmware of another signer or device and files that are no bundle, and then accepts a valid one", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    for (const bundle of [
      simulatedBundle({ isForged: true }),
      simulatedBundle({ compatible: "toaster" }),
      Buffer.alloc(5000, "x"),
      Buffer.alloc(0),
    ]) {
      const refused = await upload(service, client.token, bundle);
      expect([refused.status, refused.body]).toEqual([400, { error: expect.stringMatching(/^body: /) }]);
      expect(await readOta(client)).toMatchObject({ ...IDLE, status: "failed", error: expect.stringMatching(/./) });
    }
    expect((await upload(service, client.token, simulatedBundle())).status).toBe(200);
  });

  it("refuses firmware with one inverted bit, and keeps the previous firmware", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    const live = await client.socket();
    expect((await upload(service, client.token, flippedAt(simulatedBundle(), 0.5))).status).toBe(200);
    const { data } = await live.next("ota", ({ status }) => status === "failed", 20_000);
    expect(data).toMatchObject({ ...IDLE, error: expect.stringMatching(/^firmware: /) });
    await live.close();
  });

  it("refuses firmware with a low battery and no charger", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    expect(await execute(service, { battery: { percentage: 19, charging: false } })).toEqual({ ok: true });
    expect((await client.get("/api/battery")).body).toMatchObject({ present: true, percentage: 19, charging: false });
    const refused = await upload(service, client.token, simulatedBundle());
    expect([refused.status, refused.body]).toEqual([400, { error: expect.stringMatching(/^battery: /) }]);
    await execute(service, { battery: { percentage: 19, charging: true } });
    expect((await upload(service, client.token, simulatedBundle())).status).toBe(200);
  });
});

/** Sets everything that an owner can set. */
async function furnish(client: PlayerClient): Promise<void> {
  const surah = { type: "surah", reciter: "Husary", surah: 1 };
  await post(client, "/api/favorites", surah);
  await post(client, "/api/radio/stations", { name: "Radio", url: "http://radio.invalid/live" });
  await post(client, "/api/rfid/cards", { uid: UID, name: "Fatiha", binding: { type: "station", id: 1 } });
  // Far from now in every zone: a restart reports a time that has just passed as missed.
  const hour = (clock.now().getUTCHours() + 12) % 24;
  await post(client, "/api/schedules", { hour, minute: 5, days: 62, target: surah, volume: 30, name: "Dawn" });
  const adhan = { enabled: true, prayer_mask: 61, volume: 70, path: "adhan/gone.mp3" };
  await post(client, "/api/prayer/config", {
    lat: 21.4225,
    lng: 39.8262,
    method: 3,
    offsets_min: [1, 2, 3, 4, 5, 6],
    adhan,
  });
  await post(client, "/api/settings", { device_name: "مسجد", language: "ar", max_volume: 90, hijri_adjust: 1 });
  await post(client, "/api/settings/brightness", { brightness: 17 });
  await post(client, "/api/settings/timezone", { timezone: "<+03>-3" });
  await post(client, "/api/settings/time-format", { time_format_24h: true });
  await post(client, "/api/settings/auto-resume", { enabled: false });
  await post(client, "/api/settings/auto-off", { auto_off_minutes: 45 });
  await post(client, "/api/settings/card-removal", { policy: "stop" });
  await post(client, "/api/playback/volume", { volume: 33 });
}

/** The visible part of it. Times change, so they are left out. */
async function look(client: PlayerClient) {
  const { settings } = await readOwn(client, "/api/backup");
  return {
    settings,
    favorites: (await client.get("/api/favorites")).body,
    stations: (await client.get("/api/radio/stations")).body,
    schedules: (await client.get("/api/schedules")).body,
    cards: await readOwn(client, "/api/rfid/cards"),
    prayer: (await client.get("/api/prayer")).body.config,
  };
}

describe("factory reset", () => {
  it("erases everything, creates a new token and disconnects all clients; the backup restores everything", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    await furnish(client);
    await hearFile(client, LONG);
    await post(client, "/api/playback/seek", { position: 60_000 });
    await post(client, "/api/playback/mode", { mode: "repeat_one" });
    await execute(service, { tap: "0102030405060708090A" });
    const before = await look(client);
    const backup = await readOwn(client, "/api/backup");
    expect(Object.keys(backup).toSorted()).toEqual([
      "cards",
      "favorites",
      "prayer",
      "schedules",
      "settings",
      "stations",
    ]);
    const live = await client.socket();
    const guests = await Promise.all([openGuest(service), openGuest(service)]);
    expect(await post(client, "/api/reset")).toEqual({ success: true });
    await live.next("system", ({ phase }) => phase === "reset");
    await Promise.all(guests.map(({ dropped }) => dropped));

    const renewed = (await readFile(join(service.dataFolder, "token"), "utf8")).trim();
    expect(renewed).toMatch(/^[0-9a-f]{64}$/);
    expect(renewed).not.toBe(client.token);
    // The reset also creates a new certificate authority, which the previous client does not trust.
    const owner = await createPlayerClient(service);
    for (const path of ["/api/playback/stop", "/api/reset", "/api/backup"])
      expect((await owner.post(path, {}, { token: client.token })).status).toBe(401);
    expect(await readStatus(owner)).toMatchObject({
      state: "stopped",
      mode: "idle",
      volume: 50,
      advance_mode: "off",
      hasResumeState: false,
    });
    expect((await owner.get("/api/settings")).body).toMatchObject({
      brightness: 200,
      timezone: "UTC0",
      time_format_24h: false,
      auto_off_minutes: 0,
      auto_resume: false,
      card_removal: "continue",
      volume: 50,
    });
    expect(await look(owner)).toMatchObject({
      favorites: { favorites: [] },
      stations: { stations: [] },
      schedules: { schedules: [] },
      cards: { cards: [] },
      prayer: { adhan: { enabled: false, path: "" } },
    });
    expect((await owner.get("/api/prayer")).body).toMatchObject({ configured: false, times: null });
    expect(await readOwn(owner, "/api/rfid/scan")).toMatchObject({ uid: "", age_ms: -1 });
    await expect.poll(async () => (await owner.get("/api/settings")).body.ssid).toBe("");
    expect((await owner.get("/api/library/reciters")).body.reciters).toHaveLength(1);

    const again = await owner.socket();
    expect((await owner.post("/api/backup", backup)).body).toMatchObject({ success: true });
    for (const type of ["settings", "favorites", "stations", "cards", "schedules", "prayer"]) await again.next(type);
    const after = await look(owner);
    const { schedules: _, ...rest } = before;
    expect(after).toMatchObject(rest);
    expect(await readOwn(owner, "/api/backup")).toEqual(backup);
    expect(after.schedules.schedules).toEqual([{ ...before.schedules.schedules[0], last_run: null, last_result: "" }]);
    await again.close();
  });
});

describe("device restart", () => {
  it.each(["SIGTERM", "SIGKILL"] as const)(
    "keeps everything including the token after a restart by %s",
    async (signal) => {
      const first = await startSimulatedForTest(memory);
      await furnish(first.client);
      await hearFile(first.client, LONG);
      await post(first.client, "/api/playback/seek", { position: 60_000 });
      await post(first.client, "/api/playback/pause");
      const before = await look(first.client);
      await first.service.stop(signal);
      const second = await startSimulatedForTest(memory, { PLAYER_DATA_DIR: first.service.dataFolder });
      expect(second.client.token).toBe(first.client.token);
      expect(await look(second.client)).toEqual(before);
      expect(await readStatus(second.client)).toMatchObject({ state: "stopped", hasResumeState: true, volume: 33 });
      expect(await post(second.client, "/api/playback/resume-saved")).toMatchObject({ track: LONG });
      expect((await readStatus(second.client)).position).toBeGreaterThanOrEqual(57_900);
      // The simulator also has a socket again.
      expect(await execute(second.service, { lift: true })).toEqual({ ok: true });
    },
  );

  it("keeps the result of an update", async () => {
    const first = await startSimulatedForTest(memory);
    const live = await first.client.socket();
    await upload(first.service, first.client.token, simulatedBundle());
    await live.next("ota", ({ status }) => status === "success", 20_000);
    await live.close();
    await first.service.stop();
    const second = await startSimulatedForTest(memory, { PLAYER_DATA_DIR: first.service.dataFolder });
    expect(await readOta(second.client)).toMatchObject({ ...IDLE, status: "success", progress: 100 });
  });
});

describe("sleep mode", () => {
  it("stops all sound, keeps the position, and ends with a press of the button", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    await hearFile(client, LONG);
    await post(client, "/api/playback/seek", { position: 60_000 });
    const live = await client.socket();
    expect(await post(client, "/api/system/sleep")).toEqual({ success: true, wakes_at: null });
    expect((await live.next("system")).data).toEqual({ phase: "sleeping", wakes_at: null });
    expect(await readStatus(client)).toMatchObject({ state: "stopped", hasResumeState: true });
    await clock.sleep(2000);
    expect(live.events.filter(({ type }) => type === "system")).toHaveLength(1);
    await execute(service, { button: "press" });
    expect((await live.next("system")).data).toEqual({ phase: "awake", wakes_at: null });
    // And again: the first sleep has no after-effects.
    await post(client, "/api/system/sleep");
    await live.next("system", ({ phase }) => phase === "sleeping");
    await clock.sleep(1000);
    await execute(service, { button: "press" });
    await live.next("system", ({ phase }) => phase === "awake");
    await live.close();
  });

  it("ends automatically for the next enabled schedule, which then runs", async () => {
    const { client } = await startSimulatedForTest(memory);
    const due = Date.parse("2026-03-03T22:30Z") / 1000;
    await post(client, "/api/settings/time", { epoch: due - 20 });
    const target = { type: "surah", reciter: "Husary", surah: 2 };
    const late = await post(client, "/api/schedules", { hour: 22, minute: 29, days: 127, target });
    expect(late.next_run).toBe(due + 86_340);
    await post(client, "/api/schedules", { hour: 22, minute: 30, days: 127, target });
    const live = await client.socket();
    expect(await post(client, "/api/system/sleep")).toEqual({ success: true, wakes_at: due });
    expect((await live.next("system", ({ phase }) => phase === "awake", 21_000)).data.wakes_at).toBe(null);
    expect((await live.next("schedule_fired", undefined, 15_000)).data.result).toBe("ok");
    expect(await readStatus(client)).toMatchObject({ state: "playing", surah_number: 2 });
    await live.close();
  });

  // The minimum idle time is a minute, so this takes more than two.
  it.runIf(isFull)("starts automatically after the idle minutes, but not while a dashboard is connected", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    await post(client, "/api/settings/auto-off", { auto_off_minutes: 1 });
    const live = await client.socket();
    await clock.sleep(70_000);
    expect(live.events.filter(({ type }) => type === "system")).toEqual([]);
    await live.close();
    await clock.sleep(55_000);
    expect(service.output()).not.toContain("the device sleeps");
    await expect.poll(() => service.output(), { timeout: 20_000 }).toContain("the device sleeps");
  });
});
