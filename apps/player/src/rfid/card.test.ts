import { expect, it } from "vitest";
import { isPlayable, parseUid, sourceKeyOf } from "./card.ts";

it.each([
  ["04a1b2c3", "04A1B2C3"],
  ["04:A1:B2:C3", "04A1B2C3"],
  ["04-a1-b2-c3-d4-e5-f6", "04A1B2C3D4E5F6"],
  ["04 A1 B2 C3 D4 E5 F6 07 18 FF", "04A1B2C3D4E5F60718FF"],
  ["04.a1.b2.c3", "04A1B2C3"],
])("parses the UID %s", (text, uid) => {
  expect(parseUid(text)).toBe(uid);
});

it.each([
  "",
  "04A1B2C",
  "04A1B2C3D4",
  "04A1B2C3D4E5F607",
  "04A1B2C3D4E5F60718FF00",
  "04A1B2CG",
  "04_A1_B2_C3",
  "04A1B2C3\n",
  // A ligature that becomes two letters in upper case.
  "04A1B2\uFB00",
])("does not accept %j as a UID", (text) => {
  expect(parseUid(text)).toBeUndefined();
});

it.each([
  [{ type: "surah", reciter: "Husary", surah: 2 }, true],
  [{ type: "resume" }, true],
  [{ type: "command", command: "next" }, false],
  [
    {
      type: "sequence",
      steps: [
        { type: "command", command: "volume", value: 30 },
        { type: "station", id: 1 },
      ],
    },
    true,
  ],
  [{ type: "sequence", steps: [{ type: "command", command: "stop" }] }, false],
] as const)("returns whether %j is playable", (target, expected) => {
  expect(isPlayable(structuredClone(target) as Parameters<typeof isPlayable>[0])).toBe(expected);
});

it("treats surahs of one reciter as one source, and everything else by its own identity", () => {
  const husary = sourceKeyOf({ type: "surah", reciter: "Husary", surah: 2 });
  expect(sourceKeyOf({ type: "surah", reciter: "Husary", surah: 3 })).toBe(husary);
  expect(sourceKeyOf({ type: "surah", reciter: "Minshawi", surah: 2 })).not.toBe(husary);
  expect(sourceKeyOf({ type: "file", path: "Husary" })).not.toBe(husary);
  const stream = sourceKeyOf({ type: "stream", url: "http://radio.example/a", name: "" });
  expect(sourceKeyOf({ type: "stream", url: "http://radio.example/b", name: "" })).not.toBe(stream);
});
