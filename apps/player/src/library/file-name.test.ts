import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSurah, readFileName } from "./file-name.ts";

describe("a file name", () => {
  it.each([
    ["001.mp3", 1],
    ["1.mp3", 1],
    ["01 Al-Fatihah.mp3", 1],
    ["002 - Al-Baqarah.flac", 2],
    ["036_Yasin.ogg", 36],
    ["36-يس.opus", 36],
    ["099.m4a", 99],
    ["114.WAV", 114],
    ["surah_001.mp3", 1],
    ["Surah_114.Mp3", 114],
    ["surah-7.mp3", 7],
    ["001-007.mp3", 1],
    ["3.part.two.mp3", 3],
  ])("parses the surah of %s", (name, surah) => {
    expect(readFileName(name)).toEqual({ kind: "surah", surah });
    expect(parseSurah(name)).toBe(surah);
  });

  it.each([
    ["000.mp3", "000 is not a surah's number, 1 to 114"],
    ["115.mp3", "115 is not a surah's number, 1 to 114"],
    ["999.flac", "999 is not a surah's number, 1 to 114"],
    ["0001.mp3", "0001 is not a surah's number, 1 to 114"],
    ["20240101.mp3", "20240101 is not a surah's number, 1 to 114"],
    ["surah_115.mp3", "115 is not a surah's number, 1 to 114"],
    ["001001.mp3", "six digits are a verse, not a whole surah"],
    ["114006.mp3", "six digits are a verse, not a whole surah"],
    ["Al-Fatihah.mp3", "the name does not begin with a surah's number"],
    [" 001.mp3", "the name does not begin with a surah's number"],
    ["track 01.mp3", "the name does not begin with a surah's number"],
    ["001\n.mp3", "the name has control characters or a backslash"],
    ["001\\.mp3", "the name has control characters or a backslash"],
    ["001\u0085.mp3", "the name has control characters or a backslash"],
    ["001\uFFFD.mp3", "the name is not valid UTF-8"],
  ])("reports %j as strange, with the reason", (name, problem) => {
    expect(readFileName(name)).toEqual({ kind: "strange", problem });
    expect(parseSurah(name)).toBe(0);
  });

  it.each([["._001.mp3"], [".DS_Store"], [".001.mp3"], ["cover.jpg"], ["001.txt"], ["001mp3"], ["001.mp3.part"], [""]])(
    "ignores %j",
    (name) => {
      expect(readFileName(name)).toEqual({ kind: "other" });
    },
  );

  it("parses every surah number, whatever follows it", () => {
    const rest = fc.string({ unit: "grapheme" }).filter((text) => !/^\d|[\p{Cc}\\\uFFFD]/u.test(text));
    const number = fc.tuple(fc.integer({ min: 1, max: 114 }), fc.integer({ min: 1, max: 3 }));
    const extension = fc.constantFrom("mp3", "FLAC", "ogg", "Opus", "m4a", "wav");
    fc.assert(
      fc.property(
        number,
        fc.constantFrom("", "surah_", "SURAH "),
        rest,
        extension,
        ([surah, width], prefix, text, end) => {
          const digits = String(surah).padStart(width, "0");
          expect(parseSurah(`${prefix}${digits}${text}.${end}`)).toBe(surah);
        },
      ),
      { seed: 114, numRuns: 1000 },
    );
  });

  it("never returns an invalid surah number, for any name", () => {
    const numbered = fc.tuple(fc.constantFrom("", "surah_"), fc.nat().map(String), fc.string(), fc.constant(".mp3"));
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      numbered.map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(name, (text) => {
        const read = readFileName(text);
        expect(read.kind !== "surah" || (read.surah >= 1 && read.surah <= 114)).toBe(true);
      }),
      { seed: 36, numRuns: 5000 },
    );
  });
});
