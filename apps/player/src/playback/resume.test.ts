import { describe, expect, it } from "vitest";
import { brief, createHandPlayback, MINUTE, playing } from "../../testing/hand-playback.ts";

describe("the saved position", () => {
  it("survives a power cut, at most 30 s old, and rewinds 2 s", async () => {
    const hand = await playing();
    hand.engine.at({ positionMs: 30_000, durationMs: MINUTE });
    await hand.clock.advance(30_000);
    hand.engine.at({ positionMs: 55_000, durationMs: MINUTE });
    const after = createHandPlayback({ folder: hand.folder });
    expect(after.playback.status().hasResumeState).toBe(true);
    expect(await after.playback.resumeSaved()).toMatchObject({ state: "playing", surah_number: 2, position: 28_000 });
  });

  it.each(["pause", "stop"] as const)("is saved by %s", async (command) => {
    const hand = await playing();
    hand.engine.at({ positionMs: 44_000, durationMs: MINUTE });
    hand.playback[command]();
    const after = createHandPlayback({ folder: hand.folder });
    expect(await after.playback.resumeSaved()).toMatchObject({ position: 42_000 });
  });

  it("is saved by seek and by resume, as running", async () => {
    const hand = await playing();
    hand.settings.change({ auto_resume: true });
    hand.playback.pause();
    hand.playback.resume();
    hand.playback.seek(50_000);
    const after = createHandPlayback({ folder: hand.folder });
    await after.playback.autoResume();
    expect(brief(after)).toMatchObject({ state: "playing", surah_number: 2, position: 48_000 });
  });

  it("is not resumed by itself after a pause, nor when somebody was quicker, nor unless it is wanted", async () => {
    const hand = await playing();
    const silent = createHandPlayback({ folder: hand.folder });
    await silent.playback.autoResume();
    expect(brief(silent).state).toBe("stopped");
    hand.settings.change({ auto_resume: true });
    const quick = createHandPlayback({ folder: hand.folder });
    await quick.playback.play({ path: "Husary/005.mp3" });
    await quick.playback.autoResume();
    expect(brief(quick).surah_number).toBe(5);
    hand.playback.pause();
    const paused = createHandPlayback({ folder: hand.folder });
    await paused.playback.autoResume();
    expect(brief(paused).state).toBe("stopped");
  });

  it("under 10 s counts as the beginning", async () => {
    const hand = await playing();
    hand.engine.at({ positionMs: 9999, durationMs: MINUTE });
    hand.playback.stop();
    expect(await hand.playback.resumeSaved()).toMatchObject({ position: 0 });
  });

  it("is that of the file when a stream takes over", async () => {
    const hand = await playing();
    hand.engine.at({ positionMs: 44_000, durationMs: MINUTE });
    await hand.playback.play({ url: "http://radio.example/" });
    expect(await hand.playback.resumeSaved()).toMatchObject({ surah_number: 2, position: 42_000 });
  });

  it("is gone after a natural end", async () => {
    const hand = await playing();
    hand.engine.tell("ended");
    await expect(hand.playback.resumeSaved()).rejects.toThrow("position: none is saved");
  });

  it("is saved when the card is pulled, which stops a file but not a stream", async () => {
    const hand = await playing();
    hand.engine.at({ positionMs: 44_000, durationMs: MINUTE });
    hand.playback.cardPulled();
    expect(hand.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true });
    expect(hand.told.at(-1)).toMatchObject({ type: "error", data: { code: "card" } });
    await hand.playback.play({ url: "http://radio.example/" });
    hand.playback.cardPulled();
    expect(hand.playback.status().state).toBe("playing");
  });
});

describe("volume, mode, sleep timer, hearings", () => {
  it("keeps volume and mode over a restart", async () => {
    const hand = createHandPlayback();
    expect(hand.playback.setVolume(33)).toBe(33);
    hand.playback.setMode({ mode: "hifz_ab", ab: { from: 2, to: 5 }, pause_s: 4 });
    const after = createHandPlayback({ folder: hand.folder });
    await after.playback.start();
    expect(after.engine.commands[0]).toBe("volume 33");
    expect(after.playback.status()).toMatchObject({
      volume: 33,
      advance_mode: "hifz_ab",
      hifz: { repeat_done: 0, repeat_target: 1, pause_s: 4, waiting: false, ab_start: 2, ab_end: 5 },
    });
  });

  it("refuses a volume above the device's limit, and lowers it with the limit", () => {
    const hand = createHandPlayback();
    hand.settings.change({ max_volume: 40 });
    expect(hand.playback.status().volume).toBe(40);
    expect(hand.engine.commands).toEqual(["volume 40"]);
    expect(hand.told).toContainEqual({ type: "volume", data: { volume: 40 } });
    expect(() => hand.playback.setVolume(41)).toThrow("volume: must be an integer from 0 to 40");
  });

  it("stops when the sleep timer has run out", async () => {
    const hand = await playing();
    expect(hand.playback.setSleepTimer(2)).toBe(120);
    await hand.clock.advance(30_000);
    expect(hand.playback.status().sleep_timer_s).toBe(90);
    await hand.clock.advance(90_000);
    expect(hand.playback.status()).toMatchObject({ state: "stopped", sleep_timer_s: null, hasResumeState: true });
  });

  it("counts a play once, after half its length or 30 s of sound", async () => {
    const hand = createHandPlayback();
    await hand.playback.play({ path: "Husary/002.mp3" });
    hand.engine.at({ positionMs: 0, durationMs: 20_000 });
    hand.engine.tell("flowing");
    await hand.clock.advance(6000);
    hand.playback.pause();
    await hand.clock.advance(MINUTE);
    hand.playback.resume();
    hand.engine.tell("flowing");
    await hand.clock.advance(3999);
    expect(hand.heard).toEqual([]);
    await hand.clock.advance(1);
    expect(hand.heard).toEqual([{ reciter: "Husary", surah: 2 }]);
    await hand.clock.advance(MINUTE);
    expect(hand.heard).toHaveLength(1);
  });

  it("tells the position every 5 s while it plays, and not while it is paused", async () => {
    const hand = await playing();
    const positions = () => hand.told.filter(({ type }) => type === "position").length;
    await hand.clock.advance(15_000);
    expect(positions()).toBe(3);
    hand.playback.pause();
    await hand.clock.advance(15_000);
    expect(positions()).toBe(3);
  });
});
