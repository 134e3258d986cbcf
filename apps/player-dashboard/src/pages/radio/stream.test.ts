import { describe, expect, it } from "vitest";
import { findStreamUrl, streamWords } from "./stream.ts";

const SILENT = { state: "buffering", retry_in_s: null, underrun_count: 0, position: 0 } as const;

describe("the stream's state in words", () => {
  it.each([
    [SILENT, 0, "Connecting…"],
    [{ ...SILENT, underrun_count: 1 }, 0, "Buffering…"],
    [{ ...SILENT, retry_in_s: 30 }, 0, "The station is not responding. Trying again in 30 seconds"],
    [{ ...SILENT, retry_in_s: 30 }, 28.5, "The station is not responding. Trying again in 2 seconds"],
    [{ ...SILENT, retry_in_s: 2 }, 1, "The station is not responding. Trying again in 1 second"],
    [{ ...SILENT, retry_in_s: 2 }, 9, "The station is not responding. Connecting…"],
    [{ ...SILENT, state: "paused", retry_in_s: 2 }, 0, "Paused"],
    [{ ...SILENT, state: "playing" }, 0, "Playing"],
  ] as const)("describes the state %j, %d s old, as %s", (status, agoS, words) => {
    expect(streamWords(status, agoS, "en")).toBe(words);
  });

  it.each([
    [2, "الإذاعة لا تستجيب. المحاولة التالية بعد ثانيتين"],
    [5, "الإذاعة لا تستجيب. المحاولة التالية بعد ٥ ثوانٍ"],
    [30, "الإذاعة لا تستجيب. المحاولة التالية بعد ٣٠ ثانية"],
  ])("formats %d seconds with Arabic plural forms", (retry_in_s, words) => {
    expect(streamWords({ ...SILENT, retry_in_s }, 0, "ar")).toBe(words);
  });
});

describe("the stream that the device is on", () => {
  const source = { type: "stream", url: "https://radio.example/live", name: "" } as const;

  it("the stream that the device is on has an address while it plays, buffers or is paused", () => {
    expect(findStreamUrl({ state: "buffering", source })).toBe("https://radio.example/live");
    expect(findStreamUrl({ state: "paused", source })).toBe("https://radio.example/live");
  });

  it("the stream that the device is on has no address when stopped, for a file, and before the first status", () => {
    expect(findStreamUrl({ state: "stopped", source })).toBeUndefined();
    expect(findStreamUrl({ state: "playing", source: { type: "file", path: "a.mp3" } })).toBeUndefined();
    expect(findStreamUrl(undefined)).toBeUndefined();
  });
});
