import { silentLog } from "@kit/log/silent";
import { describe, expect, it } from "vitest";
import { createPlaybackBench, type PlaybackBenchOptions } from "../../testing/playback-bench.ts";
import type { AdhanChange } from "../prayer/adhan.schema.ts";
import { createAdhanService } from "../prayer/adhan.service.ts";
import { createAdhanStore } from "../prayer/adhan.store.ts";
import { createAdhanLogService } from "../prayer/adhan-log.service.ts";
import { createTargetsService } from "../targets/targets.service.ts";
import { toIsoDate } from "../time/calendar-date.ts";
import { parseZone } from "../time/zone.ts";
import type { CreateScheduleRequest } from "./schedules.schema.ts";
import { createSchedulesService } from "./schedules.service.ts";
import { createSchedulesStore } from "./schedules.store.ts";

const MINUTE = 60_000;
const NOON = 12 * 60 * MINUTE;
const ADHAN_MS = 90_000;
const STREAM = "http://radio.example/live";
const FILE = { type: "file", path: "Husary/002.mp3" };

/** It is 00:00 on 2026-01-01. The one prayer, dhuhr, is at 12:00, and its adhan lasts 90 seconds. */
function setUp(options: PlaybackBenchOptions = {}) {
  const bench = createPlaybackBench(options);
  const { clock, playback, events, tryWrite, database, settings, engine } = bench;
  const changes: { phase: AdhanChange["phase"]; atMs: number }[] = [];
  const startMs = clock.now().getTime();
  const sinceNoon = () => clock.now().getTime() - startMs - NOON;
  const unchanged = () => () => undefined;
  const time = {
    now: () => clock.now().getTime(),
    isValid: () => true,
    zone: () => parseZone("UTC0"),
    onChange: unchanged,
  };
  const epochsOn = (date: string) => Array.from({ length: 6 }, () => Date.parse(date) / 1000 + NOON / 1000);
  const dayAt = (ms: number) => {
    const date = toIsoDate(Math.floor(ms / 86_400_000));
    return { date, epochs: epochsOn(date) };
  };
  const findFile = (path: string) => ({ absolute: `/card/${path}`, path, reciter: "", surah: 0 });
  // The card needs a moment before the adhan can begin.
  const slowCard = {
    async resolve(path: string) {
      await clock.sleep(20);
      return findFile(path);
    },
  };
  const adhan = createAdhanService({
    prayer: {
      days: () => {
        const now = clock.now().getTime();
        return { yesterday: dayAt(now - 86_400_000), today: dayAt(now), tomorrow: dayAt(now + 86_400_000) };
      },
      config: () => ({ adhan: { enabled: true, prayer_mask: 0b100, volume: 70, path: "azan.mp3", fajr_path: "" } }),
      onChange: unchanged,
    },
    time,
    playback,
    library: slowCard,
    openTone: async () => "/data/tone.wav",
    afterAdhan: () => "resume",
    called: createAdhanLogService({ store: createAdhanStore(database), time, tryWrite }),
    events,
    changed: ({ phase }) => changes.push({ phase, atMs: sinceNoon() }),
    clock,
    log: silentLog,
  });
  const streams = { check: async () => undefined };
  const schedules = createSchedulesService({
    store: createSchedulesStore(database),
    time,
    prayer: { epochsOn, onChange: unchanged },
    targets: createTargetsService({
      playback,
      library: { resolve: async (path) => findFile(path), find: () => undefined },
      streams,
      favorites: { list: () => [] },
      stations: { find: () => undefined },
      settings,
    }),
    playback: {
      choices: () => playback.choices(),
      stopRecitation: () => playback.stopRecitation(),
      isSilentStream: () => false,
      playTone: async () => true,
    },
    maxVolume: () => 100,
    tryWrite,
    events,
    clock,
    log: silentLog,
  });
  adhan.start();
  schedules.start();

  /** Each file that is loaded flows at once; the adhan ends after its time. */
  async function run(untilMs: number): Promise<void> {
    let loads = 0;
    let adhanLoad = 0;
    let adhanEndMs = Number.POSITIVE_INFINITY;
    for (let wait = untilMs - sinceNoon(); wait > 0; wait = untilMs - sinceNoon()) {
      await clock.advance(Math.min(wait, stepAt(sinceNoon())));
      if (engine.loads.length > loads) {
        loads = engine.loads.length;
        engine.emit("flowing");
        const isAdhan = engine.loads.at(-1)?.location === "/card/azan.mp3";
        if (isAdhan) [adhanLoad, adhanEndMs] = [loads, sinceNoon() + ADHAN_MS];
      }
      if (sinceNoon() >= adhanEndMs && adhanLoad === engine.loads.length) {
        adhanEndMs = Number.POSITIVE_INFINITY;
        engine.emit("ended");
      }
    }
  }

  const add = (request: Partial<CreateScheduleRequest>) => schedules.add({ days: 127, target: FILE, ...request });
  return { ...bench, changes, run, add };
}

type Bench = ReturnType<typeof setUp>;

/** Small steps around the prayer. */
function stepAt(sinceNoonMs: number): number {
  if (Math.abs(sinceNoonMs) < 7000) return 10;
  if (sinceNoonMs < -35 * MINUTE) return MINUTE;
  return Math.abs(sinceNoonMs) < 3 * MINUTE ? 500 : 2000;
}

const played = (changes: readonly { phase: string; atMs: number }[]) => changes.map(({ phase }) => phase);
const lastedMs = ([begin, end]: readonly { atMs: number }[]) => (end?.atMs ?? 0) - (begin?.atMs ?? 0);

describe("an adhan plays to its end", () => {
  it.each([
    ["at the prayer", { anchor: { prayer: 2, offset_min: 0 } }, 0],
    ["at the prayer, whose host is looked up slowly", { anchor: { prayer: 2, offset_min: 0 } }, 600],
    ["by the clock, at its minute", { hour: 12, minute: 0 }, 5000],
    ["by the clock, a minute before", { hour: 11, minute: 59 }, 0],
  ])(
    "plays the adhan beside a stream that is scheduled %s, and the stream afterwards",
    async (_name, when, lookUpMs) => {
      const { add, run, changes, streams, playback, engine } = setUp({ lookUpMs });
      await add({ ...when, target: { type: "stream", url: STREAM } });
      await run(3 * MINUTE);
      expect(played(changes)).toEqual(["started", "ended"]);
      expect(lastedMs(changes)).toBeGreaterThanOrEqual(ADHAN_MS);
      // Not even for the moment that the adhan needs to find its file.
      expect(engine.loads[0]?.location).toBe("/card/azan.mp3");
      expect(streams.at(-1)?.url).toBe(STREAM);
      expect(playback.status().mode).toBe("stream");
    },
  );

  it.each([
    ["file", FILE],
    ["a command to stop", { type: "command", command: "stop" }],
    ["a command to pause", { type: "command", command: "pause" }],
    ["a command to toggle", { type: "command", command: "toggle" }],
    ["a sequence", { type: "sequence", steps: [{ type: "command", command: "stop" }, FILE] }],
  ] as const)("plays the adhan beside a scheduled %s at its minute", async (_name, target) => {
    const { add, run, changes } = setUp();
    await add({ hour: 12, minute: 0, target });
    await add({ hour: 12, minute: 1, target });
    await run(3 * MINUTE);
    expect(played(changes)).toEqual(["started", "ended"]);
    expect(lastedMs(changes)).toBeGreaterThanOrEqual(ADHAN_MS);
  });

  it.each([
    [1, 2],
    [2, 2],
    [3, 4],
    [30, 30],
  ])(
    "plays the adhan beside a recitation that began %i minutes before and ends after %i minutes",
    async (before, duration_min) => {
      const { add, run, changes, playback } = setUp();
      await add({ anchor: { prayer: 2, offset_min: -before }, duration_min });
      await run(5 * MINUTE);
      expect(played(changes)).toEqual(["started", "ended"]);
      expect(lastedMs(changes)).toBeGreaterThanOrEqual(ADHAN_MS);
      expect(playback.status().state).toBe("stopped");
    },
  );

  it("resumes a recitation after the adhan when its minutes are not over", async () => {
    const { add, run, changes, playback } = setUp();
    await add({ anchor: { prayer: 2, offset_min: -1 }, duration_min: 30 });
    await run(3 * MINUTE);
    expect(played(changes)).toEqual(["started", "ended"]);
    expect(playback.status()).toMatchObject({ state: "playing", track: "Husary/002.mp3" });
  });
});

it.each([600, 4000])(
  "plays both when a person chose a stream before the adhan, looked up for %i ms",
  async (lookUpMs) => {
    const { run, changes, playback } = setUp({ lookUpMs });
    await run(-300);
    const answered = playback.play({ url: STREAM });
    await run(5000);
    expect((await answered).track).toBe("azan.mp3");
    await run(3 * MINUTE);
    expect(played(changes)).toEqual(["started", "ended"]);
    expect(playback.status().mode).toBe("stream");
  },
);

it("ends the adhan when a person chooses something else", async () => {
  const { run, changes, playback } = setUp();
  await run(10_000);
  await playback.play({ path: "Husary/001.mp3" });
  await run(20_000);
  expect(played(changes)).toEqual(["started", "stopped"]);
});

describe("the volume of a schedule", () => {
  const AT_NINE = { hour: 9, minute: 0, volume: 20 };
  const atNine = 9 * 60 * MINUTE - NOON;

  async function setUpAtNine(request: Partial<CreateScheduleRequest> = {}) {
    const bench = setUp();
    bench.playback.setVolume(70);
    await bench.add({ ...AT_NINE, ...request });
    await bench.run(atNine + 2000);
    expect(bench.playback.status()).toMatchObject({ state: "playing", volume: 20 });
    return bench;
  }

  it.each([
    ["its minutes are over", async ({ run }: Bench) => run(atNine + 6 * MINUTE)],
    ["the recitation ends", async ({ engine }: Bench) => engine.emit("ended")],
    ["a person stops it", async ({ playback }: Bench) => void playback.stop()],
    [
      "a person chooses something else",
      async ({ playback }: Bench) => void (await playback.play({ path: "azan.mp3" })),
    ],
  ])("restores the former volume when %s", async (_what, end) => {
    const bench = await setUpAtNine({ duration_min: 5 });
    await end(bench);
    expect(bench.playback.status().volume).toBe(70);
    expect(bench.settings.get().volume).toBe(70);
  });

  it("keeps the volume during a pause", async () => {
    const { playback, run } = await setUpAtNine();
    playback.pause();
    await run(atNine + MINUTE);
    playback.resume();
    expect(playback.status().volume).toBe(20);
  });

  it("keeps a volume that a person sets", async () => {
    const { playback } = await setUpAtNine();
    playback.setVolume(33);
    playback.stop();
    expect(playback.status().volume).toBe(33);
  });
});

it("ends a recitation after its minutes even if it was paused and resumed", async () => {
  const { add, run, playback } = setUp();
  await add({ hour: 9, minute: 0, duration_min: 5 });
  const atNine = 9 * 60 * MINUTE - NOON;
  await run(atNine + MINUTE);
  playback.pause();
  await run(atNine + 2 * MINUTE);
  playback.resume();
  await run(atNine + 4 * MINUTE);
  expect(playback.status().state).toBe("playing");
  await run(atNine + 6 * MINUTE);
  expect(playback.status().state).toBe("stopped");
});
