import { describe, expect, it } from "vitest";
import { brief, createPlaybackBench, flow, MINUTE, playing } from "../../testing/playback-bench.ts";

describe("the saved position", () => {
  it("survives a power cut, at most 30 s old, and rewinds 2 s", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 30_000, durationMs: MINUTE });
    await bench.clock.advance(30_000);
    bench.engine.at({ positionMs: 55_000, durationMs: MINUTE });
    const after = createPlaybackBench({ folder: bench.folder });
    expect(after.playback.status().hasResumeState).toBe(true);
    expect(await after.playback.resumeSaved()).toMatchObject({ state: "playing", surah_number: 2, position: 28_000 });
  });

  it.each(["pause", "stop"] as const)("is saved by %s", async (command) => {
    const bench = await playing();
    bench.engine.at({ positionMs: 44_000, durationMs: MINUTE });
    bench.playback[command]();
    const after = createPlaybackBench({ folder: bench.folder });
    expect(await after.playback.resumeSaved()).toMatchObject({ position: 42_000 });
  });

  it("the saved position is saved by seek and by resume, as running", async () => {
    const bench = await playing();
    bench.settings.change({ auto_resume: true });
    bench.playback.pause();
    bench.playback.resume();
    bench.playback.seek(50_000);
    const after = createPlaybackBench({ folder: bench.folder });
    await after.playback.autoResume();
    expect(brief(after)).toMatchObject({ state: "playing", surah_number: 2, position: 48_000 });
  });

  it("the saved position is not resumed automatically after a pause, after an earlier command, or when disabled", async () => {
    const bench = await playing();
    const silent = createPlaybackBench({ folder: bench.folder });
    await silent.playback.autoResume();
    expect(brief(silent).state).toBe("stopped");
    bench.settings.change({ auto_resume: true });
    const quick = createPlaybackBench({ folder: bench.folder });
    await quick.playback.play({ path: "Husary/005.mp3" });
    await quick.playback.autoResume();
    expect(brief(quick).surah_number).toBe(5);
    bench.playback.pause();
    const paused = createPlaybackBench({ folder: bench.folder });
    await paused.playback.autoResume();
    expect(brief(paused).state).toBe("stopped");
  });

  it("the saved position under 10 s counts as the beginning", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 9999, durationMs: MINUTE });
    bench.playback.stop();
    expect(await bench.playback.resumeSaved()).toMatchObject({ position: 0 });
  });

  it("the saved position is that of the file when a stream replaces it", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 44_000, durationMs: MINUTE });
    await bench.playback.play({ url: "http://radio.example/" });
    expect(await bench.playback.resumeSaved()).toMatchObject({ surah_number: 2, position: 42_000 });
  });

  it("the saved position of one surah is not lost when another one is played to its end", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 44_000, durationMs: MINUTE });
    await bench.playback.play({ path: "Husary/114.mp3" });
    flow(bench, 0);
    bench.engine.emit("ended");
    expect(bench.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true });
    expect(await bench.playback.resumeSaved()).toMatchObject({ surah_number: 2, position: 42_000 });
  });

  it("the saved position is kept for each surah, across a power cut", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 44_000, durationMs: MINUTE });
    await bench.playback.play({ path: "Husary/005.mp3" });
    flow(bench, 0);
    bench.engine.at({ positionMs: 30_000, durationMs: MINUTE });
    bench.playback.stop();
    const after = createPlaybackBench({ folder: bench.folder });
    expect(await after.playback.continueFile("Husary/002.mp3")).toMatchObject({ surah_number: 2, position: 42_000 });
    expect(await after.playback.continueFile("Husary/001.mp3")).toMatchObject({ surah_number: 1, position: 0 });
    expect(await after.playback.continueFile("Husary/005.mp3")).toMatchObject({ surah_number: 5, position: 28_000 });
  });

  it.each([
    ["never sounds", []],
    ["sounds for a moment", ["flowing"]],
  ] as const)("the saved position is not taken by a file that is broken and %s", async (_how, sounds) => {
    const bench = await playing();
    bench.engine.at({ positionMs: 44_000, durationMs: MINUTE });
    await bench.playback.play({ path: "Husary/005.mp3" });
    bench.engine.at({ positionMs: 900, durationMs: MINUTE });
    for (const sound of sounds) bench.engine.emit(sound);
    bench.engine.emit("failed", "it cannot be read");
    expect(bench.playback.status().state).toBe("stopped");
    expect(await bench.playback.resumeSaved()).toMatchObject({ surah_number: 2, position: 42_000 });
  });

  it("stays when a seek is answered by a failing store, and the sound stops all the same", async () => {
    const bench = await playing();
    bench.database.command("PRAGMA query_only = ON")();
    bench.playback.seek(86_400_000);
    expect(bench.playback.stop()).toBe(true);
    expect(bench.engine.commands.at(-1)).toBe("stop");
  });

  it("the saved position is removed after a natural end", async () => {
    const bench = await playing();
    bench.engine.emit("ended");
    await expect(bench.playback.resumeSaved()).rejects.toThrow("position: none is saved");
  });

  it("the saved position is saved when the card is removed, which stops a file but not a stream", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 44_000, durationMs: MINUTE });
    bench.playback.cardRemoved();
    expect(bench.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true });
    expect(bench.emitted.at(-1)).toMatchObject({ type: "error", data: { code: "card" } });
    await bench.playback.play({ url: "http://radio.example/" });
    bench.playback.cardRemoved();
    expect(bench.playback.status().state).toBe("playing");
  });
});

describe("volume, mode, sleep timer and play counts", () => {
  it("keeps volume and mode after a restart", async () => {
    const bench = createPlaybackBench();
    expect(bench.playback.setVolume(33)).toBe(33);
    bench.playback.setMode({ mode: "hifz_ab", ab: { from: 2, to: 5 }, pause_s: 4 });
    const after = createPlaybackBench({ folder: bench.folder });
    await after.playback.start();
    expect(after.engine.commands[0]).toBe("volume 33");
    expect(after.playback.status()).toMatchObject({
      volume: 33,
      advance_mode: "hifz_ab",
      hifz: { repeat_done: 0, repeat_target: 1, pause_s: 4, waiting: false, ab_start: 2, ab_end: 5 },
    });
  });

  it("confines the volume to the device's limit, answers it, and lowers it with the limit", () => {
    const bench = createPlaybackBench();
    bench.settings.change({ max_volume: 40 });
    expect(bench.playback.status().volume).toBe(40);
    expect(bench.engine.commands).toEqual(["volume 40"]);
    expect(bench.emitted).toContainEqual({ type: "volume", data: { volume: 40 } });
    expect(bench.playback.setVolume(80)).toBe(40);
    expect(bench.playback.setVolume(30)).toBe(30);
  });

  it("stops when the sleep timer expires", async () => {
    const bench = await playing();
    expect(bench.playback.setSleepTimer(2)).toBe(120);
    await bench.clock.advance(30_000);
    expect(bench.playback.status().sleep_timer_s).toBe(90);
    await bench.clock.advance(90_000);
    expect(bench.playback.status()).toMatchObject({ state: "stopped", sleep_timer_s: null, hasResumeState: true });
  });

  it("counts a play once, after half its length or 30 s of sound", async () => {
    const bench = createPlaybackBench();
    await bench.playback.play({ path: "Husary/002.mp3" });
    bench.engine.at({ positionMs: 0, durationMs: 20_000 });
    bench.engine.emit("flowing");
    await bench.clock.advance(6000);
    bench.playback.pause();
    await bench.clock.advance(MINUTE);
    bench.playback.resume();
    bench.engine.emit("flowing");
    await bench.clock.advance(3999);
    expect(bench.countedPlays).toEqual([]);
    await bench.clock.advance(1);
    expect(bench.countedPlays).toEqual([{ reciter: "Husary", surah: 2 }]);
    await bench.clock.advance(MINUTE);
    expect(bench.countedPlays).toHaveLength(1);
  });

  it("emits the position every 5 s while it plays, and not while it is paused", async () => {
    const bench = await playing();
    const positions = () => bench.emitted.filter(({ type }) => type === "position").length;
    await bench.clock.advance(15_000);
    expect(positions()).toBe(3);
    bench.playback.pause();
    await bench.clock.advance(15_000);
    expect(positions()).toBe(3);
  });
});
