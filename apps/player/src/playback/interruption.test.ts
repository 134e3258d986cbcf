import { describe, expect, it } from "vitest";
import { createPlaybackBench, flow, MINUTE, type PlaybackBench, playing } from "../../testing/playback-bench.ts";
import type { Interruption, InterruptionEnd } from "./interruption.ts";

const AZAN: Interruption = { path: "/card/azan.mp3", name: "azan.mp3", volume: 80 };
const STREAM = "http://radio.example/live";

interface InterruptionLog {
  ends: InterruptionEnd[];
}

/** The adhan plays; the former source has faded out. */
async function call(bench: PlaybackBench, more: Partial<Interruption> = {}): Promise<InterruptionLog> {
  const ends: InterruptionEnd[] = [];
  void bench.playback.interrupt({ ...AZAN, ...more }).then((how) => ends.push(how));
  await bench.clock.advance(0);
  await bench.clock.advance(500);
  bench.engine.at({ positionMs: 0, durationMs: 3 * MINUTE });
  bench.engine.emit("flowing");
  return { ends };
}

async function playToEnd(bench: PlaybackBench): Promise<void> {
  await bench.clock.advance(3 * MINUTE);
  bench.engine.emit("ended");
  await bench.clock.advance(0);
}

async function listening(): Promise<PlaybackBench> {
  const bench = createPlaybackBench();
  await bench.playback.play({ url: STREAM });
  connect(bench);
  return bench;
}

function connect(bench: PlaybackBench): void {
  bench.streams.at(-1)?.send({ type: "ready", location: "http://127.0.0.1:1/a" });
  bench.engine.at({ positionMs: 0, durationMs: 0 });
  bench.engine.emit("flowing");
}

const lastVolume = ({ engine }: PlaybackBench) =>
  engine.commands.filter((command) => command.startsWith("volume")).at(-1);

describe("an interruption", () => {
  it("an interruption is shown in the status, at its own volume, and the former source stays known", async () => {
    const bench = await playing();
    await call(bench);
    expect(bench.playback.status()).toMatchObject({
      state: "playing",
      mode: "file",
      track: "azan.mp3",
      reciter: "",
      surah_number: 0,
      position: 0,
      duration: 3 * MINUTE,
      volume: 80,
      source: { type: "surah", reciter: "Husary", surah: 2 },
    });
    expect(bench.engine.loads.at(-1)).toEqual({ location: AZAN.path, positionMs: 0, isPaused: false, isLive: false });
    expect(bench.playback.isInterrupted()).toBe(true);
  });

  it("fades the former source out in half a second", async () => {
    const bench = await playing();
    void bench.playback.interrupt(AZAN);
    await bench.clock.advance(0);
    await bench.clock.advance(250);
    expect(lastVolume(bench)).toBe("volume 25");
    expect(bench.playback.status()).toMatchObject({ track: "Husary/002.mp3", volume: 50 });
    await bench.clock.advance(249);
    expect(bench.engine.loads).toHaveLength(1);
    await bench.clock.advance(1);
    expect(bench.engine.loads).toHaveLength(2);
    expect(bench.engine.commands.slice(-3)).toEqual(["volume 0", "stop", "volume 80"]);
  });

  it.each([
    ["a stopped device", async () => createPlaybackBench()],
    ["a paused file", paused],
    ["a gap", inGap],
  ])("begins immediately on %s", async (_what, make) => {
    const bench = await make();
    void bench.playback.interrupt(AZAN);
    await bench.clock.advance(0);
    expect(bench.engine.loads.at(-1)?.location).toBe(AZAN.path);
  });

  it("an interruption of volume 0 keeps the listener's volume, and is never above the device's limit", async () => {
    const bench = await playing();
    await call(bench, { volume: 0 });
    expect(bench.playback.status().volume).toBe(50);
    bench.playback.stop();
    bench.settings.change({ max_volume: 60 });
    await call(bench, { volume: 80 });
    expect(bench.playback.status().volume).toBe(60);
    bench.settings.change({ max_volume: 20 });
    expect(bench.playback.status().volume).toBe(20);
    expect(lastVolume(bench)).toBe("volume 20");
  });

  it("keeps a volume that a user sets during it, also after it", async () => {
    const bench = await playing();
    await call(bench);
    bench.playback.setVolume(30);
    expect(bench.playback.status()).toMatchObject({ track: "azan.mp3", volume: 30 });
    await playToEnd(bench);
    expect(bench.playback.status().volume).toBe(30);
    expect(lastVolume(bench)).toBe("volume 30");
  });

  it("continues its fade when the volume is set in the middle of it", async () => {
    const bench = await playing();
    void bench.playback.interrupt(AZAN);
    await bench.clock.advance(0);
    await bench.clock.advance(250);
    bench.playback.setVolume(40);
    expect(lastVolume(bench)).toBe("volume 20");
    await bench.clock.advance(250);
    expect(bench.playback.status().track).toBe("azan.mp3");
  });

  it("an interruption is not prevented by a source that begins to fade in", async () => {
    const bench = await playing();
    void bench.playback.interrupt(AZAN);
    await bench.clock.advance(0);
    await bench.clock.advance(250);
    bench.playback.fadeIn(60);
    await bench.clock.advance(250);
    expect(bench.playback.status()).toMatchObject({ track: "azan.mp3", volume: 80 });
    expect(lastVolume(bench)).toBe("volume 80");
  });

  it("emits its position every 5 s", async () => {
    const bench = await playing();
    await call(bench);
    const before = bench.emitted.length;
    bench.engine.at({ positionMs: 5000, durationMs: 3 * MINUTE });
    await bench.clock.advance(5000);
    expect(bench.emitted.slice(before)).toEqual([{ type: "position", data: { position: 5000, duration: 3 * MINUTE } }]);
  });

  it("an interruption does not begin without an engine, and changes nothing", async () => {
    const bench = createPlaybackBench();
    bench.engine.refuseStart(new Error("audio: mpv is not installed"));
    await expect(bench.playback.interrupt(AZAN)).rejects.toThrow("audio: mpv is not installed");
    expect(bench.playback.isInterrupted()).toBe(false);
  });

  it.each([
    ["a paused file", paused],
    ["a gap", inGap],
  ])("an interruption cannot be seeked, and resume has no effect on it or on %s", async (_what, make) => {
    const bench = await make();
    const before = bench.playback.status();
    await call(bench);
    expect(() => bench.playback.seek(1000)).toThrow("position: the adhan cannot be moved in");
    expect(bench.playback.resume()).toBe(false);
    expect(bench.playback.status().track).toBe("azan.mp3");
    await playToEnd(bench);
    expect(bench.playback.status()).toEqual(before);
  });
});

describe("after an interruption", () => {
  it("continues a file at its position, fifty times", async () => {
    const bench = await playing();
    bench.playback.setMode({ mode: "hifz_repeat", repeat: 9, pause_s: 0 });
    for (let play = 0; play < 3; play += 1) bench.engine.emit("ended");
    for (let time = 1; time <= 50; time += 1) {
      const positionMs = time * 1000;
      flow(bench, positionMs);
      const before = bench.playback.status();
      const { ends } = await call(bench);
      await playToEnd(bench);
      expect(bench.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs });
      flow(bench, positionMs);
      expect(bench.playback.status()).toEqual(before);
      expect(lastVolume(bench)).toBe("volume 50");
      expect(ends).toEqual(["ended"]);
    }
    expect(bench.playback.status().hifz).toMatchObject({ repeat_done: 3, repeat_target: 9 });
  });

  it("reconnects a stream, fifty times", async () => {
    const bench = await listening();
    for (let time = 1; time <= 50; time += 1) {
      const before = bench.playback.status();
      await call(bench);
      expect(bench.streams.at(-1)?.calls).toEqual(["close"]);
      await playToEnd(bench);
      expect(bench.streams).toHaveLength(time + 1);
      connect(bench);
      expect(bench.playback.status()).toEqual(before);
    }
  });

  it("continues a gap with its remaining time, fifty times", async () => {
    const bench = await inGap(600);
    for (let time = 1; time <= 50; time += 1) {
      await bench.clock.advance(10_000);
      const before = bench.playback.status();
      await call(bench);
      expect(bench.playback.status().hifz).toMatchObject({ repeat_done: 1, waiting: false });
      await playToEnd(bench);
      expect(bench.playback.status()).toEqual(before);
      expect(before.hifz).toMatchObject({ repeat_done: 1, waiting: true });
    }
    await bench.clock.advance(99_999);
    expect(bench.engine.loads).toHaveLength(51);
    await bench.clock.advance(1);
    expect(bench.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 0 });
  });

  it("keeps a paused file paused, and continues at its position when it is resumed", async () => {
    const bench = await paused();
    const before = bench.playback.status();
    await call(bench);
    await playToEnd(bench);
    expect(bench.playback.status()).toEqual(before);
    expect(bench.engine.loads.at(-1)?.location).toBe(AZAN.path);
    bench.playback.resume();
    expect(bench.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 12_000 });
  });

  it("keeps a stopped device stopped", async () => {
    const bench = createPlaybackBench();
    const before = bench.playback.status();
    await call(bench);
    await playToEnd(bench);
    expect(bench.playback.status()).toEqual(before);
  });

  it("keeps a file paused if configured, and also a gap", async () => {
    const bench = await playing();
    flow(bench, 12_000);
    await call(bench, { after: "stay_paused" });
    await playToEnd(bench);
    expect(bench.playback.status()).toMatchObject({ state: "paused", position: 12_000, track: "Husary/002.mp3" });
    const other = await inGap();
    await call(other, { after: "stay_paused" });
    await playToEnd(other);
    expect(other.playback.status()).toMatchObject({ state: "paused", hifz: { waiting: false, repeat_done: 1 } });
    other.playback.resume();
    expect(other.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 0 });
  });

  it("counts a play once that was interrupted half-way, after the rest of it", async () => {
    const bench = await playing();
    await bench.clock.advance(20_000);
    await call(bench);
    await playToEnd(bench);
    flow(bench, 20_000);
    await bench.clock.advance(9000);
    expect(bench.countedPlays).toEqual([]);
    await bench.clock.advance(1000);
    expect(bench.countedPlays).toEqual([{ reciter: "Husary", surah: 2 }]);
  });

  it("has already saved the position as running, in case of a power cut", async () => {
    const bench = await playing();
    bench.settings.change({ auto_resume: true });
    flow(bench, 44_000);
    await call(bench);
    const after = createPlaybackBench({ folder: bench.folder });
    await after.playback.autoResume();
    expect(after.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 42_000 });
  });
});

describe("commands during an interruption", () => {
  it.each([
    ["a file", async () => flowing(12_000), { state: "paused", mode: "file", position: 12_000 }],
    ["a stream", listening, { state: "paused", mode: "stream" }],
    ["a gap", inGap, { state: "paused", position: MINUTE, hifz: { waiting: false, repeat_done: 1 } }],
    ["nothing", async () => createPlaybackBench(), { state: "stopped", mode: "idle" }],
  ])("ends by pause and leaves %s paused", async (_what, make, expected) => {
    const bench = await make();
    const { ends } = await call(bench);
    expect(bench.playback.pause()).toBe(true);
    await bench.clock.advance(MINUTE);
    expect(bench.playback.status()).toMatchObject({ ...expected, volume: 50 });
    expect(ends).toEqual(["paused"]);
    expect(bench.engine.loads.at(-1)?.location).toBe(AZAN.path);
  });

  it("ends by stop, which saves the position and stays stopped", async () => {
    const bench = await flowing(44_000);
    const { ends } = await call(bench);
    expect(bench.playback.stop()).toBe(true);
    await bench.clock.advance(MINUTE);
    expect(bench.playback.status()).toMatchObject({ state: "stopped", mode: "idle", volume: 50, hasResumeState: true });
    expect(ends).toEqual(["stopped"]);
    expect(await bench.playback.resumeSaved()).toMatchObject({ surah_number: 2, position: 42_000 });
  });

  it.each([
    ["play", (bench: PlaybackBench) => bench.playback.play({ path: "Husary/114.mp3" }), 114],
    ["next", (bench: PlaybackBench) => bench.playback.next(), 5],
    ["prev", (bench: PlaybackBench) => bench.playback.prev(), 1],
  ] as const)("is replaced by %s", async (_command, ask, surah) => {
    const bench = await flowing(12_000);
    const { ends } = await call(bench);
    expect(await ask(bench)).toMatchObject({ state: "playing", surah_number: surah, position: 0, volume: 50 });
    flow(bench, 1000);
    await bench.clock.advance(0);
    expect(ends).toEqual(["replaced"]);
    expect(bench.playback.status()).toMatchObject({ state: "playing", surah_number: surah, position: 1000 });
  });

  it("continues when a play is refused", async () => {
    const bench = await flowing(12_000);
    await call(bench);
    await expect(bench.playback.play({ path: "Husary/003.mp3" })).rejects.toThrow("path:");
    expect(bench.playback.status().track).toBe("azan.mp3");
  });

  it.each([
    ["pause", "paused"],
    ["stop", "stopped"],
  ] as const)("is prevented by %s while the source still fades", async (command, state) => {
    const bench = await flowing(12_000);
    const over = bench.playback.interrupt(AZAN);
    await bench.clock.advance(0);
    await bench.clock.advance(200);
    bench.playback[command]();
    await bench.clock.advance(MINUTE);
    expect(await over).toBe(state);
    expect(bench.playback.status()).toMatchObject({ state, volume: 50 });
    expect(bench.engine.loads).toHaveLength(1);
    expect(lastVolume(bench)).toBe("volume 50");
  });

  it("ends by the button and the source continues, also while it still fades", async () => {
    const bench = await flowing(12_000);
    const { ends } = await call(bench);
    expect(bench.playback.endInterruption()).toBe(true);
    flow(bench, 12_000);
    expect(bench.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 12_000, volume: 50 });
    void bench.playback.interrupt(AZAN).then((how) => ends.push(how));
    await bench.clock.advance(0);
    await bench.clock.advance(300);
    expect(bench.playback.endInterruption()).toBe(true);
    await bench.clock.advance(MINUTE);
    expect(ends).toEqual(["stopped", "stopped"]);
    expect(bench.engine.loads).toHaveLength(3);
    expect(lastVolume(bench)).toBe("volume 50");
    expect(bench.playback.endInterruption()).toBe(false);
  });

  it("is replaced by a second one, and the source continues after that", async () => {
    const bench = await flowing(12_000);
    const first = await call(bench);
    const second = await call(bench, { path: "/data/tone.wav", name: "", volume: 0 });
    expect(bench.playback.status()).toMatchObject({ track: "", volume: 50 });
    expect(first.ends).toEqual(["replaced"]);
    await playToEnd(bench);
    flow(bench, 12_000);
    expect(second.ends).toEqual(["ended"]);
    expect(bench.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 12_000 });
  });

  it("is replaced by a second one while the source still fades", async () => {
    const bench = await flowing(12_000);
    void bench.playback.interrupt(AZAN);
    await bench.clock.advance(0);
    await bench.clock.advance(300);
    void bench.playback.interrupt({ ...AZAN, path: "/card/fajr.mp3", name: "fajr.mp3" });
    await bench.clock.advance(0);
    await bench.clock.advance(200);
    expect(bench.engine.loads.map(({ location }) => location)).toEqual(["/card/Husary/002.mp3", "/card/fajr.mp3"]);
  });

  it.each([
    { name: "nothing interrupts", before: async () => undefined },
    { name: "a former one still sounds", before: call },
    {
      name: "it is being prepared",
      before: async (bench: PlaybackBench) => {
        void bench.clock.sleep(500).then(bench.playback.reserveInterruption());
      },
    },
  ])("is not ended by a stream that was chosen before it began, while $name", async ({ before }) => {
    const bench = createPlaybackBench({ lookUpMs: 5000 });
    await before(bench);
    const chosen = bench.playback.play({ url: STREAM });
    const { ends } = await call(bench);
    await bench.clock.advance(10_000);
    await chosen;
    expect(bench.playback.status()).toMatchObject({ state: "playing", track: "azan.mp3" });
    await playToEnd(bench);
    expect(ends).toEqual(["ended"]);
    expect(bench.playback.status()).toMatchObject({ source: { type: "stream", url: STREAM } });
  });

  it("does not stop the sleep timer; when it expires, nothing plays after the adhan", async () => {
    const bench = await flowing(44_000);
    bench.playback.setSleepTimer(1);
    await call(bench);
    expect(bench.playback.status().sleep_timer_s).toBe(60);
    await bench.clock.advance(MINUTE);
    expect(bench.playback.status()).toMatchObject({ state: "playing", track: "azan.mp3", sleep_timer_s: null });
    await playToEnd(bench);
    expect(bench.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true, track: "Husary/002.mp3" });
    expect(bench.engine.loads.at(-1)?.location).toBe(AZAN.path);
  });

  it("resolves all waits for its end", async () => {
    const bench = await flowing(12_000);
    await call(bench);
    const freed: string[] = [];
    void bench.playback.untilFree().then(() => freed.push("schedule"));
    await bench.clock.advance(MINUTE);
    expect(freed).toEqual([]);
    await playToEnd(bench);
    expect(freed).toEqual(["schedule"]);
    await bench.playback.untilFree();
  });
});

describe("failures during an interruption", () => {
  it("continues the adhan at its position after an engine crash, and restores the source after it", async () => {
    const bench = await flowing(12_000);
    const { ends } = await call(bench);
    bench.engine.at({ positionMs: 30_000, durationMs: 3 * MINUTE });
    bench.engine.emitLife({ type: "lost" });
    expect(bench.playback.status()).toMatchObject({ state: "buffering", track: "azan.mp3", position: 30_000 });
    bench.engine.emitLife({ type: "back" });
    expect(bench.engine.loads.at(-1)).toMatchObject({ location: AZAN.path, positionMs: 30_000 });
    expect(bench.engine.loads).toHaveLength(3);
    bench.engine.emit("flowing");
    await playToEnd(bench);
    expect(ends).toEqual(["ended"]);
    expect(bench.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 12_000 });
  });

  it("does not count repeated engine crashes against the suspended source", async () => {
    const bench = await flowing(12_000);
    await call(bench);
    for (let death = 1; death <= 6; death += 1) {
      bench.engine.at({ positionMs: death * 10_000, durationMs: 3 * MINUTE });
      bench.engine.emitLife({ type: "lost" });
      bench.engine.emitLife({ type: "back" });
      bench.engine.emit("flowing");
    }
    await playToEnd(bench);
    flow(bench, 12_000);
    expect(bench.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 12_000 });
  });

  it("restores the source when it is stopped while the engine is not running", async () => {
    const bench = await flowing(12_000);
    await call(bench);
    bench.engine.emitLife({ type: "lost" });
    bench.playback.endInterruption();
    bench.engine.emitLife({ type: "back" });
    expect(bench.engine.loads.slice(2)).toMatchObject([{ location: "/card/Husary/002.mp3", positionMs: 12_000 }]);
  });

  it("ends and stops when the engine cannot be restarted, and keeps the position", async () => {
    const bench = await flowing(44_000);
    const { ends } = await call(bench);
    bench.engine.emitLife({ type: "lost" });
    bench.engine.emitLife({ type: "gone", why: "audio: gone" });
    await bench.clock.advance(0);
    expect(ends).toEqual(["lost"]);
    expect(bench.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true, volume: 50 });
  });

  it("plays the fallback when a file cannot be decoded, and reports it", async () => {
    const bench = await flowing(12_000);
    const { ends } = await call(bench, { fallback: { path: "/data/tone.wav", name: "" } });
    bench.engine.emit("failed", "no audio in it");
    expect(bench.engine.loads.at(-1)?.location).toBe("/data/tone.wav");
    expect(bench.playback.status()).toMatchObject({ state: "playing", track: "", volume: 80 });
    expect(bench.emitted).toContainEqual({ type: "error", data: { code: "file", message: "track: no audio in it" } });
    bench.engine.emit("failed", "no audio in it either");
    await bench.clock.advance(0);
    expect(ends).toEqual(["stopped"]);
    flow(bench, 12_000);
    expect(bench.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 12_000, volume: 50 });
  });

  it("stops the file when the card is removed; the adhan itself continues", async () => {
    const bench = await flowing(44_000);
    await call(bench);
    bench.playback.cardRemoved();
    expect(bench.playback.status()).toMatchObject({ state: "playing", track: "azan.mp3" });
    await playToEnd(bench);
    expect(bench.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true });
  });

  it("resumes after it when the card is inserted again during it", async () => {
    const bench = await flowing(44_000);
    bench.settings.change({ auto_resume: true });
    const after = createPlaybackBench({ folder: bench.folder });
    await call(after);
    const resumed = after.playback.autoResume();
    await after.clock.advance(MINUTE);
    expect(after.playback.status().track).toBe("azan.mp3");
    await playToEnd(after);
    await resumed;
    expect(after.playback.status()).toMatchObject({ state: "playing", surah_number: 2 });
  });
});

describe("fading in", () => {
  it("increases from silence to the current volume", async () => {
    const bench = await playing();
    bench.playback.fadeIn(10);
    expect(lastVolume(bench)).toBe("volume 0");
    await bench.clock.advance(5000);
    expect(lastVolume(bench)).toBe("volume 25");
    expect(bench.playback.status().volume).toBe(50);
    await bench.clock.advance(5000);
    expect(lastVolume(bench)).toBe("volume 50");
  });

  it.each([
    ["a set volume", (bench: PlaybackBench) => bench.playback.setVolume(50)],
    ["stop", (bench: PlaybackBench) => bench.playback.stop()],
    ["another play", (bench: PlaybackBench) => bench.playback.play({ path: "Husary/005.mp3" })],
  ])("ends on %s", async (_what, act) => {
    const bench = await playing();
    bench.playback.fadeIn(10);
    await bench.clock.advance(1000);
    await act(bench);
    expect(lastVolume(bench)).toBe("volume 50");
    const count = bench.engine.commands.length;
    await bench.clock.advance(20_000);
    expect(bench.engine.commands).toHaveLength(count);
  });
});

async function flowing(positionMs: number): Promise<PlaybackBench> {
  const bench = await playing();
  flow(bench, positionMs);
  return bench;
}

async function paused(): Promise<PlaybackBench> {
  const bench = await flowing(12_000);
  bench.playback.pause();
  return bench;
}

async function inGap(pause_s = 10): Promise<PlaybackBench> {
  const bench = await playing();
  bench.playback.setMode({ mode: "hifz_repeat", repeat: 0, pause_s });
  flow(bench, MINUTE);
  bench.engine.emit("ended");
  return bench;
}
