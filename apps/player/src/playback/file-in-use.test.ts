import { expect, it } from "vitest";
import { usesFile } from "./file-in-use.ts";

const find = (reciter: string, surah: number) => ({ path: `${reciter}/${String(surah).padStart(3, "0")}.mp3` });
const SURAH = { type: "surah", reciter: "Husary", surah: 36 } as const;

it.each([
  ["the file that plays", { state: "playing", track: "Husary/036.mp3", source: SURAH }, true],
  ["the file that is paused", { state: "paused", track: "Husary/036.mp3", source: SURAH }, true],
  ["the file under another spelling", { state: "playing", track: "HUSARY/036.MP3", source: null }, true],
  ["the recitation that an adhan interrupts", { state: "playing", track: "Adhan/makkah.mp3", source: SURAH }, true],
  [
    "the file that an adhan interrupts",
    {
      state: "playing",
      track: "",
      source: { type: "file", path: "Husary/036.mp3" },
    },
    true,
  ],
  ["a file that was stopped", { state: "stopped", track: "Husary/036.mp3", source: SURAH }, false],
  ["a file beside the one that plays", { state: "playing", track: "Husary/037.mp3", source: null }, false],
] as const)("reports for %s whether it is in use", (_title, status, isUsed) => {
  expect(usesFile(status, "Husary/036.mp3", find)).toBe(isUsed);
});
