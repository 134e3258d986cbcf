import type { DifferentLine } from "@kit/query/line-difference";

export interface LeftOutLines {
  kind: "gap";
  count: number;
}

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 3;

/** Folds unchanged lines except for a few around each change. */
export function foldSame(lines: readonly DifferentLine[]): (DifferentLine | LeftOutLines)[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(({ kind }) => kind !== "same");
  const folded: (DifferentLine | LeftOutLines)[] = [];
  for (const [index, line] of lines.entries()) {
    const last = folded.at(-1);
    if (isNear(index)) folded.push(line);
    else if (last?.kind === "gap") last.count += 1;
    else folded.push({ kind: "gap", count: 1 });
  }
  return folded;
}
