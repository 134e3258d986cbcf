import { expect, it } from "vitest";
import { movePath, moveRecitation } from "./card-move.ts";

const FILE = { kind: "file", from: "Husary/036.mp3", to: "Minshawi/037.mp3" } as const;
const FOLDER = { kind: "folder", from: "Husary", to: "Mahmoud Khalil Al-Husary" } as const;

it.each([
  [FILE, "Husary/036.mp3", "Minshawi/037.mp3"],
  [FILE, "Husary/037.mp3", undefined],
  [FILE, "Husary", undefined],
  [FOLDER, "Husary/036.mp3", "Mahmoud Khalil Al-Husary/036.mp3"],
  [FOLDER, "Husary", "Mahmoud Khalil Al-Husary"],
  [FOLDER, "Husary 2/036.mp3", undefined],
])("follows %j for the path %s to %s", (move, path, moved) => {
  expect(movePath(move, path)).toBe(moved);
});

it.each([
  [FILE, { reciter: "Husary", surah: 36 }, { reciter: "Minshawi", surah: 37 }],
  [FILE, { reciter: "Husary", surah: 37 }, undefined],
  [FOLDER, { reciter: "Husary", surah: 2 }, { reciter: "Mahmoud Khalil Al-Husary", surah: 2 }],
  [FOLDER, { reciter: "Minshawi", surah: 2 }, undefined],
  [{ ...FILE, to: "Adhan/makkah.mp3" }, { reciter: "Husary", surah: 36 }, undefined],
])("follows %j for the recitation %j to %j", (move, recitation, moved) => {
  expect(moveRecitation(move, recitation)).toEqual(moved);
});
