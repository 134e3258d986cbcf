import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { formatFileName, makeCard, makeFile } from "./card.ts";
import {
  type Answer,
  hearFile,
  type LiveSocket,
  type StartedPlayer,
  startPlayer,
  startPlayerForTest,
  untilScanned,
} from "./client.ts";

const clock = createClock();
const FORMATS = ["flac", "ogg", "opus", "m4a", "wav"];
const SHORT_S = 2;
const LONG = "Long/001.mp3";
const LONG_S = 600;
const BROKEN = [2, 5, 6, 7, 8, 9];

let card: string;
let player: StartedPlayer;

beforeAll(async () => {
  card = await makeCard({ reciters: { Husary: [1, 3, 4, 114] }, seconds: SHORT_S });
  await makeFile(join(card, LONG), { seconds: LONG_S });
  for (const format of FORMATS) await makeFile(join(card, "Formats", `001.${format}`), { seconds: 1 });
  await symlink("/etc/passwd", join(card, "Husary", "005.mp3"));
  await mkdir(join(card, "Broken"));
  for (const surah of BROKEN) await writeFile(join(card, "Broken", formatFileName(surah)), "no audio at all");
  for (const surah of [1, 3, 10])
    await copyFile(join(card, "Husary", "001.mp3"), join(card, "Broken", formatFileName(surah)));
  player = await startPlayer(card, { PLAYER_LIMITS: "off" });
  await untilScanned(player.client);
});
afterAll(async () => {
  await player.service.stop();
});

const command = (name: string, body?: object) => player.client.post(`/api/playback/${name}`, body);
const status = async () => (await player.client.get("/api/playback/status")).body;

const playing = (path: string) => hearFile(player.client, path);

async function listen(): Promise<LiveSocket> {
  const live = await player.client.socket();
  onTestFinished(() => live.close());
  return live;
}

/** A refusal has exactly one field, and on 400 it begins with the name of the wrong field. */
function expectRefusal({ status: code, body }: Answer, expected: number, field: string): void {
  expect([code, body]).toEqual([expected, { error: expect.stringMatching(new RegExp(`^${field}: .`)) }]);
}

/** Plays a short surah in the given mode until the gap after its first play-through. */
async function inGap(mode: object): Promise<void> {
  await command("mode", mode);
  await playing("Husary/003.mp3");
  await command("seek", { position: 1900 });
  await expect.poll(status, { interval: 20, timeout: 5000 }).toMatchObject({ hifz: { waiting: true } });
}

describe("file playback", () => {
  it("plays a file, and the status has every documented field and the extensions", async () => {
    const { status: code, body } = await command("play", { path: LONG });
    expect([code, body]).toEqual([
      200,
      {
        success: true,
        state: "playing",
        mode: "file",
        position: expect.any(Number),
        duration: expect.toSatisfy((ms) => Math.abs(ms - LONG_S * 1000) < 200),
        volume: 50,
        underrun_count: 0,
        track: LONG,
        reciter: "Long",
        surah_number: 1,
        advance_mode: "off",
        hasResumeState: true,
        source: { type: "surah", reciter: "Long", surah: 1 },
        title: "",
        retry_in_s: null,
        sleep_timer_s: null,
        hifz_today: 0,
      },
    ]);
    await playing(LONG);
    const { success: _, ...fields } = body;
    const played = await status();
    expect(Object.keys(played).toSorted()).toEqual(Object.keys(fields).toSorted());
    for (const name of ["position", "duration", "volume", "underrun_count", "surah_number", "hifz_today"])
      expect([name, played[name]]).toEqual([name, expect.toSatisfy(Number.isInteger)]);
    expect(Math.abs(played.duration - LONG_S * 1000)).toBeLessThan(200);
  });

  it("advances with time", async () => {
    await playing(LONG);
    const [before, start] = [await status(), clock.monotonicMs()];
    await clock.sleep(1500);
    const moved = (await status()).position - before.position;
    expect(Math.abs(moved - (clock.monotonicMs() - start))).toBeLessThan(150);
  });

  it("shows a path relative to the card when it was requested as absolute", async () => {
    expect((await command("play", { path: join(card, LONG) })).body).toMatchObject({ success: true, track: LONG });
  });

  it.each(FORMATS)("accepts %s, stops at its end, and keeps the name in the status", async (format) => {
    const live = await listen();
    const path = `Formats/001.${format}`;
    await playing(path);
    const { duration } = await status();
    expect(Math.abs(duration - 1000)).toBeLessThan(150);
    const { data } = await live.next("playback", ({ state }) => state === "stopped");
    expect(data).toMatchObject({
      mode: "idle",
      position: 0,
      duration: 0,
      track: path,
      reciter: "Formats",
      surah_number: 1,
    });
  });
});

describe("invalid play requests", () => {
  it.each([
    [{ path: LONG, url: "http://radio.invalid/" }, "path"],
    [{}, "path"],
    [{ path: "" }, "path"],
    [{ path: 7 }, "path"],
    [{ path: null }, "path"],
    [{ path: "Husary/099.mp3" }, "path"],
    [{ path: "Husary" }, "path"],
    [{ path: "/etc/passwd" }, "path"],
    [{ path: "../../etc/passwd" }, "path"],
    [{ path: "Husary/../../etc/passwd" }, "path"],
    [{ path: "Husary/005.mp3" }, "path"],
    [{ path: "Husary/001.mp3\0" }, "path"],
    [{ path: "Husary\n/001.mp3" }, "path"],
    [{ url: "" }, "url"],
    [{ url: 7 }, "url"],
    [{ url: "radio" }, "url"],
    [{ url: "file:///etc/passwd" }, "url"],
    [{ url: "ftp://radio.example/live" }, "url"],
    [{ url: "http://me:secret@radio.example/live" }, "url"],
    [{ url: "http://radio.example/\r\nx: y" }, "url"],
    [{ url: "http://127.0.0.1/live" }, "url"],
    [{ url: "http://localhost:8000/live" }, "url"],
    [{ url: "http://[::1]/live" }, "url"],
    [{ url: "http://10.0.0.1/live" }, "url"],
    [{ url: "http://169.254.169.254/latest" }, "url"],
    [{ url: "http://224.0.0.1/live" }, "url"],
  ])("are refused with the name of the field and change nothing: %j", async (body, field) => {
    const before = await status();
    expectRefusal(await command("play", body), 400, field);
    const { state, track } = await status();
    expect({ state, track }).toEqual({ state: before.state, track: before.track });
  });

  it.each([
    ["an array", "[]"],
    ["a number", "7"],
    ["null", "null"],
    ["a text", '"path"'],
    ["unfinished", "{"],
    ["empty", ""],
    ["over 16 KiB", `{"path":"${"x".repeat(16_384)}"}`],
    ["nine levels deep", `{"path":${"[".repeat(8)}${"]".repeat(8)}}`],
  ])("include a body that is %s", async (_, text) => {
    const headers = { authorization: `Bearer ${player.client.token}` };
    expectRefusal(await player.client.ask({ method: "POST", path: "/api/playback/play", text, headers }), 400, "body");
  });

  it("refuses a path or a URL that is too long", async () => {
    expectRefusal(await command("play", { path: "x".repeat(5000) }), 400, "path");
    expectRefusal(await command("play", { url: `http://radio.example/${"x".repeat(1024)}` }), 400, "url");
  });

  it("accepts unknown fields next to a known one, and a body where none is expected", async () => {
    expect((await command("play", { path: LONG, loud: { very: true } })).status).toBe(200);
    const headers = { authorization: `Bearer ${player.client.token}` };
    const paused = await player.client.ask({ method: "POST", path: "/api/playback/pause", text: "{{", headers });
    expect([paused.status, paused.body.changed]).toEqual([200, true]);
  });
});

describe("pause, resume and stop routes", () => {
  it("returns whether a command had an effect, and notifies every client in any case", async () => {
    await playing(LONG);
    const live = await listen();
    const results: unknown[] = [];
    for (const name of ["pause", "pause", "resume", "resume", "stop", "stop", "pause", "resume"]) {
      const { status: code, body } = await command(name);
      // Starting audio emits a separate event.
      const { data } = await live.next("playback", ({ state }) => state === body.state);
      results.push([name, code, body.success, body.changed, body.state, data.state]);
    }
    expect(results).toEqual([
      ["pause", 200, true, true, "paused", "paused"],
      ["pause", 200, true, false, "paused", "paused"],
      ["resume", 200, true, true, "playing", "playing"],
      ["resume", 200, true, false, "playing", "playing"],
      ["stop", 200, true, true, "stopped", "stopped"],
      ["stop", 200, true, false, "stopped", "stopped"],
      ["pause", 200, true, false, "stopped", "stopped"],
      ["resume", 200, true, false, "stopped", "stopped"],
    ]);
  });

  it("keeps the position when paused and continues from it", async () => {
    await playing(LONG);
    await command("seek", { position: 90_000 });
    await command("pause");
    const { position } = await status();
    await clock.sleep(500);
    expect((await status()).position).toBe(position);
    await command("resume");
    await clock.sleep(1000);
    expect((await status()).position - position).toBeGreaterThan(500);
    expect((await status()).position - position).toBeLessThan(1500);
  });
});

describe("seek route", () => {
  it("moves to the position, also back and also while paused", async () => {
    await playing(LONG);
    for (const position of [300_000, 1234.5, 0]) {
      const { status: code, body } = await command("seek", { position });
      expect([code, body.success, Math.abs(body.position - position) < 300]).toEqual([200, true, true]);
    }
    await command("pause");
    await command("seek", { position: 200_000 });
    expect(await status()).toMatchObject({ state: "paused", position: 200_000 });
    await command("resume");
    await expect.poll(async () => (await status()).position, { timeout: 5000 }).toBeGreaterThan(200_300);
  });

  it("moves to the end when the position is beyond it", async () => {
    await playing(LONG);
    const live = await listen();
    expect((await command("seek", { position: 86_400_000 })).status).toBe(200);
    await live.next("playback", ({ state }) => state === "stopped");
  });

  it.each([{ position: "5" }, { position: -1 }, { position: null }, {}])("refuses %j", async (body) => {
    await playing(LONG);
    expectRefusal(await command("seek", body), 400, "position");
  });

  it("is refused while nothing plays, and on a live stream", async () => {
    await command("stop");
    expectRefusal(await command("seek", { position: 5 }), 400, "position");
    const { body } = await command("play", { url: "http://radio.invalid/live" });
    expect(body).toMatchObject({ success: true, mode: "stream", duration: 0, track: "", reciter: "", surah_number: 0 });
    expectRefusal(await command("seek", { position: 5 }), 400, "position");
    await expect.poll(status, { timeout: 5000 }).toMatchObject({ state: "buffering", mode: "stream" });
    expectRefusal(await command("seek", { position: 5 }), 400, "position");
    await command("stop");
  });
});

describe("volume route", () => {
  it("returns the effective volume and notifies every client", async () => {
    const live = await listen();
    for (const volume of [0, 100, 35]) {
      const { status: code, body } = await command("volume", { volume });
      expect([code, body]).toEqual([200, { success: true, volume }]);
      expect((await live.next("volume")).data).toEqual({ volume });
      expect((await status()).volume).toBe(volume);
    }
  });

  it.each([101, -1, 1.5, "5", null, undefined])("refuses %j", async (volume) => {
    expectRefusal(await command("volume", { volume }), 400, "volume");
    expect((await status()).volume).toBe(35);
  });
});

describe("next and prev routes", () => {
  it("selects the nearest surah that the reciter has", async () => {
    await playing("Husary/001.mp3");
    const way: unknown[] = [];
    for (const name of ["next", "next", "next", "prev", "prev", "prev"]) {
      const { status: code, body } = await command(name);
      way.push([name, code, body.success, body.state, body.surah_number, body.track]);
    }
    expect(way).toEqual([
      ["next", 200, true, "playing", 3, "Husary/003.mp3"],
      ["next", 200, true, "playing", 4, "Husary/004.mp3"],
      ["next", 200, true, "playing", 114, "Husary/114.mp3"],
      ["prev", 200, true, "playing", 4, "Husary/004.mp3"],
      ["prev", 200, true, "playing", 3, "Husary/003.mp3"],
      ["prev", 200, true, "playing", 1, "Husary/001.mp3"],
    ]);
  });

  it("refuses next and previous without a neighbour, and accepts them after playback has stopped", async () => {
    await playing("Husary/001.mp3");
    expectRefusal(await command("prev"), 400, "surah_number");
    await playing("Husary/114.mp3");
    expectRefusal(await command("next"), 400, "surah_number");
    await command("stop");
    expect((await command("prev")).body).toMatchObject({ state: "playing", surah_number: 4 });
  });
});

describe("advance mode", () => {
  it.each([
    [{ mode: "off" }, undefined],
    [{ mode: "continuous", repeat: 3, pause_s: 5 }, undefined],
    [{ mode: "repeat_one" }, undefined],
    [{ mode: "hifz_repeat" }, { repeat_target: 0, pause_s: 0 }],
    [
      { mode: "hifz_repeat", repeat: 1000, pause_s: 600 },
      { repeat_target: 1000, pause_s: 600 },
    ],
    [
      { mode: "hifz_ab", ab: { from: 3, to: 3 } },
      { repeat_target: 1, pause_s: 0, ab_start: 3, ab_end: 3 },
    ],
    [
      { mode: "hifz_ab", repeat: 2, ab: { from: 1, to: 114 } },
      { repeat_target: 2, pause_s: 0, ab_start: 1, ab_end: 114 },
    ],
  ])("is set by %j, returned by both routes and emitted, and the state stays", async (request, hifz) => {
    await playing("Husary/003.mp3");
    await command("pause");
    const live = await listen();
    const body = { mode: request.mode, ...(hifz && { hifz: { repeat_done: 0, waiting: false, ...hifz } }) };
    expect((await command("mode", request)).body).toEqual({ success: true, ...body });
    expect((await live.next("mode")).data).toEqual(body);
    expect((await player.client.get("/api/playback/mode")).body).toEqual(body);
    const { state, advance_mode, hifz: shown } = await status();
    expect({ state, advance_mode, shown }).toEqual({ state: "paused", advance_mode: request.mode, shown: body.hifz });
  });

  it.each([
    [{}, "mode"],
    [{ mode: "shuffle" }, "mode"],
    [{ mode: "hifz_repeat", repeat: -1 }, "repeat"],
    [{ mode: "hifz_repeat", repeat: 1001 }, "repeat"],
    [{ mode: "hifz_repeat", repeat: "2" }, "repeat"],
    [{ mode: "hifz_repeat", pause_s: 601 }, "pause_s"],
    [{ mode: "hifz_repeat", pause_s: -1 }, "pause_s"],
    [{ mode: "off", pause_s: 601 }, "pause_s"],
    [{ mode: "hifz_ab" }, "ab"],
    [{ mode: "hifz_ab", ab: { from: 1 } }, "ab.to"],
    [{ mode: "hifz_ab", ab: { from: 4, to: 3 } }, "ab.from"],
    [{ mode: "hifz_ab", ab: { from: 0, to: 3 } }, "ab.from"],
    [{ mode: "hifz_ab", ab: { from: 1, to: 115 } }, "ab.to"],
    [{ mode: "hifz_ab", repeat: 0, ab: { from: 1, to: 3 } }, "repeat"],
    [{ mode: "hifz_ab", ab: { from: 5, to: 113 } }, "ab"],
  ])("refuses %j", async (request, field) => {
    await command("mode", { mode: "off" });
    expectRefusal(await command("mode", request), 400, field);
    expect((await status()).advance_mode).toBe("off");
  });

  it("continuous skips gaps up to the last surah, and stops after it", async () => {
    await command("mode", { mode: "continuous" });
    const live = await listen();
    await playing("Husary/001.mp3");
    const played: number[] = [];
    for (let playThrough = 0; playThrough < 4; playThrough += 1) {
      const { data } = await live.next("playback", ({ state, duration }) => state === "playing" && duration > 0);
      played.push(data.surah_number);
      await command("seek", { position: 1500 });
      await live.next(
        "playback",
        ({ surah_number, state }) => surah_number !== data.surah_number || state === "stopped",
      );
    }
    expect(played).toEqual([1, 3, 4, 114]);
    expect(await status()).toMatchObject({ state: "stopped", mode: "idle", surah_number: 114 });
  });

  it("skips a file that cannot be played and stops with an error after five in a row", async () => {
    await command("mode", { mode: "continuous" });
    const live = await listen();
    await playing("Broken/001.mp3");
    await command("seek", { position: 1500 });
    await live.next(
      "playback",
      ({ surah_number, state, duration }) => surah_number === 3 && state === "playing" && duration > 0,
    );
    expect(live.events.filter(({ type }) => type === "error")).toEqual([]);
    await command("seek", { position: 1500 });
    expect((await live.next("error")).data).toEqual({ code: "file", message: expect.stringMatching(/^track: ./) });
    expect(await status()).toMatchObject({ state: "stopped", mode: "idle", reciter: "Broken", surah_number: 9 });
  });

  it("repeat_one plays the same file from its beginning", async () => {
    await command("mode", { mode: "repeat_one" });
    await playing("Husary/003.mp3");
    await command("seek", { position: 1700 });
    await expect.poll(status, { interval: 20, timeout: 5000 }).toMatchObject({
      state: "playing",
      surah_number: 3,
      position: expect.toSatisfy((position) => position < 1000),
    });
  });

  it("hifz_repeat plays twice with a second of silence in between, in which the end is shown, and stops", async () => {
    await command("mode", { mode: "hifz_repeat", repeat: 2, pause_s: 1 });
    const live = await listen();
    await playing("Husary/003.mp3");
    const begun = (await status()).hifz_today;
    const settings = { repeat_target: 2, pause_s: 1 };
    expect((await live.next("hifz")).data).toEqual({ phase: "playing", repeat_done: 0, waiting: false, ...settings });
    const gap = await live.next("hifz");
    expect(gap.data).toEqual({ phase: "gap", repeat_done: 1, waiting: true, gap_left_s: 1, ...settings });
    const waiting = await status();
    expect(waiting).toMatchObject({ state: "playing", mode: "file", hifz: { waiting: true, repeat_done: 1 } });
    expect(Math.abs(waiting.duration - SHORT_S * 1000)).toBeLessThan(150);
    expect(waiting.position).toBe(waiting.duration);
    const again = await live.next("hifz");
    expect(again.data).toEqual({ phase: "playing", repeat_done: 1, waiting: false, ...settings });
    // On a busy machine the first of them may be read late.
    expect(again.atMs - gap.atMs).toBeGreaterThan(800);
    expect(again.atMs - gap.atMs).toBeLessThan(1300);
    expect((await live.next("hifz")).data).toMatchObject({ phase: "done", repeat_done: 2, waiting: false });
    expect(await status()).toMatchObject({ state: "stopped", mode: "idle", hifz_today: begun + 2 });
  });

  it("hifz_ab begins at its range, skips gaps and wraps", async () => {
    await command("mode", { mode: "hifz_ab", ab: { from: 2, to: 4 } });
    const live = await listen();
    await playing("Husary/114.mp3");
    const played: number[] = [];
    for (let playThrough = 0; playThrough < 4; playThrough += 1) {
      const { data } = await live.next("playback", ({ state, duration }) => state === "playing" && duration > 0);
      played.push(data.surah_number);
      await command("seek", { position: 1500 });
      await live.next("playback", ({ surah_number }) => surah_number !== data.surah_number);
    }
    expect(played).toEqual([114, 3, 4, 3]);
  });

  it("ends the gap and the drill when something else plays", async () => {
    await inGap({ mode: "hifz_repeat", pause_s: 600 });
    expect((await command("play", { path: LONG })).status).toBe(200);
    const played = await status();
    expect(played).toMatchObject({ state: "playing", track: LONG, advance_mode: "off" });
    expect(played).not.toHaveProperty("hifz");
  });

  it.each([
    ["pause", undefined, { state: "paused", surah_number: 3 }],
    ["resume", undefined, { state: "playing", surah_number: 3 }],
    ["stop", undefined, { state: "stopped", surah_number: 3 }],
    ["seek", { position: 500 }, { state: "playing", surah_number: 3 }],
    ["next", undefined, { state: "playing", surah_number: 4 }],
    ["prev", undefined, { state: "playing", surah_number: 1 }],
  ])("ends the gap by %s", async (name, body, expected) => {
    await inGap({ mode: "hifz_repeat", pause_s: 600 });
    expect((await command(name, body)).status).toBe(200);
    expect(await status()).toMatchObject({ ...expected, hifz: { waiting: false } });
    if (name !== "pause") return;
    await command("resume");
    await expect.poll(status, { timeout: 3000 }).toMatchObject({
      state: "playing",
      position: expect.toSatisfy((position) => position > 100 && position < 1800),
      hifz: { waiting: false, repeat_done: 1 },
    });
  });

  it("can be disabled again", async () => {
    expect((await command("mode", { mode: "off" })).status).toBe(200);
  });
});

describe("resume-saved route", () => {
  it("continues two seconds before the saved position", async () => {
    await playing(LONG);
    await command("seek", { position: 60_000 });
    await command("stop");
    expect((await status()).hasResumeState).toBe(true);
    const { status: code, body } = await command("resume-saved");
    expect([code, body]).toMatchObject([200, { success: true, state: "playing", track: LONG }]);
    await expect.poll(async () => (await status()).duration, { timeout: 5000 }).toBeGreaterThan(0);
    const { position } = await status();
    expect(position).toBeGreaterThan(57_900);
    expect(position).toBeLessThan(60_000);

    // At its end its place is forgotten, and those of other files are not.
    const live = await listen();
    await command("seek", { position: LONG_S * 1000 });
    await live.next("playback", ({ state }) => state === "stopped");
    const { body: before } = await command("resume-saved");
    expect(before).not.toMatchObject({ track: LONG });
  });
});

describe("sleep timer", () => {
  it("is set in minutes, shown in seconds, and disabled by 0", async () => {
    const live = await listen();
    expect((await command("sleep-timer", { minutes: 2 })).body).toEqual({ success: true, sleep_timer_s: 120 });
    await live.next("playback", ({ sleep_timer_s }) => sleep_timer_s === 120);
    expect((await status()).sleep_timer_s).toBeGreaterThan(115);
    expect((await command("sleep-timer", { minutes: 0 })).body).toEqual({ success: true, sleep_timer_s: null });
    for (const minutes of [-1, 241, 1.5, "5"]) expectRefusal(await command("sleep-timer", { minutes }), 400, "minutes");
  });
});

describe("rate limit of playback commands", () => {
  it("allows 20 commands within 10 s and then returns a retry time, while reads continue", async () => {
    const { client } = await startPlayerForTest(card);
    const codes: number[] = [];
    for (let i = 0; i < 20; i += 1) codes.push((await client.post("/api/playback/volume", { volume: i })).status);
    expect(codes).toEqual(Array.from({ length: 20 }, () => 200));
    const refused = await client.post("/api/playback/pause");
    expect([refused.status, refused.body]).toEqual([429, { error: expect.any(String) }]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(10);
    expect((await client.get("/api/playback/status")).body.volume).toBe(19);
    expect((await client.post("/api/favorites", { type: "surah", reciter: "Husary", surah: 1 })).status).toBe(200);
  });
});
