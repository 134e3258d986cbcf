import { describe, expect, it } from "vitest";
import { reportGroups } from "./card-reports.ts";
import { JUZ_STARTS } from "./juz.ts";
import { buildReciterAddress, parseReciter } from "./library-address.ts";

describe("juz", () => {
  it("lists thirty juz starts in order", () => {
    expect(JUZ_STARTS).toHaveLength(30);
    const places = JUZ_STARTS.map(([surah, verse]) => surah * 1000 + verse);
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  });

  it("matches the juz starts of the Madinah mushaf", () => {
    expect(JUZ_STARTS[0]).toEqual([1, 1]);
    expect(JUZ_STARTS[14]).toEqual([17, 1]);
    expect(JUZ_STARTS[28]).toEqual([67, 1]);
    expect(JUZ_STARTS[29]).toEqual([78, 1]);
  });
});

describe("the address of a reciter", () => {
  it.each(["Mishary Alafasy", "محمود خليل الحصري", "100% <b>?#", "a&b=c"])("preserves %s", (name) => {
    expect(parseReciter(buildReciterAddress(name))).toBe(name);
  });

  it("finds no reciter in the address of the list", () => {
    expect(parseReciter("/library")).toBeUndefined();
    expect(parseReciter("/library/")).toBeUndefined();
  });

  it("finds no reciter in a mistyped address", () => {
    expect(parseReciter("/library/%E0%A4%A")).toBe("%E0%A4%A");
  });
});

describe("reports of the card", () => {
  it("groups reports by reason, most frequent first", () => {
    expect(
      reportGroups([
        { path: "005.mp3", problem: "lies in no reciter's folder" },
        { path: "A/001001.mp3", problem: "six digits are a verse, not a whole surah" },
        { path: "A/001002.mp3", problem: "six digits are a verse, not a whole surah" },
        { path: "A/1.mp3", problem: "surah 1 is taken from 001.mp3" },
        { path: "B", problem: "cannot be read (EIO)" },
      ]),
    ).toEqual([
      { kind: "verse", paths: ["A/001001.mp3", "A/001002.mp3"] },
      { kind: "noFolder", paths: ["005.mp3"] },
      { kind: "double", paths: ["A/1.mp3"] },
      { kind: "unreadable", paths: ["B"] },
    ]);
  });
});
