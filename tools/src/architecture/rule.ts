import type { SourceFile } from "./source-file.ts";
import type { Tree } from "./tree.ts";

export interface Rule {
  name: string;
  because: string;
  /** Each violation as `path:line message`. */
  check: (tree: Tree) => string[];
}

export interface Finding {
  line: number;
  message: string;
}

/** A rule that looks at one file at a time. */
export function fileRule(name: string, because: string, findingsIn: (file: SourceFile, tree: Tree) => Finding[]): Rule {
  return {
    name,
    because,
    check: (tree) =>
      tree.files.flatMap((file) =>
        findingsIn(file, tree).map(({ line, message }) => `${file.path}:${line} ${message}`),
      ),
  };
}
