import { describe, expect, it } from "vitest";
import { brief, createHandPlayback, flow, type Hand, MINUTE, playing } from "../../testing/hand-playback.ts";

describe("a file", () => {
  it("plays from its beginning and says so before the engine has caught up", async () => {
    const { playback, engine } = createHandPlayback();
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
      hasResumeState: true,
      source: { type: "surah", reciter: "Husary", surah: 2 },
      title: "",
      retry_in_s: null,
      sleep_timer_s: null,
      hifz_today: 0,
    });
    expect(engine.loads).toEqual([{ location: "/card/Husary/002.mp3", positionMs: 0, isPaused: false, isLive: false }]);
  });

  it("stops at its end and stays known, so that next works", async () => {
    const hand = await playing();
    hand.engine.tell("ended");
    expect(brief(hand)).toEqual({ state: "stopped", mode: "idle", position: 0, duration: 0, surah_number: 2 });
    expect(hand.playback.status()).toMatchObject({ track: "Husary/002.mp3", reciter: "Husary", hasResumeState: false });
    expect(await hand.playback.next()).toMatchObject({ state: "playing", surah_number: 5 });
  });

  it.each([
    ["next", "Husary/002.mp3", 5],
    ["prev", "Husary/002.mp3", 1],
    ["prev", "Husary/114.mp3", 5],
  ] as const)("goes %s of %s over gaps to surah %i", async (command, path, surah) => {
    const { playback } = await playing(path);
    expect(await playback[command]()).toMatchObject({ state: "playing", surah_number: surah, position: 0 });
  });

  it.each([
    ["next", "Husary/114.mp3", "surah_number: the reciter has no next surah on the card"],
    ["prev", "Husary/001.mp3", "surah_number: the reciter has no previous surah on the card"],
    ["next", "azan.mp3", "reciter: no surah of a reciter is current"],
  ] as const)("refuses %s at %s", async (command, path, message) => {
    const hand = await playing(path);
    await expect(hand.playback[command]()).rejects.toThrow(message);
    expect(brief(hand).state).toBe("playing");
  });

  it.each([
    [{}, "path: is required unless url is given"],
    [{ path: "Husary/002.mp3", url: "http://radio.example/" }, "path: must not come together with url"],
    [{ path: "Husary/003.mp3" }, "path: 'Husary/003.mp3' is not on the card"],
    [{ url: "http://localhost/" }, "url: must lead to a public address"],
  ])("refuses %j", async (request, message) => {
    const hand = await playing();
    await expect((async () => hand.playback.play(request))()).rejects.toThrow(message);
    expect(brief(hand)).toMatchObject({ state: "playing", surah_number: 2 });
  });

  it("is buffering after half a second without sound, and an underrun only if there had been some", async () => {
    const hand = createHandPlayback();
    await hand.playback.play({ path: "Husary/002.mp3" });
    await hand.clock.advance(400);
    expect(brief(hand).state).toBe("playing");
    await hand.clock.advance(100);
    expect(hand.playback.status()).toMatchObject({ state: "buffering", underrun_count: 0 });
    flow(hand, 0);
    expect(brief(hand).state).toBe("playing");
    hand.engine.tell("silent");
    await hand.clock.advance(500);
    expect(hand.playback.status()).toMatchObject({ state: "buffering", underrun_count: 1 });
  });
});

describe("pause, resume and stop", () => {
  it("freeze the place and let it go on", async () => {
    const hand = await playing();
    hand.engine.at({ positionMs: 12_000, durationMs: MINUTE });
    expect(hand.playback.pause()).toBe(true);
    expect(brief(hand)).toMatchObject({ state: "paused", mode: "file", position: 12_000 });
    expect(hand.playback.resume()).toBe(true);
    expect(brief(hand)).toMatchObject({ state: "playing", position: 12_000 });
    expect(hand.engine.commands.slice(-2)).toEqual(["pause", "resume"]);
    expect(hand.playback.stop()).toBe(true);
    expect(brief(hand)).toMatchObject({ state: "stopped", mode: "idle", position: 0 });
  });

  it("without effect say so, and every client hears of them all the same", async () => {
    const hand = createHandPlayback();
    expect([hand.playback.pause(), hand.playback.resume(), hand.playback.stop()]).toEqual([false, false, false]);
    expect(hand.told.map(({ type }) => type)).toEqual(["playback", "playback", "playback"]);
  });

  it("do not let a slow play that was asked for earlier begin after them", async () => {
    const hand = createHandPlayback();
    const slow = hand.playback.play({ path: "Husary/002.mp3" });
    hand.playback.stop();
    await slow;
    expect(brief(hand).state).toBe("stopped");
  });

  it("keep the later of two plays, whichever is found first", async () => {
    const hand = createHandPlayback();
    await Promise.all([hand.playback.play({ path: "Husary/002.mp3" }), hand.playback.play({ path: "Husary/005.mp3" })]);
    expect(brief(hand).surah_number).toBe(5);
  });
});

describe("seek", () => {
  it("moves, and past the end it goes to the end", async () => {
    const hand = await playing();
    expect(hand.playback.seek(30_000.4)).toMatchObject({ state: "playing", position: 30_000 });
    expect(hand.playback.seek(MINUTE * 9)).toMatchObject({ position: MINUTE });
    expect(hand.engine.commands.slice(1)).toEqual(["seek 30000.4", `seek ${MINUTE}`]);
  });

  it("moves while paused, and the file ends only when it is resumed", async () => {
    const hand = await playing();
    hand.playback.pause();
    expect(hand.playback.seek(MINUTE)).toMatchObject({ state: "paused", position: MINUTE });
    hand.engine.tell("ended");
    expect(brief(hand)).toMatchObject({ state: "paused", position: MINUTE });
    hand.playback.resume();
    expect(brief(hand).state).toBe("stopped");
  });

  it("before the engine has begun makes it begin there", async () => {
    const hand = createHandPlayback();
    await hand.playback.play({ path: "Husary/002.mp3" });
    hand.playback.seek(20_000);
    expect(hand.engine.loads.at(-1)).toMatchObject({ positionMs: 20_000 });
    expect(hand.engine.commands).not.toContain("seek 20000");
  });

  it("back from the end while paused makes it go on from there", async () => {
    const hand = await playing();
    hand.playback.pause();
    hand.playback.seek(MINUTE);
    hand.engine.tell("ended");
    hand.playback.seek(20_000);
    hand.playback.resume();
    expect(brief(hand)).toMatchObject({ state: "playing", position: 20_000 });
    expect(hand.engine.loads.at(-1)).toMatchObject({ positionMs: 20_000 });
  });

  it("is refused while stopped and on a live stream", async () => {
    const { playback } = createHandPlayback();
    expect(() => playback.seek(0)).toThrow("position: nothing is playing");
    await playback.play({ url: "http://radio.example/" });
    expect(() => playback.seek(0)).toThrow("position: a live stream has no position");
  });
});

describe("hifz", () => {
  it("repeats with a gap in which it is still playing, at the end, until all hearings are done", async () => {
    const hand = await playing();
    hand.playback.setMode({ mode: "hifz_repeat", repeat: 2, pause_s: 3 });
    hand.engine.at({ positionMs: MINUTE, durationMs: MINUTE });
    hand.engine.tell("ended");
    expect(hand.playback.status()).toMatchObject({
      state: "playing",
      position: MINUTE,
      duration: MINUTE,
      hifz: { repeat_done: 1, repeat_target: 2, pause_s: 3, waiting: true },
      hifz_today: 1,
    });
    await hand.clock.advance(2999);
    expect(hand.engine.loads).toHaveLength(1);
    await hand.clock.advance(1);
    expect(hand.engine.loads).toHaveLength(2);
    flow(hand, 0);
    expect(hand.playback.status().hifz).toEqual({ repeat_done: 1, repeat_target: 2, pause_s: 3, waiting: false });
    hand.engine.tell("ended");
    expect(brief(hand).state).toBe("stopped");
    const phases = hand.told.filter(({ type }) => type === "hifz").map(({ data }) => data);
    expect(phases).toMatchObject([{ phase: "gap" }, { phase: "playing" }, { phase: "done" }]);
  });

  it.each([
    ["pause", "paused"],
    ["stop", "stopped"],
  ] as const)("%s ends the gap", async (command, state) => {
    const hand = await inGap();
    hand.playback[command]();
    await hand.clock.advance(MINUTE);
    expect(brief(hand).state).toBe(state);
    expect(hand.playback.status().hifz?.waiting).toBe(false);
    expect(hand.engine.loads).toHaveLength(1);
  });

  it("saves the beginning of the next repetition in the gap", async () => {
    const hand = await inGap();
    hand.playback.stop();
    expect(await hand.playback.resumeSaved()).toMatchObject({ surah_number: 2, position: 0 });
  });

  it("resume after a pause in the gap starts the next repetition at once", async () => {
    const hand = await inGap();
    hand.playback.pause();
    hand.playback.resume();
    expect(hand.engine.loads).toHaveLength(2);
    expect(hand.playback.status()).toMatchObject({ state: "playing", position: 0, hifz: { repeat_done: 1 } });
  });

  it("resume in the gap starts the next repetition at once", async () => {
    const hand = await inGap();
    expect(hand.playback.resume()).toBe(true);
    expect(hand.engine.loads).toHaveLength(2);
    expect(hand.playback.status().hifz).toMatchObject({ repeat_done: 1, waiting: false });
    await hand.clock.advance(400);
    expect(hand.engine.loads).toHaveLength(2);
  });

  it("seek in the gap goes back into the surah", async () => {
    const hand = await inGap();
    expect(hand.playback.seek(5000)).toMatchObject({ state: "playing", position: 5000 });
    expect(hand.engine.loads.at(-1)).toMatchObject({ location: "/card/Husary/002.mp3", positionMs: 5000 });
    await hand.clock.advance(400);
    expect(hand.engine.loads).toHaveLength(2);
  });

  it("next in the gap goes to the next surah and counts anew", async () => {
    const hand = await inGap();
    await hand.playback.next();
    await hand.clock.advance(400);
    expect(hand.engine.loads).toHaveLength(2);
    expect(hand.playback.status()).toMatchObject({ surah_number: 5, hifz: { repeat_done: 0, waiting: false } });
  });

  it("walks a range over what is missing and wraps", async () => {
    const hand = await playing("Husary/002.mp3", { surahs: [2, 5] });
    hand.playback.setMode({ mode: "hifz_ab", ab: { from: 2, to: 9 } });
    const order: number[] = [];
    for (let ends = 0; ends < 4; ends += 1) {
      hand.engine.tell("ended");
      order.push(hand.playback.status().surah_number);
    }
    expect(order).toEqual([5, 2, 5, 2]);
    expect(hand.playback.status().hifz).toMatchObject({ ab_start: 2, ab_end: 9, repeat_target: 1 });
  });

  it("refuses a range that the current reciter has nothing of, and changes no state by any mode", async () => {
    const hand = await playing();
    expect(() => hand.playback.setMode({ mode: "hifz_ab", ab: { from: 6, to: 9 } })).toThrow("ab: the reciter has no");
    hand.playback.setMode({ mode: "repeat_one" });
    expect(brief(hand)).toMatchObject({ state: "playing", position: 0 });
    expect(hand.playback.mode()).toEqual({ mode: "repeat_one" });
  });

  async function inGap(): Promise<Hand> {
    const hand = await playing();
    hand.playback.setMode({ mode: "hifz_repeat", repeat: 0, pause_s: 10 });
    hand.engine.at({ positionMs: MINUTE, durationMs: MINUTE });
    hand.engine.tell("ended");
    expect(hand.playback.status().hifz?.waiting).toBe(true);
    return hand;
  }
});

describe("files that cannot be played", () => {
  it("are skipped while advancing", async () => {
    const hand = await playing();
    hand.playback.setMode({ mode: "continuous" });
    hand.engine.tell("ended");
    hand.engine.tell("failed", "no audio in it");
    expect(brief(hand)).toMatchObject({ state: "playing", surah_number: 114 });
  });

  it("stop it when five in a row fail, with an error event", async () => {
    const hand = await playing();
    hand.playback.setMode({ mode: "repeat_one" });
    for (let time = 0; time < 4; time += 1) hand.engine.tell("failed", "no audio in it");
    expect(brief(hand).state).toBe("playing");
    hand.engine.tell("failed", "no audio in it");
    expect(brief(hand).state).toBe("stopped");
    expect(hand.told.at(-1)).toEqual({ type: "error", data: { code: "file", message: "track: no audio in it" } });
  });

  it("stop it at once when nothing comes next", async () => {
    const hand = await playing();
    hand.engine.tell("failed", "no audio in it");
    expect(brief(hand).state).toBe("stopped");
  });
});

describe("an engine that dies", () => {
  it("is buffering until it is back at the last place", async () => {
    const hand = await playing();
    hand.engine.at({ positionMs: 21_000, durationMs: MINUTE });
    hand.engine.live({ type: "lost" });
    expect(brief(hand)).toMatchObject({ state: "buffering", position: 21_000, duration: MINUTE });
    hand.engine.live({ type: "back" });
    expect(hand.engine.loads.at(-1)).toMatchObject({ positionMs: 21_000 });
    flow(hand, 21_000);
    expect(hand.playback.status()).toMatchObject({ state: "playing", position: 21_000, underrun_count: 0 });
  });

  it("while paused stays paused, and resume loads the file again", async () => {
    const hand = await playing();
    hand.engine.at({ positionMs: 21_000, durationMs: MINUTE });
    hand.playback.pause();
    hand.engine.live({ type: "lost" });
    hand.engine.live({ type: "back" });
    expect(brief(hand)).toMatchObject({ state: "paused", position: 21_000 });
    hand.playback.resume();
    expect(hand.engine.loads.at(-1)).toMatchObject({ positionMs: 21_000 });
  });

  it("takes commands meanwhile and obeys the last of them when it is back", async () => {
    const hand = await playing();
    hand.engine.live({ type: "lost" });
    await hand.playback.play({ path: "Husary/005.mp3" });
    hand.playback.seek(7000);
    expect(hand.engine.loads).toHaveLength(1);
    hand.engine.live({ type: "back" });
    expect(hand.engine.loads.slice(1)).toMatchObject([{ location: "/card/Husary/005.mp3", positionMs: 7000 }]);
  });

  it("five times at the same place of a file is not given that file any more", async () => {
    const hand = await playing();
    hand.playback.setMode({ mode: "continuous" });
    for (let death = 0; death < 5; death += 1) {
      flow(hand, 21_000 + death * 10);
      hand.engine.live({ type: "lost" });
      hand.engine.live({ type: "back" });
    }
    expect(brief(hand)).toMatchObject({ state: "playing", surah_number: 5 });
  });

  it("twenty times at different places goes on with the file", async () => {
    const hand = await playing();
    for (let death = 0; death < 20; death += 1) {
      flow(hand, death * 1000);
      hand.engine.live({ type: "lost" });
      hand.engine.live({ type: "back" });
    }
    flow(hand, 19_000);
    expect(brief(hand)).toMatchObject({ state: "playing", surah_number: 2, position: 19_000 });
  });

  it("in a gap changes nothing", async () => {
    const hand = await playing();
    hand.playback.setMode({ mode: "hifz_repeat", pause_s: 5 });
    hand.engine.tell("ended");
    hand.engine.live({ type: "lost" });
    hand.engine.live({ type: "back" });
    expect(brief(hand).state).toBe("playing");
    await hand.clock.advance(5000);
    expect(hand.engine.loads).toHaveLength(2);
  });

  it("and does not come back stops with an error, keeps the place, and is started by the next play", async () => {
    const hand = await playing();
    hand.engine.at({ positionMs: 21_000, durationMs: MINUTE });
    hand.engine.live({ type: "lost" });
    hand.engine.live({ type: "gone", why: "audio: mpv does not start any more" });
    expect(hand.playback.status()).toMatchObject({ state: "stopped", hasResumeState: true });
    expect(hand.told.at(-1)).toEqual({
      type: "error",
      data: { code: "audio", message: "audio: mpv does not start any more" },
    });
    await hand.playback.resumeSaved();
    expect(hand.engine.commands.filter((command) => command === "start")).toHaveLength(2);
    expect(brief(hand)).toMatchObject({ state: "playing", position: 19_000 });
  });

  it("or is not there refuses every play by its name, and the next play tries again", async () => {
    const hand = createHandPlayback();
    hand.engine.refuseStart(new Error("audio: mpv is not installed"));
    await expect(hand.playback.play({ path: "Husary/002.mp3" })).rejects.toThrow("audio: mpv is not installed");
    expect(brief(hand).state).toBe("stopped");
    hand.engine.refuseStart(undefined);
    expect(await hand.playback.play({ path: "Husary/002.mp3" })).toMatchObject({ state: "playing" });
  });
});

describe("a stream", () => {
  const url = "http://radio.example/live";

  async function listening() {
    const hand = createHandPlayback();
    await hand.playback.play({ url });
    const [stream] = hand.streams;
    if (!stream) throw new Error("no stream was opened");
    stream.send({ type: "ready", location: "http://127.0.0.1:1/a" });
    hand.engine.at({ positionMs: 0, durationMs: 0 });
    hand.engine.tell("flowing");
    return { ...hand, stream };
  }

  it("is playing when it is asked for, buffering while it connects, playing when it is heard", async () => {
    const hand = createHandPlayback();
    expect(await hand.playback.play({ url })).toMatchObject({
      state: "playing",
      mode: "stream",
      duration: 0,
      track: "",
    });
    await hand.clock.advance(500);
    expect(hand.playback.status()).toMatchObject({ state: "buffering", underrun_count: 0 });
    hand.streams[0]?.send({ type: "ready", location: "http://127.0.0.1:1/a" });
    expect(hand.engine.loads).toEqual([
      { location: "http://127.0.0.1:1/a", positionMs: 0, isPaused: false, isLive: true },
    ]);
    hand.engine.tell("flowing");
    expect(hand.playback.status()).toMatchObject({ state: "playing", source: { type: "stream", url, name: "" } });
  });

  it("shows its title and when it is tried again", async () => {
    const hand = await listening();
    hand.stream.send({ type: "title", title: "سورة الكهف" });
    hand.stream.send({ type: "waiting", retryInMs: 1000 });
    expect(hand.playback.status()).toMatchObject({ title: "سورة الكهف", retry_in_s: 1 });
    hand.stream.send({ type: "connected" });
    expect(hand.playback.status().retry_in_s).toBeNull();
    expect(hand.told).toContainEqual({ type: "metadata", data: { title: "سورة الكهف" } });
  });

  it("that ends is fetched again, and counts as an underrun once it is silent", async () => {
    const hand = await listening();
    hand.engine.tell("ended");
    expect(hand.stream.calls).toEqual(["reconnect"]);
    await hand.clock.advance(500);
    expect(hand.playback.status()).toMatchObject({ state: "buffering", mode: "stream", underrun_count: 1 });
  });

  it("is let go by a pause and fetched anew by resume", async () => {
    const hand = await listening();
    hand.playback.pause();
    expect(hand.stream.calls).toEqual(["close"]);
    expect(hand.playback.status()).toMatchObject({ state: "paused", mode: "stream", hasResumeState: false });
    hand.playback.resume();
    expect(hand.streams).toHaveLength(2);
    await hand.clock.advance(500);
    expect(hand.playback.status()).toMatchObject({ state: "buffering", underrun_count: 0 });
  });

  it("that was given up is stopped with an error event", async () => {
    const hand = await listening();
    const problem = Object.assign(new Error("url: no answer for 30 minutes"), { kind: "unavailable" }) as never;
    hand.stream.send({ type: "failed", problem });
    expect(hand.playback.status()).toMatchObject({ state: "stopped", mode: "idle" });
    expect(hand.told.at(-1)).toEqual({
      type: "error",
      data: { code: "stream", message: "url: no answer for 30 minutes" },
    });
  });

  it("does not speak any more once it was replaced", async () => {
    const hand = await listening();
    await hand.playback.play({ path: "Husary/002.mp3" });
    expect(hand.stream.calls).toEqual(["close"]);
    hand.stream.send({ type: "ready", location: "http://127.0.0.1:1/b" });
    hand.stream.send({ type: "title", title: "late" });
    expect(hand.engine.loads.at(-1)?.location).toBe("/card/Husary/002.mp3");
    expect(hand.playback.status().title).toBe("");
  });
});
