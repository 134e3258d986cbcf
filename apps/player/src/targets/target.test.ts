import { Problem } from "@kit/problem";
import fc from "fast-check";
import Value from "typebox/value";
import { describe, expect, it } from "vitest";
import { Target } from "./target.schema.ts";
import { parseTextTarget, readTarget } from "./target.ts";

const MODE = { mode: "hifz_ab", repeat: 3, pause_s: 5, ab: { from: 78, to: 114 } };

const almost = fc.record(
  {
    type: fc.constantFrom("surah", "stream", "station", "favorite", "file", "resume", "command", "sequence"),
    reciter: fc.string(),
    surah: fc.integer({ min: 0, max: 115 }),
    id: fc.integer(),
    path: fc.string(),
    volume: fc.integer({ min: -1, max: 101 }),
    command: fc.constantFrom("toggle", "volume", "mode", "sleep_timer", "next"),
    value: fc.jsonValue(),
    steps: fc.jsonValue(),
  },
  { requiredKeys: ["type"] },
);

describe("a target", () => {
  it.each([
    { type: "surah", reciter: "Husary", surah: 18 },
    { type: "surah", reciter: "Husary", surah: 18, volume: 40, mode: MODE },
    { type: "stream", url: "https://radio.example/live", name: "Radio" },
    { type: "station", id: 3 },
    { type: "favorite", id: 4, volume: 0 },
    { type: "file", path: "Husary/018.mp3", mode: { mode: "repeat_one" } },
    { type: "resume" },
    { type: "command", command: "toggle" },
    { type: "command", command: "volume", value: 30 },
    { type: "command", command: "mode", value: MODE },
    { type: "command", command: "sleep_timer", value: 45 },
    { type: "sequence", steps: [{ type: "command", command: "stop" }, { type: "resume" }] },
  ])("a target is read unchanged: %j", (target) => {
    expect(readTarget("binding", target)).toEqual(target);
  });

  it("loses unknown fields, at every depth, and keeps the fields of its own kind", () => {
    const read = readTarget("binding", {
      type: "stream",
      url: "http://radio.example/",
      path: "x.mp3",
      mode: { mode: "off", speed: 2, ab: { from: 1, to: 2, by: 1 } },
    });
    expect(read).toEqual({
      type: "stream",
      url: "http://radio.example/",
      name: "",
      mode: { mode: "off", ab: { from: 1, to: 2 } },
    });
  });

  it.each([
    [null, "binding: must be an object"],
    ["Husary/018.mp3", "binding: must be an object"],
    [[], "binding: must be an object"],
    [{}, "binding.type: must be one of surah, stream, station, favorite, file, resume, command, sequence"],
    [{ type: "constructor" }, "binding.type: must be one of"],
    [{ type: "surah", reciter: "Husary", surah: 115 }, "binding.surah: must be an integer from 1 to 114"],
    [{ type: "surah", surah: 1 }, "binding.reciter: is required"],
    [{ type: "surah", reciter: "a\u0000b", surah: 1 }, "binding.reciter: must not contain control characters"],
    [{ type: "station", id: "3" }, "binding.id: must be an integer from 1"],
    [{ type: "file", path: "" }, "binding.path: must be a text of 1 to 4096 characters"],
    [{ type: "resume", volume: 101 }, "binding.volume: must be an integer from 0 to 100"],
    [{ type: "resume", volume: null }, "binding.volume: must be an integer from 0 to 100"],
    [{ type: "resume", mode: { mode: "off", pause_s: -1 } }, "binding.mode.pause_s: must be an integer from 0 to 600"],
    [{ type: "resume", mode: "off" }, "binding.mode: must be an object"],
    [{ type: "command", command: "dance" }, "binding.command: must be one of toggle, pause, stop, next, prev,"],
    [{ type: "command", command: "volume" }, "binding.value: is required"],
    [{ type: "command", command: "sleep_timer", value: 241 }, "binding.value: must be an integer from 0 to 240"],
    [{ type: "command", command: "mode", value: {} }, "binding.value.mode: is required"],
    [{ type: "sequence", steps: [] }, "binding.steps: must be a list of 1 to 8 items"],
    [{ type: "sequence", steps: Array(9).fill({ type: "resume" }) }, "binding.steps: must be a list of 1 to 8 items"],
    [
      { type: "sequence", steps: [{ type: "resume" }, { type: "command", command: "next" }] },
      "binding.steps.0: only the last step may be playable",
    ],
    [
      { type: "sequence", steps: [{ type: "sequence", steps: [{ type: "resume" }] }] },
      "binding.steps.0.type: must be one of surah, stream, station, favorite, file, resume, command",
    ],
  ])("a target is refused with %j", (value, message) => {
    expect(() => readTarget("binding", value)).toThrow(message);
  });

  it("a target is either valid or refused with a Problem, for any input", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), almost), (value) => {
        try {
          expect(Value.Check(Target, readTarget("target", value))).toBe(true);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          expect(error.kind).toBe("invalid");
          expect(error.message).toMatch(/^target/);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

it.each([
  ["Husary/018.mp3", { type: "file", path: "Husary/018.mp3" }],
  ["https://radio.example/", { type: "stream", url: "https://radio.example/", name: "" }],
  ["HTTP://radio.example/", { type: "stream", url: "HTTP://radio.example/", name: "" }],
  ["http.mp3", { type: "file", path: "http.mp3" }],
])("parses the text %s as %j", (text, target) => {
  expect(parseTextTarget(text)).toEqual(target);
});
