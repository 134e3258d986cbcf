import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAutomaton } from "./automaton.ts";
import { createPlainText } from "./automaton-text.ts";

const toPlain = createPlainText();

function placesIn(texts: readonly string[], text: string): number[] {
  const found: number[] = [];
  createAutomaton(texts).scan(toPlain(text), found);
  return [...new Set(found)].toSorted((a, b) => a - b);
}

function naivePlaces(texts: readonly string[], text: string): number[] {
  return texts.flatMap((each, place) => (text.toLowerCase().includes(each) ? [place] : []));
}

describe("the automaton", () => {
  it("finds texts that are parts, prefixes and suffixes of each other", () => {
    expect(placesIn(["he", "she", "his", "hers", "e"], "usHERs")).toEqual([0, 1, 3, 4]);
    expect(placesIn(["he", "she"], "ooo")).toEqual([]);
  });

  it("finds long texts at each offset between two words that the sieve tests", () => {
    for (let before = 0; before < 40; before += 1) {
      expect(placesIn(["mimikatz", "sekurlsa::logonpasswords"], `${"x".repeat(before)}MimiKatz`)).toEqual([0]);
      expect(placesIn(["mimikatz.exe"], `${"m".repeat(before)}imikatz.exe`)).toEqual(before === 0 ? [] : [0]);
    }
  });

  // The Kelvin sign and the dotted capital I become ASCII in lower case.
  it("compares non-ASCII letters by their lower case", () => {
    expect(placesIn(["k", "in"], "\u212a")).toEqual([0]);
    expect(placesIn(["i", "mimikatz"], "\u0130 M\u0130MIKATZ")).toEqual([0, 1]);
    expect(placesIn(["kerberos"], `é \u212aerberos`)).toEqual([0]);
  });

  it("finds a text at the end of an input that exceeds the reused buffer", () => {
    expect(placesIn(["needle-in-a-haystack"], `${"h".repeat(70_000)}Needle-In-A-Haystack`)).toEqual([0]);
    expect(placesIn(["needle"], `${"é".repeat(70_000)}Needle`)).toEqual([0]);
    expect(placesIn(["needle"], `${"é".repeat(65_530)}Needle`)).toEqual([0]);
  });

  it.each([
    ["short", 1, 4],
    ["long", 7, 12],
  ])("finds every occurrence of %s texts", (_length, minLength, maxLength) => {
    const letter = fc.constantFrom("a", "b", "\\", ".", ":");
    const texts = fc.uniqueArray(fc.string({ unit: letter, minLength, maxLength }), { minLength: 1, maxLength: 12 });
    const part = fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "B", "\\", ".", ":", "é", "x") }),
      texts.map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, fc.array(part, { maxLength: 6 }), (wanted, parts) => {
        const text = [...parts, ...wanted.slice(0, 1)].join("").toUpperCase();
        const missed = naivePlaces(wanted, text).filter((place) => !placesIn(wanted, text).includes(place));
        expect(missed).toEqual([]);
        expect(placesIn(wanted, text).filter((place) => !naivePlaces(wanted, text).includes(place))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
