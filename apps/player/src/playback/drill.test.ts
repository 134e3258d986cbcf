import { describe, expect, it } from "vitest";
import { brief, createPlaybackBench, flow, MINUTE, type PlaybackBench, playing } from "../../testing/playback-bench.ts";

const modeOf = ({ playback }: PlaybackBench) => playback.status().advance_mode;

/** A surah is played to its end. */
function playThrough(bench: PlaybackBench): void {
  flow(bench, 0);
  bench.engine.at({ positionMs: MINUTE, durationMs: MINUTE });
  bench.engine.emit("ended");
}

describe("a drill", () => {
  it("ends when a person plays another surah than the one it repeats", async () => {
    const bench = createPlaybackBench();
    bench.playback.setMode({ mode: "hifz_repeat" });
    await bench.playback.play({ path: "Husary/002.mp3" });
    expect(modeOf(bench)).toBe("hifz_repeat");
    await bench.playback.play({ path: "Husary/002.mp3" });
    expect(modeOf(bench)).toBe("hifz_repeat");
    await bench.playback.play({ path: "Husary/005.mp3" });
    expect(modeOf(bench)).toBe("off");
    expect(bench.emitted).toContainEqual({ type: "mode", data: { mode: "off" } });
    playThrough(bench);
    expect(brief(bench).state).toBe("stopped");
  });

  it("goes on with another surah of its range, and ends with one outside of it", async () => {
    const bench = createPlaybackBench();
    bench.playback.setMode({ mode: "hifz_ab", ab: { from: 1, to: 2 } });
    await bench.playback.play({ path: "Husary/002.mp3" });
    await bench.playback.play({ path: "Husary/001.mp3" });
    expect(modeOf(bench)).toBe("hifz_ab");
    await bench.playback.play({ path: "Husary/114.mp3" });
    expect(modeOf(bench)).toBe("off");
  });

  it("ends when a person plays a stream", async () => {
    const bench = await playing();
    bench.playback.setMode({ mode: "hifz_repeat" });
    playThrough(bench);
    await bench.playback.play({ url: "http://radio.example/" });
    expect(modeOf(bench)).toBe("off");
  });

  it("begins with what is played after its mode was set, whatever played before", async () => {
    const bench = await playing();
    bench.playback.setMode({ mode: "hifz_repeat", repeat: 3 });
    await bench.playback.play({ path: "Husary/005.mp3" });
    expect(bench.playback.status()).toMatchObject({ advance_mode: "hifz_repeat", hifz: { repeat_target: 3 } });
  });

  it("moves along with next", async () => {
    const bench = createPlaybackBench();
    bench.playback.setMode({ mode: "hifz_repeat" });
    await bench.playback.play({ path: "Husary/002.mp3" });
    await bench.playback.next();
    expect(bench.playback.status()).toMatchObject({ advance_mode: "hifz_repeat", surah_number: 5 });
  });

  it("a drill does not affect other modes: continuous stays continuous", async () => {
    const bench = await playing();
    bench.playback.setMode({ mode: "continuous" });
    await bench.playback.play({ path: "Husary/005.mp3" });
    expect(modeOf(bench)).toBe("continuous");
  });
});

describe("the gap of a drill", () => {
  async function inGap(pause_s = 60) {
    const bench = await playing();
    bench.playback.setMode({ mode: "hifz_repeat", pause_s });
    bench.engine.at({ positionMs: MINUTE, durationMs: MINUTE });
    bench.engine.emit("ended");
    return bench;
  }

  it("counts down", async () => {
    const bench = await inGap();
    expect(bench.playback.status().hifz).toMatchObject({ waiting: true, gap_left_s: 60 });
    await bench.clock.advance(50_500);
    expect(bench.playback.status().hifz).toMatchObject({ waiting: true, gap_left_s: 10 });
    await bench.clock.advance(9500);
    expect(bench.playback.status().hifz).not.toHaveProperty("gap_left_s");
  });

  it.each([
    ["off", "stopped", 2],
    ["continuous", "playing", 5],
    ["repeat_one", "playing", 2],
  ] as const)("ends at once when the mode is set to %s", async (mode, state, surah_number) => {
    const bench = await inGap();
    bench.playback.setMode({ mode });
    expect(brief(bench).state).toBe("playing");
    await bench.clock.advance(0);
    expect(brief(bench)).toMatchObject({ state, surah_number });
    expect(bench.engine.loads).toHaveLength(state === "playing" ? 2 : 1);
  });

  it("the gap of a drill is not longer than the gap of the drill that replaces it", async () => {
    const bench = await inGap();
    bench.playback.setMode({ mode: "hifz_ab", ab: { from: 5, to: 5 }, pause_s: 2 });
    expect(bench.playback.status().hifz).toMatchObject({ waiting: true, gap_left_s: 2 });
    await bench.clock.advance(2000);
    expect(brief(bench)).toMatchObject({ state: "playing", surah_number: 5 });
  });

  it("the gap of a drill that was paused is followed by what the mode says on resume", async () => {
    const bench = await inGap();
    bench.playback.pause();
    bench.playback.setMode({ mode: "off" });
    await bench.clock.advance(MINUTE);
    expect(brief(bench).state).toBe("paused");
    bench.playback.resume();
    expect(brief(bench).state).toBe("stopped");
  });
});

describe("of two commands", () => {
  it("a resume wins over an earlier play that is still looking its stream up", async () => {
    const bench = await playing("Husary/002.mp3", { lookUpMs: 1000 });
    bench.playback.pause();
    const slow = bench.playback.play({ url: "http://radio.example/" });
    expect(bench.playback.resume()).toBe(true);
    await bench.clock.advance(1000);
    await slow;
    flow(bench, 0);
    expect(brief(bench)).toMatchObject({ state: "playing", mode: "file" });
  });

  it("a resume without effect does not cancel an earlier play", async () => {
    const bench = createPlaybackBench({ lookUpMs: 1000 });
    const slow = bench.playback.play({ url: "http://radio.example/" });
    expect(bench.playback.resume()).toBe(false);
    await bench.clock.advance(1000);
    await slow;
    expect(brief(bench)).toMatchObject({ mode: "stream" });
  });

  it("does not treat a pause as a choice, so a schedule's plan for its recitation still applies", async () => {
    const bench = await playing();
    const before = bench.playback.choices();
    bench.playback.pause();
    bench.playback.resume();
    expect(bench.playback.choices()).toBe(before);
    bench.playback.stop();
    expect(bench.playback.choices()).toBeGreaterThan(before);
  });
});

it("a play while the engine restarts is buffering, not playing", async () => {
  const bench = await playing();
  bench.engine.emitLife({ type: "lost" });
  await bench.playback.play({ path: "Husary/005.mp3" });
  await bench.clock.advance(500);
  expect(brief(bench)).toMatchObject({ state: "buffering", surah_number: 5 });
  bench.engine.emitLife({ type: "back" });
  flow(bench, 0);
  expect(brief(bench).state).toBe("playing");
});

it("a station that stutters is recorded once per play", async () => {
  const bench = createPlaybackBench();
  await bench.playback.play({ url: "http://radio.example/" });
  bench.streams[0]?.send({ type: "ready", location: "http://127.0.0.1:1/a" });
  for (let stutter = 0; stutter < 5; stutter += 1) {
    bench.engine.emit("flowing");
    bench.engine.emit("silent");
    await bench.clock.advance(1000);
  }
  expect(bench.countedPlays).toEqual([{ url: "really http://radio.example/" }]);
});

it("forgets what was played after a reset", async () => {
  const bench = await playing();
  bench.playback.stop();
  bench.playback.reload();
  expect(bench.playback.status()).toMatchObject({ track: "", reciter: "", surah_number: 0, source: null });
});
