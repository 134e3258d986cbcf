import type { PlaybackStatus } from "@player/service/contract/playback";
import { describe, expect, it } from "vitest";
import { statusWith } from "../../../testing/playback-status.ts";
import { describePlaying, findStreamName, formatSourceTitle } from "./playing.ts";

const unnamed = () => "";
const kahf: Partial<PlaybackStatus> = {
  state: "playing",
  mode: "file",
  track: "Husary/018.mp3",
  reciter: "Husary",
  surah_number: 18,
  source: { type: "surah", reciter: "Husary", surah: 18 },
};

describe("what is playing", () => {
  it("is a surah in both scripts, the page's own first", () => {
    expect(describePlaying(statusWith(kahf), "ar", unnamed)).toEqual({
      kind: "surah",
      title: "الكهف",
      otherTitle: "Al-Kahf",
      aside: "Husary",
    });
    expect(describePlaying(statusWith(kahf), "en", unnamed)).toMatchObject({ title: "Al-Kahf", otherTitle: "الكهف" });
  });

  it("is a station by its saved name, or by its host", () => {
    const url = "https://radio.example/live";
    const radio = statusWith({ state: "buffering", mode: "stream", source: { type: "stream", url, name: "" } });
    const named = (asked: string) => findStreamName(asked, [undefined, [{ url, name: "Cairo" }]]);
    expect(describePlaying(radio, "en", named)).toMatchObject({ kind: "stream", title: "Cairo" });
    expect(describePlaying(radio, "en", unnamed)).toMatchObject({ kind: "stream", title: "radio.example" });
  });

  it("is a plain file by its name", () => {
    const path = "Lessons/tajweed.mp3";
    const status = statusWith({ state: "playing", mode: "file", track: path, source: { type: "file", path } });
    expect(describePlaying(status, "en", unnamed)).toMatchObject({ kind: "file", title: "tajweed.mp3" });
  });

  it("is nothing on a device that never played", () => {
    expect(describePlaying(statusWith({}), "en", unnamed).kind).toBe("nothing");
  });

  it("names what resumes after the adhan", () => {
    expect(formatSourceTitle({ type: "surah", reciter: "Husary", surah: 36 }, "ar")).toBe("يس");
    expect(formatSourceTitle(null, "ar")).toBe("");
  });
});
