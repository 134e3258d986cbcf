import { expect, it } from "vitest";
import { STOPPED } from "../../testing/playback-status.ts";
import { isCall } from "./call.ts";

const KAHF = {
  mode: "file",
  track: "Husary/018.mp3",
  surah_number: 18,
  source: { type: "surah", reciter: "Husary", surah: 18 },
} as const;

it.each([
  ["above a surah", { ...KAHF, track: "adhan/makkah.mp3", surah_number: 0 }, true],
  ["above a station", { mode: "file", track: "adhan.mp3", source: { type: "stream", url: "x:y", name: "" } }, true],
  ["in silence", { mode: "file", track: "", source: null }, true],
  ["when a surah plays", KAHF, false],
  ["when all is stopped", { mode: "idle", source: null }, false],
] as const)("recognizes a call %s", (_where, status, isIt) => {
  expect(isCall({ ...STOPPED, ...status })).toBe(isIt);
});
