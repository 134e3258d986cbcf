import type { PlaybackStatus } from "@player/service/contract/playback";
import { describe, expect, it } from "vitest";
import { statusWith } from "../../../testing/playback-status.ts";
import { callWords } from "./call-words.ts";
import { stateWords } from "./state-words.ts";
import { chooseStart } from "./transport.ts";

const hifz = { repeat_done: 1, repeat_target: 3, pause_s: 30, waiting: false };
const playing: Partial<PlaybackStatus> = { state: "playing", mode: "file", position: 60_000, duration: 62_000 };

describe("state in words", () => {
  const plain = { kind: "surah", adhan: undefined, retryInSeconds: undefined, gapSeconds: undefined } as const;

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
      "Your turn · 1 s",
    ],
    [{ ...plain, kind: "call", status: statusWith({ ...playing, track: "a.mp3" }) }, "The adhan is playing"],
    [{ ...plain, kind: "call", adhan: "fajr", status: statusWith(playing) }, "A short tone instead of the adhan"],
    [{ ...plain, kind: "call", status: statusWith(playing) }, "The built-in tone is playing"],
  ] as const)("describes the state %j as %s", (situation, words) => {
    expect(stateWords(situation, "en")).toBe(words);
  });

  it("uses Arabic plural forms in Arabic", () => {
    const status = statusWith({ state: "buffering" });
    expect(stateWords({ ...plain, status, retryInSeconds: 4 }, "ar")).toContain("٤ ثوانٍ");
    expect(stateWords({ ...plain, status, retryInSeconds: 2 }, "ar")).toContain("ثانيتين");
  });
});

describe("a call", () => {
  it.each([
    [{ track: "a.mp3", adhan: "isha" }, "Adhan · Isha", "أذان العشاء"],
    [{ track: "a.mp3", adhan: "test" }, "Adhan", "الأذان"],
    [{ track: "a.mp3", adhan: undefined }, "Adhan", "الأذان"],
    [{ track: "", adhan: "fajr" }, "Time for Fajr", "حان وقت الفجر"],
    [{ track: "", adhan: "test" }, "Tone", "نغمة"],
    [{ track: "", adhan: undefined }, "Tone", "نغمة"],
  ] as const)("titles a call of %j %s", (call, english, arabic) => {
    expect([callWords(call, "en").title, callWords(call, "ar").title]).toEqual([english, arabic]);
  });

  it.each(["fajr", "test"] as const)("calls a call without a recording (%s) a tone, not an adhan", (adhan) => {
    expect(callWords({ track: "", adhan }, "en").state).toBe("A short tone instead of the adhan");
    expect(callWords({ track: "", adhan }, "ar").state).toBe("نغمة قصيرة وليست أذانًا");
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
  ] as const)("chooses the action of the large button: %s", (_what, status, start) => {
    expect(chooseStart(statusWith(status))).toEqual(start);
  });
});
