import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { brief, createPlaybackBench, flow, MINUTE, type PlaybackBench, playing } from "../../testing/playback-bench.ts";

describe("a file", () => {
  it("plays from its beginning and shows it before the engine has processed it", async () => {
    const { playback, engine } = createPlaybackBench();
    const status = await playback.play({ path: "Husary/002.mp3" });
    expect(status).toEqual({
      state: "playing",
      mode: "file",
      position: 0,
      duration: 0,
      volume: 50,
      underrun_count: 0,
      track: "Husary/002.mp3",
      reciter: "Husary",
      surah_number: 2,
      advance_mode: "off",
      hasResumeState: false,
      source: { type: "surah", reciter: "Husary", surah: 2 },
      title: "",
      retry_in_s: null,
      sleep_timer_s: null,
      hifz_today: 0,
    });
    expect(engine.loads).toEqual([{ location: "/card/Husary/002.mp3", positionMs: 0, isPaused: false, isLive: false }]);
  });

  it("stops at its end and stays known, so that next works", async () => {
    const bench = await playing();
    bench.engine.emit("ended");
    expect(brief(bench)).toEqual({ state: "stopped", mode: "idle", position: 0, duration: 0, surah_number: 2 });
    expect(bench.playback.status()).toMatchObject({
      track: "Husary/002.mp3",
      reciter: "Husary",
      hasResumeState: false,
    });
    expect(await bench.playback.next()).toMatchObject({ state: "playing", surah_number: 5 });
  });

  it.each([
    ["next", "Husary/002.mp3", 5],
    ["prev", "Husary/002.mp3", 1],
    ["prev", "Husary/114.mp3", 5],
  ] as const)("skips missing surahs on %s of %s and plays surah %i", async (command, path, surah) => {
    const { playback } = await playing(path);
    expect(await playback[command]()).toMatchObject({ state: "playing", surah_number: surah, position: 0 });
  });

  it.each([
    ["next", "Husary/114.mp3", "surah_number: the reciter has no next surah on the card"],
    ["prev", "Husary/001.mp3", "surah_number: the reciter has no previous surah on the card"],
    ["next", "azan.mp3", "reciter: no surah of a reciter is current"],
  ] as const)("refuses %s at %s", async (command, path, message) => {
    const bench = await playing(path);
    await expect(bench.playback[command]()).rejects.toThrow(message);
    expect(brief(bench).state).toBe("playing");
  });

  it.each([
    [{}, "path: is required unless url is given"],
    [{ path: "Husary/002.mp3", url: "http://radio.example/" }, "path: must not come together with url"],
    [{ path: "Husary/003.mp3" }, "path: 'Husary/003.mp3' is not on the card"],
    [{ url: "http://localhost/" }, "url: must lead to a public address"],
  ])("refuses %j", async (request, message) => {
    const bench = await playing();
    await expect((async () => bench.playback.play(request))()).rejects.toThrow(message);
    expect(brief(bench)).toMatchObject({ state: "playing", surah_number: 2 });
  });

  it("a file is buffering after half a second without sound, and an underrun only if there was sound before", async () => {
    const bench = createPlaybackBench();
    await bench.playback.play({ path: "Husary/002.mp3" });
    await bench.clock.advance(400);
    expect(brief(bench).state).toBe("playing");
    await bench.clock.advance(100);
    expect(bench.playback.status()).toMatchObject({ state: "buffering", underrun_count: 0 });
    flow(bench, 0);
    expect(brief(bench).state).toBe("playing");
    bench.engine.emit("silent");
    await bench.clock.advance(500);
    expect(bench.playback.status()).toMatchObject({ state: "buffering", underrun_count: 1 });
  });
});

describe("pause, resume and stop", () => {
  it("stops the position and continues from it", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 12_000, durationMs: MINUTE });
    expect(bench.playback.pause()).toBe(true);
    expect(brief(bench)).toMatchObject({ state: "paused", mode: "file", position: 12_000 });
    expect(bench.playback.resume()).toBe(true);
    expect(brief(bench)).toMatchObject({ state: "playing", position: 12_000 });
    expect(bench.engine.commands.slice(-2)).toEqual(["pause", "resume"]);
    expect(bench.playback.stop()).toBe(true);
    expect(brief(bench)).toMatchObject({ state: "stopped", mode: "idle", position: 0 });
  });

  it("reports commands without effect, and still emits an event to every client", async () => {
    const bench = createPlaybackBench();
    expect([bench.playback.pause(), bench.playback.resume(), bench.playback.stop()]).toEqual([false, false, false]);
    expect(bench.emitted.map(({ type }) => type)).toEqual(["playback", "playback", "playback"]);
  });

  it("does not let an earlier slow play begin afterwards", async () => {
    const bench = createPlaybackBench();
    const slow = bench.playback.play({ path: "Husary/002.mp3" });
    bench.playback.stop();
    await slow;
    expect(brief(bench).state).toBe("stopped");
  });

  it("keeps the later of two plays, whichever is found first", async () => {
    const bench = createPlaybackBench();
    await Promise.all([
      bench.playback.play({ path: "Husary/002.mp3" }),
      bench.playback.play({ path: "Husary/005.mp3" }),
    ]);
    expect(brief(bench).surah_number).toBe(5);
  });
});

describe("seek", () => {
  it("moves, and past the end it moves to the end", async () => {
    const bench = await playing();
    expect(bench.playback.seek(30_000.4)).toMatchObject({ state: "playing", position: 30_000 });
    expect(bench.playback.seek(MINUTE * 9)).toMatchObject({ position: MINUTE });
    expect(bench.engine.commands.slice(1)).toEqual(["seek 30000.4", `seek ${MINUTE}`]);
  });

  it("moves while paused, and the file ends only when it is resumed", async () => {
    const bench = await playing();
    bench.playback.pause();
    expect(bench.playback.seek(MINUTE)).toMatchObject({ state: "paused", position: MINUTE });
    bench.engine.emit("ended");
    expect(brief(bench)).toMatchObject({ state: "paused", position: MINUTE });
    bench.playback.resume();
    expect(brief(bench).state).toBe("stopped");
  });

  it("before the engine has started begins at the new position", async () => {
    const bench = createPlaybackBench();
    await bench.playback.play({ path: "Husary/002.mp3" });
    bench.playback.seek(20_000);
    expect(bench.engine.loads.at(-1)).toMatchObject({ positionMs: 20_000 });
    expect(bench.engine.commands).not.toContain("seek 20000");
  });

  it("back from the end while paused continues from there", async () => {
    const bench = await playing();
    bench.playback.pause();
    bench.playback.seek(MINUTE);
    bench.engine.emit("ended");
    bench.playback.seek(20_000);
    bench.playback.resume();
    expect(brief(bench)).toMatchObject({ state: "playing", position: 20_000 });
    expect(bench.engine.loads.at(-1)).toMatchObject({ positionMs: 20_000 });
  });

  it("is refused while stopped and on a live stream", async () => {
    const { playback } = createPlaybackBench();
    expect(() => playback.seek(0)).toThrow("position: nothing is playing");
    await playback.play({ url: "http://radio.example/" });
    expect(() => playback.seek(0)).toThrow("position: a live stream has no position");
  });
});

describe("hifz", () => {
  it("repeats with a gap in which the state is still playing, at the end, until all play-throughs are done", async () => {
    const bench = await playing();
    bench.playback.setMode({ mode: "hifz_repeat", repeat: 2, pause_s: 3 });
    bench.engine.at({ positionMs: MINUTE, durationMs: MINUTE });
    bench.engine.emit("ended");
    expect(bench.playback.status()).toMatchObject({
      state: "playing",
      position: MINUTE,
      duration: MINUTE,
      hifz: { repeat_done: 1, repeat_target: 2, pause_s: 3, waiting: true },
      hifz_today: 1,
    });
    await bench.clock.advance(2999);
    expect(bench.engine.loads).toHaveLength(1);
    await bench.clock.advance(1);
    expect(bench.engine.loads).toHaveLength(2);
    flow(bench, 0);
    expect(bench.playback.status().hifz).toEqual({ repeat_done: 1, repeat_target: 2, pause_s: 3, waiting: false });
    bench.engine.emit("ended");
    expect(brief(bench).state).toBe("stopped");
    const phases = bench.emitted.filter(({ type }) => type === "hifz").map(({ data }) => data);
    expect(phases).toMatchObject([{ phase: "gap" }, { phase: "playing" }, { phase: "done" }]);
  });

  it.each([
    ["pause", "paused"],
    ["stop", "stopped"],
  ] as const)("ends the gap by %s", async (command, state) => {
    const bench = await inGap();
    bench.playback[command]();
    await bench.clock.advance(MINUTE);
    expect(brief(bench).state).toBe(state);
    expect(bench.playback.status().hifz?.waiting).toBe(false);
    expect(bench.engine.loads).toHaveLength(1);
  });

  it("saves the beginning of the next repetition in the gap", async () => {
    const bench = await inGap();
    bench.playback.stop();
    expect(await bench.playback.resumeSaved()).toMatchObject({ surah_number: 2, position: 0 });
  });

  it("starts the next repetition immediately on resume after a pause in the gap", async () => {
    const bench = await inGap();
    bench.playback.pause();
    bench.playback.resume();
    expect(bench.engine.loads).toHaveLength(2);
    expect(bench.playback.status()).toMatchObject({ state: "playing", position: 0, hifz: { repeat_done: 1 } });
  });

  it("starts the next repetition immediately on resume in the gap", async () => {
    const bench = await inGap();
    expect(bench.playback.resume()).toBe(true);
    expect(bench.engine.loads).toHaveLength(2);
    expect(bench.playback.status().hifz).toMatchObject({ repeat_done: 1, waiting: false });
    await bench.clock.advance(400);
    expect(bench.engine.loads).toHaveLength(2);
  });

  it("returns to the surah on a seek in the gap", async () => {
    const bench = await inGap();
    expect(bench.playback.seek(5000)).toMatchObject({ state: "playing", position: 5000 });
    expect(bench.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 5000 });
    await bench.clock.advance(400);
    expect(bench.engine.loads).toHaveLength(2);
  });

  it("starts the next surah with new counters on next in the gap", async () => {
    const bench = await inGap();
    await bench.playback.next();
    await bench.clock.advance(400);
    expect(bench.engine.loads).toHaveLength(2);
    expect(bench.playback.status()).toMatchObject({ surah_number: 5, hifz: { repeat_done: 0, waiting: false } });
  });

  it("plays a range, skips missing surahs and wraps", async () => {
    const bench = await playing("Husary/002.mp3", { surahs: [2, 5] });
    bench.playback.setMode({ mode: "hifz_ab", ab: { from: 2, to: 9 } });
    const order: number[] = [];
    for (let ends = 0; ends < 4; ends += 1) {
      bench.engine.emit("ended");
      order.push(bench.playback.status().surah_number);
    }
    expect(order).toEqual([5, 2, 5, 2]);
    expect(bench.playback.status().hifz).toMatchObject({ ab_start: 2, ab_end: 9, repeat_target: 1 });
  });

  it("refuses a range of which the current reciter has no surah, and no mode changes the state", async () => {
    const bench = await playing();
    expect(() => bench.playback.setMode({ mode: "hifz_ab", ab: { from: 6, to: 9 } })).toThrow("ab: the reciter has no");
    bench.playback.setMode({ mode: "repeat_one" });
    expect(brief(bench)).toMatchObject({ state: "playing", position: 0 });
    expect(bench.playback.mode()).toEqual({ mode: "repeat_one" });
  });

  async function inGap(): Promise<PlaybackBench> {
    const bench = await playing();
    bench.playback.setMode({ mode: "hifz_repeat", repeat: 0, pause_s: 10 });
    bench.engine.at({ positionMs: MINUTE, durationMs: MINUTE });
    bench.engine.emit("ended");
    expect(bench.playback.status().hifz?.waiting).toBe(true);
    return bench;
  }
});

describe("files that cannot be played", () => {
  it("files that cannot be played are skipped while advancing", async () => {
    const bench = await playing();
    bench.playback.setMode({ mode: "continuous" });
    bench.engine.emit("ended");
    bench.engine.emit("failed", "no audio in it");
    expect(brief(bench)).toMatchObject({ state: "playing", surah_number: 114 });
  });

  it("stop playback when five in a row fail, with an error event", async () => {
    const bench = await playing();
    bench.playback.setMode({ mode: "repeat_one" });
    for (let time = 0; time < 4; time += 1) bench.engine.emit("failed", "no audio in it");
    expect(brief(bench).state).toBe("playing");
    bench.engine.emit("failed", "no audio in it");
    expect(brief(bench).state).toBe("stopped");
    expect(bench.emitted.at(-1)).toEqual({ type: "error", data: { code: "file", message: "track: no audio in it" } });
  });

  it("stop playback immediately when nothing follows", async () => {
    const bench = await playing();
    bench.engine.emit("failed", "no audio in it");
    expect(brief(bench).state).toBe("stopped");
  });
});

describe("an engine that dies", () => {
  it("an engine that dies is buffering until it is back at the last position", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 21_000, durationMs: MINUTE });
    bench.engine.emitLife({ type: "lost" });
    expect(brief(bench)).toMatchObject({ state: "buffering", position: 21_000, duration: MINUTE });
    bench.engine.emitLife({ type: "back" });
    expect(bench.engine.loads.at(-1)).toMatchObject({ positionMs: 21_000 });
    flow(bench, 21_000);
    expect(bench.playback.status()).toMatchObject({ state: "playing", position: 21_000, underrun_count: 0 });
  });

  it("stays paused when it was paused, and resume loads the file again", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 21_000, durationMs: MINUTE });
    bench.playback.pause();
    bench.engine.emitLife({ type: "lost" });
    bench.engine.emitLife({ type: "back" });
    expect(brief(bench)).toMatchObject({ state: "paused", position: 21_000 });
    bench.playback.resume();
    expect(bench.engine.loads.at(-1)).toMatchObject({ positionMs: 21_000 });
  });

  it("accepts commands in the meantime and executes the last of them when it is back", async () => {
    const bench = await playing();
    bench.engine.emitLife({ type: "lost" });
    await bench.playback.play({ path: "Husary/005.mp3" });
    bench.playback.seek(7000);
    expect(bench.engine.loads).toHaveLength(1);
    bench.engine.emitLife({ type: "back" });
    expect(bench.engine.loads.slice(1)).toMatchObject([{ location: "/card/Husary/005.mp3", positionMs: 7000 }]);
  });

  it("an engine that dies does not load a file again after five crashes at the same position", async () => {
    const bench = await playing();
    bench.playback.setMode({ mode: "continuous" });
    for (let death = 0; death < 5; death += 1) {
      flow(bench, 21_000 + death * 10);
      bench.engine.emitLife({ type: "lost" });
      bench.engine.emitLife({ type: "back" });
    }
    expect(brief(bench)).toMatchObject({ state: "playing", surah_number: 5 });
  });

  it("continues with the file after twenty crashes at different positions", async () => {
    const bench = await playing();
    for (let death = 0; death < 20; death += 1) {
      flow(bench, death * 1000);
      bench.engine.emitLife({ type: "lost" });
      bench.engine.emitLife({ type: "back" });
    }
    flow(bench, 19_000);
    expect(brief(bench)).toMatchObject({ state: "playing", surah_number: 2, position: 19_000 });
  });

  it("changes nothing in a gap", async () => {
    const bench = await playing();
    bench.playback.setMode({ mode: "hifz_repeat", pause_s: 5 });
    bench.engine.emit("ended");
    bench.engine.emitLife({ type: "lost" });
    bench.engine.emitLife({ type: "back" });
    expect(brief(bench).state).toBe("playing");
    await bench.clock.advance(5000);
    expect(bench.engine.loads).toHaveLength(2);
  });

  it("stops with an error when it cannot be restarted, keeps the position, and is started by the next play", async () => {
    const bench = await playing();
    bench.engine.at({ positionMs: 21_000, durationMs: MINUTE });
    bench.engine.emitLife({ type: "lost" });
    bench.engine.emitLife({ type: "gone", why: "audio: mpv does not start any more" });
    expect(bench.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true });
    expect(bench.emitted.at(-1)).toEqual({
      type: "error",
      data: { code: "audio", message: "audio: mpv does not start any more" },
    });
    await bench.playback.resumeSaved();
    expect(bench.engine.commands.filter((command) => command === "start")).toHaveLength(2);
    expect(brief(bench)).toMatchObject({ state: "playing", position: 19_000 });
  });

  it("an engine that dies is tried again by itself until it starts, so that its failure is not reported for longer than it lasts", async () => {
    const bench = createPlaybackBench();
    bench.engine.refuseStart(new Problem("failed", "audio: no audio device could be opened"));
    await bench.playback.start();
    expect(bench.playback.failure()).toEqual({ component: "audio", error: "no audio device could be opened" });
    await bench.clock.advance(60_000);
    expect(bench.playback.failure()).toBeDefined();
    bench.engine.refuseStart(undefined);
    await bench.clock.advance(30_000);
    expect(bench.playback.failure()).toBeUndefined();
  });

  it("refuses every play and names the cause when it is missing, and the next play tries again", async () => {
    const bench = createPlaybackBench();
    bench.engine.refuseStart(new Error("audio: mpv is not installed"));
    await expect(bench.playback.play({ path: "Husary/002.mp3" })).rejects.toThrow("audio: mpv is not installed");
    expect(brief(bench).state).toBe("stopped");
    bench.engine.refuseStart(undefined);
    expect(await bench.playback.play({ path: "Husary/002.mp3" })).toMatchObject({ state: "playing" });
  });
});

describe("a stream", () => {
  const url = "http://radio.example/live";

  async function listening() {
    const bench = createPlaybackBench();
    await bench.playback.play({ url });
    const [stream] = bench.streams;
    if (!stream) throw new Error("no stream was opened");
    stream.send({ type: "ready", location: "http://127.0.0.1:1/a" });
    bench.engine.at({ positionMs: 0, durationMs: 0 });
    bench.engine.emit("flowing");
    return { ...bench, stream };
  }

  it("a stream is playing when it is requested, buffering while it connects, and playing when its audio runs", async () => {
    const bench = createPlaybackBench();
    expect(await bench.playback.play({ url })).toMatchObject({
      state: "playing",
      mode: "stream",
      duration: 0,
      track: "",
    });
    await bench.clock.advance(500);
    expect(bench.playback.status()).toMatchObject({ state: "buffering", underrun_count: 0 });
    bench.streams[0]?.send({ type: "ready", location: "http://127.0.0.1:1/a" });
    expect(bench.engine.loads).toEqual([
      { location: "http://127.0.0.1:1/a", positionMs: 0, isPaused: false, isLive: true },
    ]);
    bench.engine.emit("flowing");
    expect(bench.playback.status()).toMatchObject({ state: "playing", source: { type: "stream", url, name: "" } });
  });

  it("shows its title and the time of the next retry", async () => {
    const bench = await listening();
    bench.stream.send({ type: "title", title: "سورة الكهف" });
    bench.stream.send({ type: "waiting", retryInMs: 1000 });
    expect(bench.playback.status()).toMatchObject({ title: "سورة الكهف", retry_in_s: 1 });
    bench.stream.send({ type: "connected" });
    expect(bench.playback.status().retry_in_s).toBeNull();
    expect(bench.emitted).toContainEqual({ type: "metadata", data: { title: "سورة الكهف" } });
  });

  it("a stream is fetched again when it ends, and counts as an underrun once it is silent", async () => {
    const bench = await listening();
    bench.engine.emit("ended");
    expect(bench.stream.calls).toEqual(["reconnect"]);
    await bench.clock.advance(500);
    expect(bench.playback.status()).toMatchObject({ state: "buffering", mode: "stream", underrun_count: 1 });
  });

  it("a stream is closed by a pause and fetched again by resume", async () => {
    const bench = await listening();
    bench.playback.pause();
    expect(bench.stream.calls).toEqual(["close"]);
    expect(bench.playback.status()).toMatchObject({ state: "paused", mode: "stream", hasResumeState: false });
    bench.playback.resume();
    expect(bench.streams).toHaveLength(2);
    await bench.clock.advance(500);
    expect(bench.playback.status()).toMatchObject({ state: "buffering", underrun_count: 0 });
  });

  it("stops with an error event after its last retry", async () => {
    const bench = await listening();
    const problem = Object.assign(new Error("url: no answer for 30 minutes"), { kind: "unavailable" }) as never;
    bench.stream.send({ type: "failed", problem });
    expect(bench.playback.status()).toMatchObject({ state: "stopped", mode: "idle" });
    expect(bench.emitted.at(-1)).toEqual({
      type: "error",
      data: { code: "stream", message: "url: no answer for 30 minutes" },
    });
  });

  it("emits nothing after it was replaced", async () => {
    const bench = await listening();
    await bench.playback.play({ path: "Husary/002.mp3" });
    expect(bench.stream.calls).toEqual(["close"]);
    bench.stream.send({ type: "ready", location: "http://127.0.0.1:1/b" });
    bench.stream.send({ type: "title", title: "late" });
    expect(bench.engine.loads.at(-1)?.location).toBe("/card/Husary/002.mp3");
    expect(bench.playback.status().title).toBe("");
  });
});
