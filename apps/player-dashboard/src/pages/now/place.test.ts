import type { PlaybackStatus } from "@player/service/contract/playback";
import { describe, expect, it } from "vitest";
import { statusWith } from "../../../testing/playback-status.ts";
import { positionNow } from "./place.ts";

const hifz = { repeat_done: 1, repeat_target: 3, pause_s: 30, waiting: false };
const playing: Partial<PlaybackStatus> = { state: "playing", mode: "file", position: 60_000, duration: 62_000 };

describe("position", () => {
  it("advances during playback and stays inside the file", () => {
    expect(positionNow(statusWith(playing), 1500)).toBe(61_500);
    expect(positionNow(statusWith(playing), 5000)).toBe(62_000);
  });

  it.each([
    ["paused", { ...playing, state: "paused" }, 1500],
    ["in the pause between two rounds", { ...playing, hifz: { ...hifz, waiting: true } }, 1500],
    ["older than twelve seconds", playing, 60_000],
  ] as const)("stays the same when it is %s", (_why, status, ageMs) => {
    expect(positionNow(statusWith(status), ageMs)).toBe(60_000);
  });
});
