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
  ])("with the content '%s' is no backup: %s", (text, why) => {
    expect(readBackup(text)).toEqual({ isBackup: false, why });
  });

  it("is a backup when one of the parts is in it", () => {
    expect(readBackup('{"cards":[]}')).toEqual({ isBackup: true, backup: { cards: [] } });
  });
});

describe("what is in it", () => {
  const backup = { prayer: {}, schedules: [1, 2, 3], settings: { device_name: "مجلس" }, favorites: [1], cards: [] };

  it("is listed part by part, in a fixed order", () => {
    expect(contentWords(backup, en, "en")).toEqual([
      "Settings of “\u2068مجلس\u2069”",
      "1 favorite",
      "No cards",
      "3 schedules",
      "Location, prayer times and adhan",
    ]);
    expect(contentWords({ stations: [1, 2] }, ar, "ar")).toEqual(["إذاعتان"]);
  });

  it("is handled even when it has the wrong shape", () => {
    expect(contentWords({ settings: null, favorites: "all" }, en, "en")).toEqual(["Settings", "No favorites"]);
  });

  it("is listed again after the restore", () => {
    expect(restoredWords(["settings", "prayer", "wishes"], en)).toEqual(["settings", "prayer settings", "wishes"]);
  });
});
