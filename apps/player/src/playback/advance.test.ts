import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AdvanceMode, afterEnd, afterFailure, findNeighbour, parseAdvanceMode, toModeRequest } from "./advance.ts";

/** A card that has exactly these surahs. */
const having = (...surahs: number[]) => Array.from({ length: 114 }, (_, slot) => surahs.includes(slot + 1));
const at = (surah: number, ...surahs: number[]) => ({ surah, available: having(...surahs) });

const OFF: AdvanceMode = { mode: "off" };
const CONTINUOUS: AdvanceMode = { mode: "continuous" };
const REPEAT_ONE: AdvanceMode = { mode: "repeat_one" };
const hifzRepeat = (repeat: number, pause_s = 0): AdvanceMode => ({ mode: "hifz_repeat", repeat, pause_s });
const hifzAb = (from: number, to: number, repeat = 1, pause_s = 0): AdvanceMode => ({
  mode: "hifz_ab",
  repeat,
  pause_s,
  from,
  to,
});
const STOP = { step: "stop" };
const again = (pause_s = 0) => ({ step: "again", pause_s });
const surah = (number: number, pause_s = 0) => ({ step: "surah", surah: number, pause_s });

describe("after the end of a surah", () => {
  it.each([
    ["off stops", OFF, 0, at(2, 1, 2, 3), STOP],
    ["continuous plays the next surah", CONTINUOUS, 0, at(2, 1, 2, 3), surah(3)],
    ["continuous skips missing surahs", CONTINUOUS, 0, at(2, 2, 77), surah(77)],
    ["continuous stops after the last", CONTINUOUS, 0, at(77, 2, 77), STOP],
    ["continuous stops after a file that is not a surah", CONTINUOUS, 0, undefined, STOP],
    ["repeat_one repeats", REPEAT_ONE, 7, at(2, 2), again()],
    ["repeat_one repeats a file that is not a surah", REPEAT_ONE, 0, undefined, again()],
    ["hifz_repeat repeats with its pause", hifzRepeat(3, 5), 2, at(2, 2), again(5)],
    ["hifz_repeat stops when all play-throughs are done", hifzRepeat(3, 5), 3, at(2, 2), STOP],
    ["hifz_repeat 1 plays once", hifzRepeat(1), 1, at(2, 2), STOP],
    ["hifz_repeat 0 is endless", hifzRepeat(0), 100_000, at(2, 2), again()],
    ["hifz_ab plays the surah again first", hifzAb(2, 4, 3, 6), 2, at(2, 2, 3, 4), again(6)],
    ["hifz_ab plays the next in the range", hifzAb(2, 4, 3, 6), 3, at(2, 2, 3, 4), surah(3, 6)],
    ["hifz_ab skips missing surahs", hifzAb(2, 9), 1, at(2, 2, 7, 10), surah(7)],
    ["hifz_ab wraps from to back to from", hifzAb(2, 4), 1, at(4, 2, 3, 4), surah(2)],
    ["hifz_ab wraps past missing surahs", hifzAb(2, 4), 1, at(4, 3, 4), surah(3)],
    ["hifz_ab of one surah repeats it", hifzAb(2, 2), 1, at(2, 2), surah(2)],
    ["hifz_ab begins the range after a surah below it", hifzAb(5, 6, 9), 1, at(2, 2, 5, 6), surah(5)],
    ["hifz_ab begins the range after a surah above it", hifzAb(5, 6, 9), 1, at(100, 6, 100), surah(6)],
    ["hifz_ab stops when the range has no file", hifzAb(5, 6), 1, at(2, 2), STOP],
    ["hifz_ab stops after a file that is not a surah", hifzAb(5, 6), 1, undefined, STOP],
  ] as const)("%s", (_name, mode, repeat_done, listening, expected) => {
    expect(afterEnd(mode, repeat_done, listening)).toEqual(expected);
  });

  it("plays every surah of a range equally often, without end, whatever is missing", () => {
    const range = fc.tuple(fc.integer({ min: 1, max: 114 }), fc.integer({ min: 1, max: 114 }));
    fc.assert(
      fc.property(
        range,
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean(), { minLength: 114, maxLength: 114 }),
        (bounds, repeat, available) => {
          const [from, to] = [Math.min(...bounds), Math.max(...bounds)];
          const inRange = available.flatMap((has, slot) =>
            has && slot + 1 >= from && slot + 1 <= to ? [slot + 1] : [],
          );
          const [first] = inRange;
          if (first === undefined) return;
          const playThroughs = new Map<number, number>();
          let current = first;
          let done = 0;
          for (let ends = 0; ends < inRange.length * repeat * 2; ends += 1) {
            playThroughs.set(current, (playThroughs.get(current) ?? 0) + 1);
            done += 1;
            const next = afterEnd(hifzAb(from, to, repeat), done, { surah: current, available });
            if (next.step === "surah") [current, done] = [next.surah, 0];
            else expect(next.step).toBe("again");
          }
          expect([...playThroughs.keys()].toSorted((a, b) => a - b)).toEqual(inRange);
          expect(new Set(playThroughs.values())).toEqual(new Set([repeat * 2]));
        },
      ),
    );
  });
});

describe("after a file that cannot be played", () => {
  it.each([
    ["off stops", OFF, at(2, 2, 3), STOP],
    ["continuous tries the next", CONTINUOUS, at(2, 2, 3), surah(3)],
    ["repeat_one tries the same", REPEAT_ONE, at(2, 2, 3), again()],
    ["hifz_repeat tries the same immediately", hifzRepeat(3, 60), at(2, 2, 3), again()],
    ["hifz_ab tries the next in the range immediately", hifzAb(2, 3, 5, 60), at(3, 2, 3), surah(2)],
  ] as const)("%s", (_name, mode, listening, expected) => {
    expect(afterFailure(mode, listening)).toEqual(expected);
  });
});

describe("neighbours", () => {
  it.each([
    [1, 1, [1, 2], 2],
    [1, 1, [1, 114], 114],
    [114, 1, [1, 114], undefined],
    [114, -1, [1, 114], 1],
    [1, -1, [1, 2], undefined],
    [50, -1, [50], undefined],
  ] as const)("finds the neighbour of surah %i in direction %i among %j: %s", (from, direction, has, expected) => {
    expect(findNeighbour(at(from, ...has), direction)).toBe(expected);
  });
});

describe("a mode request", () => {
  it.each([
    [{ mode: "off" }, { mode: "off" }],
    [{ mode: "continuous", repeat: 7, pause_s: 9, ab: { from: 1, to: 2 } }, { mode: "continuous" }],
    [{ mode: "hifz_repeat" }, { mode: "hifz_repeat", repeat: 0, pause_s: 0 }],
    [
      { mode: "hifz_repeat", repeat: 3, pause_s: 10 },
      { mode: "hifz_repeat", repeat: 3, pause_s: 10 },
    ],
    [
      { mode: "hifz_ab", ab: { from: 2, to: 2 } },
      { mode: "hifz_ab", repeat: 1, pause_s: 0, from: 2, to: 2 },
    ],
  ] as const)("parses %j as %j", (request, expected) => {
    expect(parseAdvanceMode(request)).toEqual(expected);
    expect(parseAdvanceMode(toModeRequest(parseAdvanceMode(request)))).toEqual(expected);
  });

  it.each([
    [{ mode: "hifz_ab" }, "ab: is required"],
    [{ mode: "hifz_ab", ab: { from: 3, to: 2 } }, "ab.from: must not be greater than ab.to"],
    [{ mode: "off", ab: { from: 3, to: 2 } }, "ab.from: must not be greater than ab.to"],
    [{ mode: "hifz_ab", repeat: 0, ab: { from: 2, to: 3 } }, "repeat: must be an integer from 1 to 1000"],
  ] as const)("refuses %j: %s", (request, message) => {
    expect(() => parseAdvanceMode(request)).toThrow(message);
  });
});
