import { describe, expect, it } from "vitest";
import { versionWords } from "./version-words.ts";

const phrases = {
  runs: "{version}",
  runsUntilThen: "still {version}",
  updated: "{from} to {version}",
  stayed: "stays {version}",
};

describe("the version", () => {
  it.each([
    ["idle", false, undefined, "1.1"],
    ["downloading", true, undefined, "still 1.1"],
    ["installing", true, "1.0", "still 1.1"],
    ["rebooting", true, "1.0", "1.1"],
    ["confirming", true, "1.0", "1.1"],
    ["success", false, "1.0", "1.0 to 1.1"],
    ["success", false, "1.1", "1.1"],
    ["success", false, undefined, "1.1"],
    ["failed", false, "1.0", "stays 1.1"],
    ["rolled_back", false, "1.0", "stays 1.1"],
  ] as const)("describes the version in the status %s (%s, from %s) as %s", (status, in_progress, from, words) => {
    expect(versionWords({ status, in_progress }, { from, version: "1.1" }, phrases)).toBe(words);
  });
});
