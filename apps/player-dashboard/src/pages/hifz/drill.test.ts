import { describe, expect, it } from "vitest";
import { statusWith } from "../../../testing/playback-status.ts";
import {
  buildModeRequest,
  countSkipped,
  type Drill,
  findDrillProblem,
  findFirstSurah,
  playsFirst,
  toDrill,
} from "./drill.ts";

/** A reciter with only these surahs. */
const having = (...surahs: number[]) => Array.from({ length: 114 }, (_, at) => surahs.includes(at + 1));
const one: Drill = { scope: "surah", from: 78, to: 1, repeat: 0, pause_s: 20 };
const range: Drill = { scope: "range", from: 78, to: 80, repeat: 3, pause_s: 0 };

describe("drill", () => {
  it("builds a request that the device accepts", () => {
    expect(buildModeRequest(one)).toEqual({ mode: "hifz_repeat", repeat: 0, pause_s: 20 });
    expect(buildModeRequest(range)).toEqual({ mode: "hifz_ab", repeat: 3, pause_s: 0, ab: { from: 78, to: 80 } });
  });

  it("never requests an endless range, which would never leave its first surah", () => {
    expect(buildModeRequest({ ...range, repeat: 0 }).repeat).toBe(1);
  });

  it.each([
    ["one that is there", one, having(78), undefined],
    ["one that is missing", one, having(79), "missing"],
    ["a range of which one is there", range, having(80), undefined],
    ["a range without a file", range, having(77, 81), "empty"],
    ["a range from back to front", { ...range, from: 81 }, having(80, 81), "backwards"],
  ] as const)("refuses %s with the right reason", (_what, drill, available, refusal) => {
    expect(findDrillProblem(drill, available)).toBe(refusal);
  });

  it("starts with the first available surah and skips missing ones", () => {
    expect(findFirstSurah(range, having(1, 79))).toBe(79);
    expect(countSkipped(range, having(1, 79))).toBe(2);
  });

  it("plays before it sets a range when another reciter is current", () => {
    expect(playsFirst(range, "Husary", { reciter: "Alafasy" })).toBe(true);
    expect(playsFirst(range, "Husary", { reciter: "Husary" })).toBe(false);
    expect(playsFirst(one, "Husary", { reciter: "Alafasy" })).toBe(false);
  });

  it("starts from the current drill, or from the surah that was played last", () => {
    const hifz = { repeat_done: 1, repeat_target: 7, pause_s: 15, waiting: false, ab_start: 110, ab_end: 114 };
    expect(toDrill(statusWith({ advance_mode: "hifz_ab", surah_number: 112, hifz }))).toEqual({
      scope: "range",
      from: 110,
      to: 114,
      repeat: 7,
      pause_s: 15,
    });
    expect(toDrill(statusWith({ surah_number: 36 }))).toMatchObject({ scope: "surah", from: 36 });
  });
});
