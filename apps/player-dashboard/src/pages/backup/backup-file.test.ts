import { describe, expect, it } from "vitest";
import { contentWords, readBackup, restoredWords } from "./backup-file.ts";
import { backupPhrases } from "./backup-phrases.ts";

const { en, ar } = backupPhrases;

describe("a file", () => {
  it.each([
    ["", "unreadable"],
    ["<html>", "unreadable"],
    ["[]", "foreign"],
    ["null", "foreign"],
    ['{"name":"other"}', "foreign"],
  ])("rejects a file with the content '%s': %s", (text, why) => {
    expect(readBackup(text)).toEqual({ isBackup: false, why });
  });

  it("accepts a file that contains one of the parts", () => {
    expect(readBackup('{"cards":[]}')).toEqual({ isBackup: true, backup: { cards: [] } });
  });
});

describe("what is in it", () => {
  const backup = { prayer: {}, schedules: [1, 2, 3], settings: { device_name: "مجلس" }, favorites: [1], cards: [] };

  it("lists the content part by part, in a fixed order", () => {
    expect(contentWords(backup, en, "en")).toEqual([
      "Settings of “\u2068مجلس\u2069”",
      "1 favorite",
      "No cards",
      "3 schedules",
      "Location, prayer times and adhan",
    ]);
    expect(contentWords({ stations: [1, 2] }, ar, "ar")).toEqual(["إذاعتان"]);
  });

  it("handles parts of the wrong shape", () => {
    expect(contentWords({ settings: null, favorites: "all" }, en, "en")).toEqual(["Settings", "No favorites"]);
  });

  it("lists the restored parts", () => {
    expect(restoredWords(["settings", "prayer", "wishes"], en)).toEqual(["settings", "prayer settings", "wishes"]);
  });
});
