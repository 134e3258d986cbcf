import { describe, expect, it } from "vitest";
import { createScanBuilder, mayBeReciter, type Scan } from "./scan.ts";

const found = (...names: string[]) => names.map((name) => ({ name, absolute: `/card/x/${name}` }));

function scanFolders(folders: Record<string, readonly string[]>): Scan {
  const builder = createScanBuilder();
  for (const [path, names] of Object.entries(folders)) {
    if (builder.accepts(path)) builder.addFolder(path, { files: found(...names), folders: [], problems: [] });
  }
  return builder.build();
}

describe("a scan", () => {
  it("assigns every surah to its place", () => {
    const husary = scanFolders({ Husary: ["114.mp3", "001 Al-Fatihah.mp3"] }).reciters.get("Husary");
    expect(husary).toMatchObject({ name: "Husary", path: "Husary", surah_count: 2 });
    expect(husary?.files).toHaveLength(114);
    expect(husary?.files[0]).toEqual({
      absolute: "/card/x/001 Al-Fatihah.mp3",
      path: "Husary/001 Al-Fatihah.mp3",
      reciter: "Husary",
      surah: 1,
    });
    expect(husary?.files[113]?.surah).toBe(114);
    expect(husary?.files[1]).toBeUndefined();
  });

  it.each([[["001.mp3", "1.mp3", "001 b.flac"]], [["1.mp3", "001 b.flac", "001.mp3"]]])(
    "uses the first of several by name and reports the others, in whatever order they are read: %j",
    (names) => {
      const { reciters, reports } = scanFolders({ Husary: names });
      expect(reciters.get("Husary")?.files[0]?.path).toBe("Husary/001 b.flac");
      expect(reports).toEqual([
        { path: "Husary/001.mp3", problem: "surah 1 is taken from 001 b.flac" },
        { path: "Husary/1.mp3", problem: "surah 1 is taken from 001 b.flac" },
      ]);
    },
  );

  it("a scan does not list a folder without any surah, but reports its problems", () => {
    const { reciters, reports } = scanFolders({ Music: ["song.mp3", "cover.jpg"], Photos: ["a.jpg"] });
    expect(reciters.size).toBe(0);
    expect(reports).toEqual([{ path: "Music/song.mp3", problem: "the name does not begin with a surah's number" }]);
  });

  it("reports folders inside a reciter's folder, and surahs outside of any folder", () => {
    const builder = createScanBuilder();
    builder.addTop({ files: found("adhan.mp3", "002.mp3"), problems: [] });
    builder.addFolder("Husary", { files: found("001.mp3"), folders: found("Disc 2"), problems: [] });
    expect(builder.build().reports).toEqual([
      { path: "002.mp3", problem: "lies in no reciter's folder" },
      { path: "Husary/Disc 2", problem: "a folder inside a reciter's folder is not read" },
    ]);
  });

  it("identifies a reciter by the composed name and keeps the path as it is on the card", () => {
    const decomposed = "Re\u0301citateur";
    const composed = "R\u00E9citateur";
    const { reciters, reports } = scanFolders({ [decomposed]: ["001.mp3"], [composed]: ["002.mp3"] });
    expect(reciters.get(composed)).toMatchObject({ name: composed, path: decomposed, surah_count: 1 });
    expect(reports).toEqual([{ path: composed, problem: "another folder has the same name" }]);
  });

  it("reports folders whose names clients cannot request", () => {
    expect(scanFolders({ "bro\uFFFDken": ["001.mp3"], "two\nlines": ["001.mp3"] }).reports).toEqual([
      { path: "bro\uFFFDken", problem: "the name is not valid UTF-8" },
      { path: "two\nlines", problem: "the name has control characters or a backslash" },
    ]);
  });

  it("reports at most 20 problems of a folder and 200 in all, and how many it left off", () => {
    const verses = Array.from({ length: 6236 }, (_, index) => `${String(index).padStart(6, "0")}.mp3`);
    const folders = Array.from({ length: 12 }, (_, index) => [`reciter ${10 + index}`, verses] as const);
    const { reports, reports_left_off } = scanFolders(Object.fromEntries(folders));
    expect(reports).toHaveLength(200);
    expect(reports[20]?.path).toBe("reciter 11/000000.mp3");
    expect(reports_left_off).toBe(12 * 6236 - 200);
  });

  it("reads at most 1,000 folders and reports the rest", () => {
    const names = Array.from(
      { length: 1002 },
      (_, index) => [`r${String(index).padStart(4, "0")}`, ["001.mp3"]] as const,
    );
    const { reciters, reports } = scanFolders(Object.fromEntries(names));
    expect(reciters.size).toBe(1000);
    expect(reports).toEqual([
      { path: "r1000", problem: "only 1000 folders are read" },
      { path: "r1001", problem: "only 1000 folders are read" },
    ]);
  });

  it("reads at most 200,000 files and reports the rest", () => {
    const many = Array.from({ length: 20_000 }, () => "001.txt");
    const names = Array.from({ length: 11 }, (_, index) => [`r${10 + index}`, many] as const);
    expect(scanFolders(Object.fromEntries(names)).reports).toEqual([
      { path: "r20", problem: "only 200000 files are read" },
    ]);
  });
});

it.each([
  ["Husary", true],
  ["محمود خليل الحصري", true],
  ["Lost and found", true],
  [".Trashes", false],
  ["System Volume Information", false],
  ["SYSTEM VOLUME INFORMATION", false],
  ["$RECYCLE.BIN", false],
  ["lost+found", false],
  ["LOST.DIR", false],
  ["FOUND.000", false],
])("treats the folder %s as a reciter: %s", (folder, expected) => {
  expect(mayBeReciter(folder)).toBe(expected);
});
