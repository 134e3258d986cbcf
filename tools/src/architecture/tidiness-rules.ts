import { posix } from "node:path";
import { isTest } from "./layout.ts";
import { fileRule, type Rule } from "./rule.ts";

const MAX_LINES = 400;
const MAX_LINES_OF_A_TEST = 600;
const HOMELESS = new Set(["common", "shared", "utils", "helpers", "misc", "core", "lib", "types"]);

const size = fileRule(
  "files are small",
  "a reader understands a file in one sitting; split it by sub-noun",
  ({ path, lineCount }) => {
    const max = isTest(path) ? MAX_LINES_OF_A_TEST : MAX_LINES;
    return lineCount > max ? [{ line: max + 1, message: `has ${lineCount} lines, more than ${max}` }] : [];
  },
);

const folders: Rule = {
  name: "every file has a home",
  because: "a folder for everything is a folder for nothing; a function lives in the feature that calls it",
  check: ({ paths }) =>
    paths
      .filter((path) => /^(apps|packages|tools|e2e)\//.test(path))
      .flatMap((path) => {
        const homeless = posix
          .dirname(path)
          .split("/")
          .find((folder) => HOMELESS.has(folder));
        return homeless ? [`${path}:1 '${homeless}' is not the name of a thing`] : [];
      }),
};

const indexes = fileRule("there is no index.ts", "an import names the file that holds the thing", ({ path }) =>
  /^index\.[cm]?[jt]sx?$/.test(posix.basename(path)) ? [{ line: 1, message: "name it after what it holds" }] : [],
);

const promises = fileRule(
  "a promise in a comment cites its decision",
  "a note to do something later is forgotten unless a decision record tracks it",
  ({ comments }, { paths }) =>
    comments
      .filter(({ text }) => /\b(TODO|FIXME)\b/.test(text))
      .filter(({ text }) => {
        const record = /\b\d{4}\b/.exec(text)?.[0];
        return !record || !paths.some((path) => path.startsWith(`docs/decisions/${record}-`));
      })
      .map(({ line }) => ({ line, message: "cites no record in docs/decisions" })),
);

const syntax = fileRule(
  "every file can be parsed",
  "a rule that cannot read a file would pass it",
  ({ syntaxErrors }) => syntaxErrors.map((message) => ({ line: 1, message })),
);

export const TIDINESS_RULES: readonly Rule[] = [size, folders, indexes, promises, syntax];
