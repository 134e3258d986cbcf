import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sendSignal } from "@kit/testing/process";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { LONG_FILE, LONG_MS, makeSounds, type Sounds } from "../../testing/sounds.ts";
import { createMpvEngine } from "../drivers/mpv-engine.ts";
import { createEvents } from "../events.ts";
import { createSettingsService } from "../settings/settings.service.ts";
import { createSettingsStore } from "../settings/settings.store.ts";
import { openDatabase } from "../storage/database.ts";
import { createTryWrite } from "../storage/try-write.ts";
import { createHifzDaysStore } from "./hifz-days.store.ts";
import type { PlaybackStatus } from "./playback.schema.ts";
import { createPlaybackService, type PlaybackService } from "./playback.service.ts";
import { createResumeService } from "./resume.service.ts";
import { createResumePositionStore } from "./resume-position.store.ts";
import { openTone } from "./tone.ts";

const clock = createClock();
const TIMES = process.env.PROVE === "full" ? 50 : 3;
const WITHIN_MS = 15_000;

let sounds: Sounds;
let radio: Server;
let location: string;
let hits = 0;
let folder: string;
let playback: PlaybackService;

beforeAll(async () => {
  sounds = await makeSounds();
  const audio = await readFile(sounds.path(LONG_FILE));
  radio = createServer((_request, response) => {
    hits += 1;
    // Endless, as fast as the client reads.
    const send = () => {
      while (!response.destroyed && response.write(audio));
    };
    response.on("drain", send);
    send();
  }).listen(0, "127.0.0.1");
  await once(radio, "listening");
  const address = radio.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  location = `http://127.0.0.1:${address.port}/live.mp3`;
});
afterAll(async () => {
  radio.closeAllConnections();
  radio.close();
  await sounds.remove();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "interruption-"));
  const { database } = openDatabase(folder, clock);
  const events = createEvents();
  const tryWrite = createTryWrite({ events, clock, log: silentLog });
  playback = createPlaybackService({
    engine: createMpvEngine({ clock, log: silentLog, output: "null", command: await writeCommand() }),
    library: {
      resolve: async (path) => ({ absolute: sounds.path(path), path, reciter: "Husary", surah: 2 }),
      find: (reciter, surah) => ({ absolute: sounds.path(LONG_FILE), path: LONG_FILE, reciter, surah }),
      available: () => [false, true],
    },
    streams: {
      check: async () => undefined,
      checkText: () => undefined,
      open: (_station, send) => {
        send({ type: "ready", location });
        return { reconnect: () => undefined, close: () => undefined, setAudible: () => undefined };
      },
    },
    settings: createSettingsService({ store: createSettingsStore(database), log: silentLog }),
    resume: createResumeService({ store: createResumePositionStore(database), tryWrite, clock }),
    hifzDays: createHifzDaysStore(database),
    isSavedStream: () => false,
    tryWrite,
    events,
    clock,
    log: silentLog,
    today: () => "2026-01-01",
    onCountedPlay: () => undefined,
    onStreamPlayed: () => undefined,
  });
  await playback.start();
});
afterEach(async () => {
  await playback.close();
  await rm(folder, { recursive: true });
});

/** mpv itself, but it writes its process id to a file. */
async function writeCommand(): Promise<string> {
  const path = join(folder, "mpv");
  await writeFile(path, `#!/bin/sh\necho $$ > '${folder}/pid'\nexec mpv "$@"\n`);
  await chmod(path, 0o700);
  return path;
}

async function until(what: string, isSo: (status: PlaybackStatus) => boolean): Promise<PlaybackStatus> {
  const deadline = clock.deadline(WITHIN_MS);
  for (;;) {
    const status = playback.status();
    if (isSo(status)) return status;
    if (deadline.aborted) throw new Error(`not ${what}: ${JSON.stringify(status)}`);
    await clock.sleep(5);
  }
}

/**
 * The engine reports the position: until it has processed the load, that is the last known one. A stream then begins at
 * 0.
 */
async function untilMoving(mode: "file" | "stream"): Promise<PlaybackStatus> {
  const { position } = playback.status();
  return until(
    "moving",
    (status) => status.mode === mode && status.state === "playing" && status.position !== position,
  );
}

async function callToPrayer() {
  return playback.interrupt({ path: sounds.path("short.mp3"), name: "azan.mp3", volume: 80 });
}

it("restores a file at its position, with its counters and its volume", async () => {
  await playback.play({ path: LONG_FILE });
  playback.setMode({ mode: "hifz_repeat", repeat: 4, pause_s: 600 });
  playback.setVolume(37);
  await untilMoving("file");
  for (let time = 0; time < TIMES; time += 1) {
    playback.seek(((time % 15) + 1) * 1000);
    const before = await untilMoving("file");
    const over = callToPrayer();
    expect(await until("the adhan", ({ track }) => track === "azan.mp3")).toMatchObject({ mode: "file", volume: 80 });
    expect(await over).toBe("ended");
    const after = playback.status();
    expect(after).toMatchObject({ state: "playing", track: LONG_FILE, volume: 37, hifz: before.hifz });
    expect(after.source).toEqual(before.source);
    expect(Math.abs(after.position - before.position)).toBeLessThan(1000);
    expect(Math.abs((await untilMoving("file")).position - after.position)).toBeLessThan(1000);
  }
}, 400_000);

it("restores a stream", async () => {
  await playback.play({ url: "http://radio.example/" });
  await untilMoving("stream");
  for (let time = 0; time < TIMES; time += 1) {
    const before = hits;
    expect(await callToPrayer()).toBe("ended");
    await untilMoving("stream");
    expect(hits).toBe(before + 1);
  }
}, 400_000);

it("restores the remaining time of a gap", async () => {
  await playback.play({ path: LONG_FILE });
  playback.setMode({ mode: "hifz_repeat", repeat: 0, pause_s: 2 });
  await untilMoving("file");
  playback.seek(LONG_MS - 300);
  await until("in the gap", ({ hifz }) => hifz?.waiting === true);
  const gapMs = clock.monotonicMs();
  const over = callToPrayer();
  await until("the adhan", ({ track }) => track === "azan.mp3");
  const interruptedMs = clock.monotonicMs();
  expect(await over).toBe("ended");
  const interruptionMs = clock.monotonicMs() - interruptedMs;
  expect(playback.status().hifz).toMatchObject({ waiting: true, repeat_done: 1 });
  await until("over", ({ hifz, position }) => hifz?.waiting === false && position < LONG_MS / 2);
  const waitedMs = clock.monotonicMs() - gapMs - interruptionMs;
  expect(waitedMs).toBeGreaterThan(1900);
  expect(waitedMs).toBeLessThan(3000);
}, 30_000);

it("restores the source after the built-in tone, and after an adhan that is not audio", async () => {
  await playback.play({ path: LONG_FILE });
  await untilMoving("file");
  const tone = { path: await openTone(folder), name: "" };
  const broken = { path: await sounds.write("broken.mp3", "no sound"), name: "broken.mp3" };
  const beganMs = clock.monotonicMs();
  expect(await playback.interrupt({ ...broken, volume: 0, fallback: tone })).toBe("ended");
  expect(clock.monotonicMs() - beganMs).toBeGreaterThan(3000);
  expect((await untilMoving("file")).track).toBe(LONG_FILE);
  expect(await playback.interrupt({ ...broken, volume: 0 })).toBe("stopped");
  expect((await untilMoving("file")).track).toBe(LONG_FILE);
}, 30_000);

it("survives a crash of mpv in the middle of the adhan", async () => {
  await playback.play({ path: LONG_FILE });
  const before = await untilMoving("file");
  const over = playback.interrupt({ path: await openTone(folder), name: "", volume: 0 });
  await until("the tone", ({ track, position }) => track === "" && position > 500);
  sendSignal(Number((await readFile(join(folder, "pid"), "utf8")).trim()), "SIGKILL");
  await until("interrupted", ({ state }) => state === "buffering");
  expect(await over).toBe("ended");
  expect(Math.abs(playback.status().position - before.position)).toBeLessThan(1000);
  expect((await untilMoving("file")).track).toBe(LONG_FILE);
}, 30_000);
