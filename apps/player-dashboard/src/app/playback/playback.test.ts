import type { PlaybackStatus } from "@player/service/contract/playback";
import { describe, expect, it } from "vitest";
import { statusWith } from "../../../testing/playback-status.ts";
import type { Frame } from "../live/frame.ts";
import { type Announced, announcedAfter, secondsUntil } from "./announced.ts";
import { stateWords } from "./state-words.ts";
import { chooseStart } from "./transport.ts";

const hifz = { repeat_done: 1, repeat_target: 3, pause_s: 30, waiting: false };
const playing: Partial<PlaybackStatus> = { state: "playing", mode: "file", position: 60_000, duration: 62_000 };

describe("announced", () => {
  const nothing: Announced = { isAdhan: false };
  const at = (type: "playback", status: Partial<PlaybackStatus>): Frame => ({
    type,
    ts: 100_000,
    data: statusWith(status),
  });

  it("turns what remains into an instant of the device's clock", () => {
    const { sleepsAtMs, retriesAtMs } = announcedAfter(nothing, at("playback", { sleep_timer_s: 900, retry_in_s: 4 }));
    expect([sleepsAtMs, retriesAtMs]).toEqual([1_000_000, 104_000]);
  });

  it("keeps the end of the pause until it is over", () => {
    const gap = announcedAfter(nothing, { type: "hifz", ts: 100_000, data: { ...hifz, waiting: true, phase: "gap" } });
    expect(gap.gapEndsAtMs).toBe(130_000);
    const still = announcedAfter(gap, at("playback", { hifz: { ...hifz, waiting: true } }));
    expect(still.gapEndsAtMs).toBe(130_000);
    expect(announcedAfter(still, at("playback", { hifz })).gapEndsAtMs).toBeUndefined();
  });

  it("reports an adhan from its start to its end", () => {
    const started = announcedAfter(nothing, { type: "adhan", ts: 0, data: { phase: "started", prayer: "fajr" } });
    expect(started.isAdhan).toBe(true);
    expect(announcedAfter(started, { type: "adhan", ts: 0, data: { phase: "ended", prayer: "fajr" } }).isAdhan).toBe(
      false,
    );
  });

  it("counts whole seconds down to zero", () => {
    expect(secondsUntil(10_000, 6100)).toBe(4);
    expect(secondsUntil(10_000, 12_000)).toBe(0);
    expect(secondsUntil(undefined, 0)).toBeUndefined();
  });
});

describe("state in words", () => {
  const plain = { kind: "surah", isAdhan: false, retryInSeconds: undefined, gapSeconds: undefined } as const;

  it.each([
    [
      { ...plain, status: statusWith({ state: "buffering" }), retryInSeconds: 4 },
      "Buffering. Trying again in 4 seconds",
    ],
    [{ ...plain, status: statusWith({ state: "buffering" }) }, "Buffering…"],
    [{ ...plain, status: statusWith({ state: "paused" }) }, "Paused"],
    [{ ...plain, status: statusWith({}) }, "Stopped"],
    [{ ...plain, status: statusWith({ hifz: { ...hifz, repeat_done: 3 } }) }, "All rounds are done"],
    [
      { ...plain, status: statusWith({ ...playing, hifz: { ...hifz, waiting: true } }), gapSeconds: 1 },
      "Your turn · 1 second",
    ],
    [{ ...plain, kind: "call", status: statusWith({ ...playing, track: "a.mp3" }) }, "The adhan is playing"],
    [{ ...plain, kind: "call", isAdhan: true, status: statusWith(playing) }, "The adhan is playing"],
    [{ ...plain, kind: "call", status: statusWith(playing) }, "The built-in tone is playing"],
  ] as const)("of %j is %s", (situation, words) => {
    expect(stateWords(situation, "en")).toBe(words);
  });

  it("counts in Arabic as Arabic does", () => {
    const status = statusWith({ state: "buffering" });
    expect(stateWords({ ...plain, status, retryInSeconds: 4 }, "ar")).toContain("٤ ثوانٍ");
    expect(stateWords({ ...plain, status, retryInSeconds: 2 }, "ar")).toContain("ثانيتين");
  });
});

describe("the large button", () => {
  const stream = { type: "stream", url: "https://radio.example/live", name: "" } as const;

  it.each([
    ["pauses what plays", { state: "playing" }, { path: "/playback/pause" }],
    ["pauses what is still buffering", { state: "buffering" }, { path: "/playback/pause" }],
    ["goes on with what is paused", { state: "paused" }, { path: "/playback/resume" }],
    ["goes on where it stopped", { hasResumeState: true, track: "a/1.mp3" }, { path: "/playback/resume-saved" }],
    ["plays again what has ended", { track: "a/1.mp3" }, { path: "/playback/play", body: { path: "a/1.mp3" } }],
    [
      "plays the last station again",
      { source: stream, hasResumeState: true },
      {
        path: "/playback/play",
        body: { url: stream.url },
      },
    ],
    ["has nothing to do on a new device", {}, undefined],
  ] as const)("%s", (_what, status, start) => {
    expect(chooseStart(statusWith(status))).toEqual(start);
  });
});
