import { posix } from "node:path";
import { isTest } from "./layout.ts";
import type { Rule } from "./rule.ts";

const MAX_FILES = 25;
/** One file for each piece of hardware beside its simulated twin: their names are the index. */
const FLAT = "apps/player/src/drivers";
const SOURCE_FOLDER = /^(?:apps|packages)\/[^/]+\/src(?:\/|$)/;

export const folderSize: Rule = {
  name: "folders are small",
  because: "a reader takes in a folder at a glance; a prefix that many files share is a folder that was not made",
  check: ({ files }) => {
    const counts = new Map<string, number>();
    for (const { path } of files.filter((file) => !isTest(file.path))) {
      const folder = posix.dirname(path);
      if (SOURCE_FOLDER.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    return [...counts]
      .filter(([folder, count]) => folder !== FLAT && count > MAX_FILES)
      .map(([folder, count]) => `${folder}:1 holds ${count} source files, more than ${MAX_FILES}`);
  },
};
