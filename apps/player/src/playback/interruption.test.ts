import { describe, expect, it } from "vitest";
import { createHandPlayback, flow, type Hand, MINUTE, playing } from "../../testing/hand-playback.ts";
import type { Interruption, InterruptionEnd } from "./interruption.ts";

const AZAN: Interruption = { path: "/card/azan.mp3", name: "azan.mp3", volume: 80 };
const STREAM = "http://radio.example/live";

interface Called {
  ends: InterruptionEnd[];
}

/** The adhan is heard; what was heard before has faded out. */
async function call(hand: Hand, more: Partial<Interruption> = {}): Promise<Called> {
  const ends: InterruptionEnd[] = [];
  void hand.playback.interrupt({ ...AZAN, ...more }).then((how) => ends.push(how));
  await hand.clock.advance(0);
  await hand.clock.advance(500);
  hand.engine.at({ positionMs: 0, durationMs: 3 * MINUTE });
  hand.engine.tell("flowing");
  return { ends };
}

async function hearToEnd(hand: Hand): Promise<void> {
  await hand.clock.advance(3 * MINUTE);
  hand.engine.tell("ended");
  await hand.clock.advance(0);
}

async function listening(): Promise<Hand> {
  const hand = createHandPlayback();
  await hand.playback.play({ url: STREAM });
  connect(hand);
  return hand;
}

function connect(hand: Hand): void {
  hand.streams.at(-1)?.send({ type: "ready", location: "http://127.0.0.1:1/a" });
  hand.engine.at({ positionMs: 0, durationMs: 0 });
  hand.engine.tell("flowing");
}

const lastVolume = ({ engine }: Hand) => engine.commands.filter((command) => command.startsWith("volume")).at(-1);

describe("an interruption", () => {
  it("is what the status shows, at its own volume, and the former source is what stays known", async () => {
    const hand = await playing();
    await call(hand);
    expect(hand.playback.status()).toMatchObject({
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
    expect(hand.engine.loads.at(-1)).toEqual({ location: AZAN.path, positionMs: 0, isPaused: false, isLive: false });
    expect(hand.playback.isInterrupted()).toBe(true);
  });

  it("fades the former source out in half a second", async () => {
    const hand = await playing();
    void hand.playback.interrupt(AZAN);
    await hand.clock.advance(0);
    await hand.clock.advance(250);
    expect(lastVolume(hand)).toBe("volume 25");
    expect(hand.playback.status()).toMatchObject({ track: "Husary/002.mp3", volume: 50 });
    await hand.clock.advance(249);
    expect(hand.engine.loads).toHaveLength(1);
    await hand.clock.advance(1);
    expect(hand.engine.loads).toHaveLength(2);
    expect(hand.engine.commands.slice(-3)).toEqual(["volume 0", "stop", "volume 80"]);
  });

  it.each([
    ["a stopped device", async () => createHandPlayback()],
    ["a paused file", paused],
    ["a gap", inGap],
  ])("begins at once on %s", async (_what, make) => {
    const hand = await make();
    void hand.playback.interrupt(AZAN);
    await hand.clock.advance(0);
    expect(hand.engine.loads.at(-1)?.location).toBe(AZAN.path);
  });

  it("of volume 0 keeps the listener's volume, and none is above the device's limit", async () => {
    const hand = await playing();
    await call(hand, { volume: 0 });
    expect(hand.playback.status().volume).toBe(50);
    hand.playback.stop();
    hand.settings.change({ max_volume: 60 });
    await call(hand, { volume: 80 });
    expect(hand.playback.status().volume).toBe(60);
    hand.settings.change({ max_volume: 20 });
    expect(hand.playback.status().volume).toBe(20);
    expect(lastVolume(hand)).toBe("volume 20");
  });

  it("keeps a volume that somebody sets meanwhile, during it and after it", async () => {
    const hand = await playing();
    await call(hand);
    hand.playback.setVolume(30);
    expect(hand.playback.status()).toMatchObject({ track: "azan.mp3", volume: 30 });
    await hearToEnd(hand);
    expect(hand.playback.status().volume).toBe(30);
    expect(lastVolume(hand)).toBe("volume 30");
  });

  it("goes on fading when the volume is set in the middle of it", async () => {
    const hand = await playing();
    void hand.playback.interrupt(AZAN);
    await hand.clock.advance(0);
    await hand.clock.advance(250);
    hand.playback.setVolume(40);
    expect(lastVolume(hand)).toBe("volume 20");
    await hand.clock.advance(250);
    expect(hand.playback.status().track).toBe("azan.mp3");
  });

  it("is not kept away by something that begins to fade in", async () => {
    const hand = await playing();
    void hand.playback.interrupt(AZAN);
    await hand.clock.advance(0);
    await hand.clock.advance(250);
    hand.playback.fadeIn(60);
    await hand.clock.advance(250);
    expect(hand.playback.status()).toMatchObject({ track: "azan.mp3", volume: 80 });
    expect(lastVolume(hand)).toBe("volume 80");
  });

  it("tells its position every 5 s", async () => {
    const hand = await playing();
    await call(hand);
    const before = hand.told.length;
    hand.engine.at({ positionMs: 5000, durationMs: 3 * MINUTE });
    await hand.clock.advance(5000);
    expect(hand.told.slice(before)).toEqual([{ type: "position", data: { position: 5000, duration: 3 * MINUTE } }]);
  });

  it("does not begin without an engine, and leaves everything as it was", async () => {
    const hand = createHandPlayback();
    hand.engine.refuseStart(new Error("audio: mpv is not installed"));
    await expect(hand.playback.interrupt(AZAN)).rejects.toThrow("audio: mpv is not installed");
    expect(hand.playback.isInterrupted()).toBe(false);
  });

  it.each([
    ["a paused file", paused],
    ["a gap", inGap],
  ])("cannot be moved in, and resume makes no difference to it or to %s", async (_what, make) => {
    const hand = await make();
    const before = hand.playback.status();
    await call(hand);
    expect(() => hand.playback.seek(1000)).toThrow("position: the adhan cannot be moved in");
    expect(hand.playback.resume()).toBe(false);
    expect(hand.playback.status().track).toBe("azan.mp3");
    await hearToEnd(hand);
    expect(hand.playback.status()).toEqual(before);
  });
});

describe("after an interruption", () => {
  it("a file goes on where it was, fifty times", async () => {
    const hand = await playing();
    hand.playback.setMode({ mode: "hifz_repeat", repeat: 9, pause_s: 0 });
    for (let hearing = 0; hearing < 3; hearing += 1) hand.engine.tell("ended");
    for (let time = 1; time <= 50; time += 1) {
      const positionMs = time * 1000;
      flow(hand, positionMs);
      const before = hand.playback.status();
      const { ends } = await call(hand);
      await hearToEnd(hand);
      expect(hand.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs });
      flow(hand, positionMs);
      expect(hand.playback.status()).toEqual(before);
      expect(lastVolume(hand)).toBe("volume 50");
      expect(ends).toEqual(["ended"]);
    }
    expect(hand.playback.status().hifz).toMatchObject({ repeat_done: 3, repeat_target: 9 });
  });

  it("a stream is connected again, fifty times", async () => {
    const hand = await listening();
    for (let time = 1; time <= 50; time += 1) {
      const before = hand.playback.status();
      await call(hand);
      expect(hand.streams.at(-1)?.calls).toEqual(["close"]);
      await hearToEnd(hand);
      expect(hand.streams).toHaveLength(time + 1);
      connect(hand);
      expect(hand.playback.status()).toEqual(before);
    }
  });

  it("a gap has as much left as before, fifty times", async () => {
    const hand = await inGap(600);
    for (let time = 1; time <= 50; time += 1) {
      await hand.clock.advance(10_000);
      const before = hand.playback.status();
      await call(hand);
      expect(hand.playback.status().hifz).toMatchObject({ repeat_done: 1, waiting: false });
      await hearToEnd(hand);
      expect(hand.playback.status()).toEqual(before);
      expect(before.hifz).toMatchObject({ repeat_done: 1, waiting: true });
    }
    await hand.clock.advance(99_999);
    expect(hand.engine.loads).toHaveLength(51);
    await hand.clock.advance(1);
    expect(hand.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 0 });
  });

  it("a paused file is paused, and goes on where it was when it is resumed", async () => {
    const hand = await paused();
    const before = hand.playback.status();
    await call(hand);
    await hearToEnd(hand);
    expect(hand.playback.status()).toEqual(before);
    expect(hand.engine.loads.at(-1)?.location).toBe(AZAN.path);
    hand.playback.resume();
    expect(hand.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 12_000 });
  });

  it("a stopped device is stopped", async () => {
    const hand = createHandPlayback();
    const before = hand.playback.status();
    await call(hand);
    await hearToEnd(hand);
    expect(hand.playback.status()).toEqual(before);
  });

  it("a file stays paused if that is wanted, and so does a gap", async () => {
    const hand = await playing();
    flow(hand, 12_000);
    await call(hand, { after: "stay_paused" });
    await hearToEnd(hand);
    expect(hand.playback.status()).toMatchObject({ state: "paused", position: 12_000, track: "Husary/002.mp3" });
    const other = await inGap();
    await call(other, { after: "stay_paused" });
    await hearToEnd(other);
    expect(other.playback.status()).toMatchObject({ state: "paused", hifz: { waiting: false, repeat_done: 1 } });
    other.playback.resume();
    expect(other.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 0 });
  });

  it("a play that was half heard is counted once, after the rest of it", async () => {
    const hand = await playing();
    await hand.clock.advance(20_000);
    await call(hand);
    await hearToEnd(hand);
    flow(hand, 20_000);
    await hand.clock.advance(9000);
    expect(hand.heard).toEqual([]);
    await hand.clock.advance(1000);
    expect(hand.heard).toEqual([{ reciter: "Husary", surah: 2 }]);
  });

  it("the position is on the disk already, as running, should the power go meanwhile", async () => {
    const hand = await playing();
    hand.settings.change({ auto_resume: true });
    flow(hand, 44_000);
    await call(hand);
    const after = createHandPlayback({ folder: hand.folder });
    await after.playback.autoResume();
    expect(after.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 42_000 });
  });
});

describe("commands during an interruption", () => {
  it.each([
    ["a file", async () => flowing(12_000), { state: "paused", mode: "file", position: 12_000 }],
    ["a stream", listening, { state: "paused", mode: "stream" }],
    ["a gap", inGap, { state: "paused", position: MINUTE, hifz: { waiting: false, repeat_done: 1 } }],
    ["nothing", async () => createHandPlayback(), { state: "stopped", mode: "idle" }],
  ])("pause ends it and leaves %s paused", async (_what, make, expected) => {
    const hand = await make();
    const { ends } = await call(hand);
    expect(hand.playback.pause()).toBe(true);
    await hand.clock.advance(MINUTE);
    expect(hand.playback.status()).toMatchObject({ ...expected, volume: 50 });
    expect(ends).toEqual(["paused"]);
    expect(hand.engine.loads.at(-1)?.location).toBe(AZAN.path);
  });

  it("stop ends it, saves the position and stays stopped", async () => {
    const hand = await flowing(44_000);
    const { ends } = await call(hand);
    expect(hand.playback.stop()).toBe(true);
    await hand.clock.advance(MINUTE);
    expect(hand.playback.status()).toMatchObject({ state: "stopped", mode: "idle", volume: 50, hasResumeState: true });
    expect(ends).toEqual(["stopped"]);
    expect(await hand.playback.resumeSaved()).toMatchObject({ surah_number: 2, position: 42_000 });
  });

  it.each([
    ["play", (hand: Hand) => hand.playback.play({ path: "Husary/114.mp3" }), 114],
    ["next", (hand: Hand) => hand.playback.next(), 5],
    ["prev", (hand: Hand) => hand.playback.prev(), 1],
  ] as const)("%s replaces it", async (_command, ask, surah) => {
    const hand = await flowing(12_000);
    const { ends } = await call(hand);
    expect(await ask(hand)).toMatchObject({ state: "playing", surah_number: surah, position: 0, volume: 50 });
    flow(hand, 1000);
    await hand.clock.advance(0);
    expect(ends).toEqual(["replaced"]);
    expect(hand.playback.status()).toMatchObject({ state: "playing", surah_number: surah, position: 1000 });
  });

  it("a play that is refused leaves it alone", async () => {
    const hand = await flowing(12_000);
    await call(hand);
    await expect(hand.playback.play({ path: "Husary/003.mp3" })).rejects.toThrow("path:");
    expect(hand.playback.status().track).toBe("azan.mp3");
  });

  it.each([
    ["pause", "paused"],
    ["stop", "stopped"],
  ] as const)("%s while the source still fades keeps the adhan away", async (command, state) => {
    const hand = await flowing(12_000);
    const over = hand.playback.interrupt(AZAN);
    await hand.clock.advance(0);
    await hand.clock.advance(200);
    hand.playback[command]();
    await hand.clock.advance(MINUTE);
    expect(await over).toBe(state);
    expect(hand.playback.status()).toMatchObject({ state, volume: 50 });
    expect(hand.engine.loads).toHaveLength(1);
    expect(lastVolume(hand)).toBe("volume 50");
  });

  it("a button ends it and the source goes on, also while it still fades", async () => {
    const hand = await flowing(12_000);
    const { ends } = await call(hand);
    expect(hand.playback.endInterruption()).toBe(true);
    flow(hand, 12_000);
    expect(hand.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 12_000, volume: 50 });
    void hand.playback.interrupt(AZAN).then((how) => ends.push(how));
    await hand.clock.advance(0);
    await hand.clock.advance(300);
    expect(hand.playback.endInterruption()).toBe(true);
    await hand.clock.advance(MINUTE);
    expect(ends).toEqual(["stopped", "stopped"]);
    expect(hand.engine.loads).toHaveLength(3);
    expect(lastVolume(hand)).toBe("volume 50");
    expect(hand.playback.endInterruption()).toBe(false);
  });

  it("a second one takes its place, and the source goes on after that", async () => {
    const hand = await flowing(12_000);
    const first = await call(hand);
    const second = await call(hand, { path: "/data/tone.wav", name: "", volume: 0 });
    expect(hand.playback.status()).toMatchObject({ track: "", volume: 50 });
    expect(first.ends).toEqual(["replaced"]);
    await hearToEnd(hand);
    flow(hand, 12_000);
    expect(second.ends).toEqual(["ended"]);
    expect(hand.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 12_000 });
  });

  it("a second one while the source still fades is the one that is heard", async () => {
    const hand = await flowing(12_000);
    void hand.playback.interrupt(AZAN);
    await hand.clock.advance(0);
    await hand.clock.advance(300);
    void hand.playback.interrupt({ ...AZAN, path: "/card/fajr.mp3", name: "fajr.mp3" });
    await hand.clock.advance(0);
    await hand.clock.advance(200);
    expect(hand.engine.loads.map(({ location }) => location)).toEqual(["/card/Husary/002.mp3", "/card/fajr.mp3"]);
  });

  it("the sleep timer goes on; when it runs out, nothing is heard after the adhan", async () => {
    const hand = await flowing(44_000);
    hand.playback.setSleepTimer(1);
    await call(hand);
    expect(hand.playback.status().sleep_timer_s).toBe(60);
    await hand.clock.advance(MINUTE);
    expect(hand.playback.status()).toMatchObject({ state: "playing", track: "azan.mp3", sleep_timer_s: null });
    await hearToEnd(hand);
    expect(hand.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true, track: "Husary/002.mp3" });
    expect(hand.engine.loads.at(-1)?.location).toBe(AZAN.path);
  });

  it("whoever waits for its end is let go then", async () => {
    const hand = await flowing(12_000);
    await call(hand);
    const freed: string[] = [];
    void hand.playback.untilFree().then(() => freed.push("schedule"));
    await hand.clock.advance(MINUTE);
    expect(freed).toEqual([]);
    await hearToEnd(hand);
    expect(freed).toEqual(["schedule"]);
    await hand.playback.untilFree();
  });
});

describe("what goes wrong during an interruption", () => {
  it("an engine that dies makes it go on where it was, and the source comes back after it", async () => {
    const hand = await flowing(12_000);
    const { ends } = await call(hand);
    hand.engine.at({ positionMs: 30_000, durationMs: 3 * MINUTE });
    hand.engine.live({ type: "lost" });
    expect(hand.playback.status()).toMatchObject({ state: "buffering", track: "azan.mp3", position: 30_000 });
    hand.engine.live({ type: "back" });
    expect(hand.engine.loads.at(-1)).toMatchObject({ location: AZAN.path, positionMs: 30_000 });
    expect(hand.engine.loads).toHaveLength(3);
    hand.engine.tell("flowing");
    await hearToEnd(hand);
    expect(ends).toEqual(["ended"]);
    expect(hand.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 12_000 });
  });

  it("an engine that dies again and again is no fault of the source that waits", async () => {
    const hand = await flowing(12_000);
    await call(hand);
    for (let death = 1; death <= 6; death += 1) {
      hand.engine.at({ positionMs: death * 10_000, durationMs: 3 * MINUTE });
      hand.engine.live({ type: "lost" });
      hand.engine.live({ type: "back" });
      hand.engine.tell("flowing");
    }
    await hearToEnd(hand);
    flow(hand, 12_000);
    expect(hand.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 12_000 });
  });

  it("an engine that is away when it is cut short brings the source back by itself", async () => {
    const hand = await flowing(12_000);
    await call(hand);
    hand.engine.live({ type: "lost" });
    hand.playback.endInterruption();
    hand.engine.live({ type: "back" });
    expect(hand.engine.loads.slice(2)).toMatchObject([{ location: "/card/Husary/002.mp3", positionMs: 12_000 }]);
  });

  it("an engine that does not come back ends it and stops, and the place is kept", async () => {
    const hand = await flowing(44_000);
    const { ends } = await call(hand);
    hand.engine.live({ type: "lost" });
    hand.engine.live({ type: "gone", why: "audio: gone" });
    await hand.clock.advance(0);
    expect(ends).toEqual(["stopped"]);
    expect(hand.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true, volume: 50 });
  });

  it("a file that cannot be decoded is replaced by the other sound, and said", async () => {
    const hand = await flowing(12_000);
    const { ends } = await call(hand, { otherwise: { path: "/data/tone.wav", name: "" } });
    hand.engine.tell("failed", "no audio in it");
    expect(hand.engine.loads.at(-1)?.location).toBe("/data/tone.wav");
    expect(hand.playback.status()).toMatchObject({ state: "playing", track: "", volume: 80 });
    expect(hand.told).toContainEqual({ type: "error", data: { code: "file", message: "track: no audio in it" } });
    hand.engine.tell("failed", "no audio in it either");
    await hand.clock.advance(0);
    expect(ends).toEqual(["stopped"]);
    flow(hand, 12_000);
    expect(hand.playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 12_000, volume: 50 });
  });

  it("a card that is pulled stops the file for good; the adhan itself is the engine's matter", async () => {
    const hand = await flowing(44_000);
    await call(hand);
    hand.playback.cardPulled();
    expect(hand.playback.status()).toMatchObject({ state: "playing", track: "azan.mp3" });
    await hearToEnd(hand);
    expect(hand.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true });
  });

  it("a card that comes back during it is resumed after it", async () => {
    const hand = await flowing(44_000);
    hand.settings.change({ auto_resume: true });
    const after = createHandPlayback({ folder: hand.folder });
    await call(after);
    const resumed = after.playback.autoResume();
    await after.clock.advance(MINUTE);
    expect(after.playback.status().track).toBe("azan.mp3");
    await hearToEnd(after);
    await resumed;
    expect(after.playback.status()).toMatchObject({ state: "playing", surah_number: 2 });
  });
});

describe("fading in", () => {
  it("rises from silence to the volume that is set", async () => {
    const hand = await playing();
    hand.playback.fadeIn(10);
    expect(lastVolume(hand)).toBe("volume 0");
    await hand.clock.advance(5000);
    expect(lastVolume(hand)).toBe("volume 25");
    expect(hand.playback.status().volume).toBe(50);
    await hand.clock.advance(5000);
    expect(lastVolume(hand)).toBe("volume 50");
  });

  it.each([
    ["a set volume", (hand: Hand) => hand.playback.setVolume(50)],
    ["stop", (hand: Hand) => hand.playback.stop()],
    ["another play", (hand: Hand) => hand.playback.play({ path: "Husary/005.mp3" })],
  ])("is over with %s", async (_what, act) => {
    const hand = await playing();
    hand.playback.fadeIn(10);
    await hand.clock.advance(1000);
    await act(hand);
    expect(lastVolume(hand)).toBe("volume 50");
    const count = hand.engine.commands.length;
    await hand.clock.advance(20_000);
    expect(hand.engine.commands).toHaveLength(count);
  });
});

async function flowing(positionMs: number): Promise<Hand> {
  const hand = await playing();
  flow(hand, positionMs);
  return hand;
}

async function paused(): Promise<Hand> {
  const hand = await flowing(12_000);
  hand.playback.pause();
  return hand;
}

async function inGap(pause_s = 10): Promise<Hand> {
  const hand = await playing();
  hand.playback.setMode({ mode: "hifz_repeat", repeat: 0, pause_s });
  flow(hand, MINUTE);
  hand.engine.tell("ended");
  return hand;
}
