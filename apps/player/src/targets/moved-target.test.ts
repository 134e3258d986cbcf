import { expect, it } from "vitest";
import { moveTarget } from "./moved-target.ts";

const MOVE = { kind: "file", from: "Husary/036.mp3", to: "Minshawi/037.mp3" } as const;

it.each([
  [
    { type: "surah", reciter: "Husary", surah: 36, volume: 30 },
    { type: "surah", reciter: "Minshawi", surah: 37, volume: 30 },
  ],
  [
    { type: "file", path: "Husary/036.mp3" },
    { type: "file", path: "Minshawi/037.mp3" },
  ],
  [
    {
      type: "sequence",
      steps: [
        { type: "command", command: "stop" },
        { type: "surah", reciter: "Husary", surah: 36 },
      ],
    },
    {
      type: "sequence",
      steps: [
        { type: "command", command: "stop" },
        { type: "surah", reciter: "Minshawi", surah: 37 },
      ],
    },
  ],
  [{ type: "surah", reciter: "Husary", surah: 1 }, undefined],
  [{ type: "file", path: "Husary/001.mp3" }, undefined],
  [{ type: "station", id: 1 }, undefined],
  [{ type: "sequence", steps: [{ type: "command", command: "stop" }] }, undefined],
] as const)("moves %j to %j with the file", (target, moved) => {
  const copy = target.type === "sequence" ? { ...target, steps: [...target.steps] } : target;
  expect(moveTarget(MOVE, copy)).toEqual(moved);
});
