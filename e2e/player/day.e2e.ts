import { join } from "node:path";
import { createClock } from "@kit/clock";
import { beforeAll, describe, expect, it } from "vitest";
import { makeCard, makeFile } from "./card.ts";
import { hearFile, type PlayerClient } from "./client.ts";
import { askBytes, execute, startSimulatedForTest } from "./simulator.ts";

const clock = createClock();
const LONG = "Husary/002.mp3";
const ADHAN = "adhan/adhan.mp3";
const UID = "04A1B2C3";
const RALEIGH = { lat: 35.775, lng: -78.6336, method: 1, asr_hanafi: true };
const NEW_YORK_TIME = "EST5EDT,M3.2.0,M11.1.0";
const PRAYERS = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"];
/** Epoch seconds of a minute in UTC. */
const parseEpoch = (text: string) => Date.parse(`${text}Z`) / 1000;

let memory: string;

beforeAll(async () => {
  memory = await makeCard({ reciters: { Husary: [1], Minshawi: [36, 55] }, seconds: 30 });
  await makeFile(join(memory, LONG), { seconds: 300 });
  await makeFile(join(memory, ADHAN), { seconds: 3 });
});

const readStatus = async ({ get }: PlayerClient) => (await get("/api/playback/status")).body;

async function post(client: PlayerClient, path: string, body?: unknown) {
  const answered = await client.post(path, body);
  expect([path, answered.status, answered.text]).toEqual([path, 200, expect.stringContaining('"success":true')]);
  return answered.body;
}

const readScan = async ({ ask, token }: PlayerClient) =>
  (await ask({ method: "GET", path: "/api/rfid/scan", headers: { authorization: `Bearer ${token}` } })).body;

describe("location and time zone", () => {
  it("derives the prayer times, the next prayer and the Hijri date from place and time", async () => {
    const { client } = await startSimulatedForTest(memory, { TZ: "Asia/Tokyo" });
    const { body: before } = await client.get("/api/prayer");
    expect(before).toMatchObject({ configured: false, times: null, epochs: null, next: null, timezone: "UTC0" });
    const live = await client.socket();
    await post(client, "/api/settings/timezone", { timezone: NEW_YORK_TIME });
    // 2026-07-12, 15:00 in Raleigh.
    await post(client, "/api/settings/time", { epoch: parseEpoch("2026-07-12T19:00") });
    await post(client, "/api/prayer/config", RALEIGH);
    const { data } = await live.next("prayer", ({ configured }) => configured);
    const { body } = await client.get("/api/prayer");
    expect(body).toMatchObject({
      configured: true,
      clock_ok: true,
      date: "2026-07-12",
      timezone: NEW_YORK_TIME,
      config: RALEIGH,
      current: "dhuhr",
      next: { name: "asr", index: 3, tomorrow: false, time: body.times.asr, epoch: body.epochs[3] },
      // 1 Muharram 1448 is 2026-06-16, plus or minus one day.
      hijri: { year: 1448, month: 1, month_name: expect.stringMatching(/^Muharram/) },
    });
    expect(data.times).toEqual(body.times);
    expect(Math.abs(body.hijri.day - 27)).toBeLessThan(2);
    expect(Math.abs(body.next.epoch - parseEpoch("2026-07-12T19:00") - body.next.countdown_s)).toBeLessThan(10);
    // batoulapps/adhan, test data for 2015-07-12; the times differ by a minute from year to year.
    const known = ["04:42", "06:08", "13:21", "18:22", "20:32", "21:57"];
    const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    for (const [at, name] of PRAYERS.entries())
      expect(Math.abs(minutes(body.times[name]) - minutes(known[at] ?? ""))).toBeLessThan(2);
    const { days } = (await client.get("/api/prayer/month?month=2015-07")).body;
    expect(PRAYERS.map((name) => days[11].times[name])).toEqual(known);
    await post(client, "/api/prayer/config", { offsets_min: [0, 0, 0, 7, 0, 0] });
    expect((await client.get("/api/prayer")).body.epochs[3]).toBe(body.epochs[3] + 7 * 60);
    await live.close();
  });

  it("shows tomorrow's Fajr as the next prayer after Isha", async () => {
    const { client } = await startSimulatedForTest(memory);
    await post(client, "/api/settings/timezone", { timezone: NEW_YORK_TIME });
    await post(client, "/api/prayer/config", RALEIGH);
    await post(client, "/api/settings/time", { epoch: parseEpoch("2026-07-13T03:00") });
    expect((await client.get("/api/prayer")).body).toMatchObject({
      date: "2026-07-12",
      next: { name: "fajr", index: 0, tomorrow: true },
      current: "isha",
    });
  });
});

describe("RFID cards", () => {
  it("registers a card after a tap, plays it at the next tap, and pauses when it is removed", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    const live = await client.socket();
    expect(await execute(service, { tap: UID })).toEqual({ ok: true });
    const { data } = await live.next("nfc");
    expect(data).toEqual({ uid: UID, uid_len: 4, registered: false, age_ms: expect.any(Number) });
    const scan = await readScan(client);
    expect(scan).toMatchObject({ uid: UID, uid_len: 4, registered: false });
    expect(scan.age_ms).toBeGreaterThanOrEqual(0);
    const binding = { type: "surah", reciter: "Husary", surah: 2, volume: 35 };
    await post(client, "/api/rfid/cards", { uid: scan.uid, name: "The Cow", binding });
    expect((await live.next("cards")).data).toEqual({ action: "added", count: 1 });
    await post(client, "/api/settings/card-removal", { policy: "pause" });
    await execute(service, { lift: true });
    // The same card is not detected again for 1.5 s.
    await clock.sleep(1700);
    expect((await readStatus(client)).state).toBe("stopped");
    await execute(service, { tap: UID });
    expect((await live.next("nfc", ({ registered }) => registered)).data.uid).toBe(UID);
    await live.next("playback", ({ state }) => state === "playing");
    expect(await readStatus(client)).toMatchObject({
      state: "playing",
      mode: "file",
      track: LONG,
      reciter: "Husary",
      surah_number: 2,
      volume: 35,
    });
    await execute(service, { lift: true });
    await live.next("playback", ({ state }) => state === "paused", 2000);
    expect(await readStatus(client)).toMatchObject({ state: "paused", track: LONG });
    await live.close();
  });

  it("stops playback by the policy of the card or that of the device", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    for (const [policy, on_remove, state] of [
      ["continue", "inherit", "playing"],
      ["stop", "inherit", "stopped"],
      ["pause", "continue", "playing"],
      ["continue", "stop", "stopped"],
    ]) {
      await post(client, "/api/playback/stop");
      await post(client, "/api/settings/card-removal", { policy });
      const binding = { type: "file", path: LONG };
      await post(client, "/api/rfid/cards", { uid: UID, name: "A file", binding, on_remove });
      await execute(service, { tap: UID });
      await expect.poll(() => readStatus(client), { timeout: 3000 }).toMatchObject({ state: "playing" });
      await execute(service, { lift: true });
      // The same card is not detected again for 1.5 s.
      await clock.sleep(1700);
      expect([policy, on_remove, (await readStatus(client)).state]).toEqual([policy, on_remove, state]);
    }
  });

  it("ignores a card after it was unregistered", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    await post(client, "/api/rfid/cards", { uid: UID, name: "Stop", binding: { type: "file", path: LONG } });
    expect((await client.del(`/api/rfid/cards/${UID}`)).status).toBe(200);
    const live = await client.socket();
    await execute(service, { tap: UID });
    expect((await live.next("nfc")).data).toMatchObject({ registered: false });
    await clock.sleep(300);
    expect((await readStatus(client)).state).toBe("stopped");
    await live.close();
  });
});

describe("schedules", () => {
  // Wednesday 01:30 three hours east of Greenwich, where it is still Tuesday.
  const WEDNESDAY = 0b0001000;
  const DUE = parseEpoch("2026-03-03T22:30");

  async function setUp() {
    const { service, client } = await startSimulatedForTest(memory, { TZ: "America/New_York" });
    await post(client, "/api/settings/timezone", { timezone: "<+03>-3" });
    await post(client, "/api/settings/time", { epoch: DUE - 3600 });
    const target = { type: "surah", reciter: "Minshawi", surah: 36 };
    const body = { name: "Night", hour: 1, minute: 30, days: WEDNESDAY, target, volume: 25 };
    const { id, next_run } = await post(client, "/api/schedules", body);
    expect(next_run).toBe(DUE);
    return { service, client, id, live: await client.socket() };
  }

  const find = async ({ get }: PlayerClient) => (await get("/api/schedules")).body.schedules[0];

  it("runs a schedule at its minute, on its day, in the device's time zone", async () => {
    const { client, id, live } = await setUp();
    await post(client, "/api/settings/time", { epoch: DUE - 3 });
    await clock.sleep(1500);
    expect((await readStatus(client)).state).toBe("stopped");
    expect((await live.next("schedule_fired", undefined, 6000)).data).toEqual({ id, name: "Night", result: "ok" });
    expect(await readStatus(client)).toMatchObject({
      state: "playing",
      reciter: "Minshawi",
      surah_number: 36,
      volume: 25,
    });
    const ran = await find(client);
    expect(ran).toMatchObject({ last_result: "ok", enabled: true, next_run: DUE + 7 * 86_400 });
    expect(Math.abs(ran.last_run - DUE)).toBeLessThan(3);
    // A clock that is set back does not repeat it.
    await post(client, "/api/playback/stop");
    await post(client, "/api/settings/time", { epoch: DUE - 2 });
    await clock.sleep(4000);
    expect((await readStatus(client)).state).toBe("stopped");
    await live.close();
  });

  it("runs a schedule when the clock jumps past it by up to two minutes, and skips it beyond that", async () => {
    const { client, id, live } = await setUp();
    await post(client, "/api/settings/time", { epoch: DUE + 110 });
    expect((await live.next("schedule_fired")).data).toMatchObject({ id, result: "ok" });
    await post(client, "/api/playback/stop");
    await post(client, "/api/settings/time", { epoch: DUE + 7 * 86_400 + 130 });
    expect((await live.next("schedule_fired")).data).toMatchObject({ id, result: "missed" });
    expect((await readStatus(client)).state).toBe("stopped");
    expect((await find(client)).last_result).toBe("missed");
    await live.close();
  });

  it("runs no disabled schedule, and runs it again when it is enabled", async () => {
    const { client, id, live } = await setUp();
    expect(await post(client, `/api/schedules/${id}/enable`, { enabled: false })).toMatchObject({ next_run: null });
    await post(client, "/api/settings/time", { epoch: DUE - 1 });
    await clock.sleep(3000);
    expect(live.events.filter(({ type }) => type === "schedule_fired")).toEqual([]);
    const { next_run } = await post(client, `/api/schedules/${id}/enable`, { enabled: true });
    expect(next_run).toBe(DUE + 7 * 86_400);
    await live.close();
  });
});

describe("adhans", () => {
  it("tests the adhan over a playing file, which then continues exactly at its position", async () => {
    const { client } = await startSimulatedForTest(memory);
    await post(client, "/api/prayer/config", { adhan: { path: ADHAN, volume: 80 } });
    await post(client, "/api/playback/mode", { mode: "hifz_repeat", repeat: 3, pause_s: 5 });
    await hearFile(client, LONG);
    await post(client, "/api/playback/seek", { position: 120_000 });
    const before = await readStatus(client);
    const live = await client.socket();
    expect(await post(client, "/api/prayer/test-adhan")).toEqual({ success: true, track: ADHAN });
    expect((await live.next("adhan")).data).toEqual({ phase: "started", prayer: "test" });
    await live.next("playback", ({ track }) => track === ADHAN);
    expect(await readStatus(client)).toMatchObject({ state: "playing", mode: "file", track: ADHAN, volume: 80 });
    expect((await live.next("adhan", undefined, 8000)).data).toEqual({ phase: "ended", prayer: "test" });
    await expect.poll(() => readStatus(client), { timeout: 3000 }).toMatchObject({ state: "playing", track: LONG });
    const after = await readStatus(client);
    expect(after).toMatchObject({ volume: before.volume, reciter: "Husary", surah_number: 2, hifz: before.hifz });
    expect(after.advance_mode).toBe("hifz_repeat");
    // Half a second of fading out, and the time since then.
    expect(after.position).toBeGreaterThanOrEqual(120_000);
    expect(after.position).toBeLessThan(123_000);
    await expect
      .poll(async () => (await readStatus(client)).position, { timeout: 3000 })
      .toBeGreaterThan(after.position);
    await live.close();
  });

  it("plays the built-in tone when the file of an adhan is missing, and reports it", async () => {
    const { client } = await startSimulatedForTest(memory);
    await post(client, "/api/prayer/config", { adhan: { path: "adhan/gone.mp3" } });
    expect((await client.get("/api/prayer")).body.extra.adhan_file_ok).toBe(false);
    const live = await client.socket();
    expect(await post(client, "/api/prayer/test-adhan")).toEqual({ success: true, track: "" });
    expect((await live.next("error")).data).toMatchObject({
      code: "adhan",
      message: expect.stringMatching(/gone\.mp3/),
    });
    expect((await live.next("adhan")).data.phase).toBe("started");
    await live.close();
  });

  it("starts an adhan once at its time, and ends it with a press of the button", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    await post(client, "/api/settings/timezone", { timezone: NEW_YORK_TIME });
    await post(client, "/api/settings/time", { epoch: parseEpoch("2026-07-12T19:00") });
    await post(client, "/api/prayer/config", { ...RALEIGH, adhan: { enabled: true, path: LONG, volume: 60 } });
    const { epoch } = (await client.get("/api/prayer")).body.next;
    await hearFile(client, "Minshawi/036.mp3");
    const live = await client.socket();
    await post(client, "/api/settings/time", { epoch: epoch - 3 });
    const setAt = clock.monotonicMs();
    const { data, atMs } = await live.next("adhan", undefined, 6000);
    expect(data).toEqual({ phase: "started", prayer: "asr" });
    expect(Math.abs(atMs - setAt - 3000)).toBeLessThan(1000);
    await live.next("playback", ({ track }) => track === LONG);
    await execute(service, { button: "press" });
    expect((await live.next("adhan")).data).toEqual({ phase: "stopped", prayer: "asr" });
    await expect.poll(() => readStatus(client)).toMatchObject({ state: "playing", track: "Minshawi/036.mp3" });
    await post(client, "/api/settings/time", { epoch: epoch - 2 });
    await clock.sleep(4000);
    expect(live.events.filter(({ type }) => type === "adhan")).toHaveLength(2);
    await live.close();
  });

  it("calls no adhan at sunrise, even if the mask includes it", async () => {
    const { client } = await startSimulatedForTest(memory);
    await post(client, "/api/settings/timezone", { timezone: NEW_YORK_TIME });
    await post(client, "/api/settings/time", { epoch: parseEpoch("2026-07-12T09:30") });
    await post(client, "/api/prayer/config", { ...RALEIGH, adhan: { enabled: true, prayer_mask: 63 } });
    const { epoch, name } = (await client.get("/api/prayer")).body.next;
    expect(name).toBe("sunrise");
    const live = await client.socket();
    await post(client, "/api/settings/time", { epoch: epoch - 1 });
    await clock.sleep(3500);
    expect(live.events.filter(({ type }) => type === "adhan")).toEqual([]);
    await live.close();
  });
});

describe("screen image", () => {
  it("is a 24-bit BMP of 320 by 240 that shows the current state", async () => {
    const { service, client } = await startSimulatedForTest(memory);
    const { token } = client;
    const shoot = () => askBytes(service, { method: "GET", path: "/api/debug/screenshot", token });
    // The code of a new device is covered; it disappears when the token is used.
    const colours = async () => new Set((await shoot()).bytes).size;
    await expect.poll(colours, { timeout: 5000 }).toBeGreaterThan(50);
    const { status, headers, bytes } = await shoot();
    expect([status, headers["content-type"]]).toEqual([200, "image/bmp"]);
    // BITMAPFILEHEADER and BITMAPINFOHEADER.
    expect(bytes.toString("latin1", 0, 2)).toBe("BM");
    expect([bytes.readUInt32LE(2), bytes.length]).toEqual([bytes.length, bytes.readUInt32LE(10) + 320 * 240 * 3]);
    expect([bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))]).toEqual([320, 240]);
    expect([bytes.readUInt16LE(26), bytes.readUInt16LE(28), bytes.readUInt32LE(30)]).toEqual([1, 24, 0]);
    expect(new Set(bytes.subarray(bytes.readUInt32LE(10))).size).toBeGreaterThan(10);
    await hearFile(client, LONG);
    await expect.poll(async () => (await shoot()).bytes.equals(bytes), { timeout: 5000 }).toBe(false);
    const latin = (await shoot()).bytes;
    await post(client, "/api/settings", { language: "ar" });
    await clock.sleep(1500);
    expect(differentPixels(latin, (await shoot()).bytes)).toBeGreaterThan(500);
  });
});

/** How many of the three-byte pixels differ. */
function differentPixels(one: Buffer, other: Buffer): number {
  const start = one.readUInt32LE(10);
  let different = 0;
  for (let at = start; at + 3 <= one.length; at += 3)
    if (one.compare(other, at, at + 3, at, at + 3) !== 0) different += 1;
  return different;
}
