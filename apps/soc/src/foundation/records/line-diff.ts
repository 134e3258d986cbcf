import { compareLines, type DifferentLine } from "@kit/query/line-difference";

const CONTEXT_LINES = 3;
const SIGNS = { same: " ", removed: "-", added: "+" } as const;
const NO_NEWLINE = "\\ No newline at end of file";

/** Returns the difference in the unified format of diff(1), without file names; "" for equal texts. */
export function formatUnifiedDiff(from: string, to: string): string {
  if (from === to) return "";
  const steps = compareLines(toLines(from), toLines(to));
  return splitHunks(steps)
    .map(([start, end]) => formatHunk(steps, start, end))
    .join("");
}

/** Splits into lines with their terminators, so that a missing final newline is a difference. */
function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Changes that are at most six lines apart share a hunk. */
function splitHunks(steps: readonly DifferentLine[]): [start: number, end: number][] {
  const hunks: [number, number][] = [];
  for (const [place, { kind }] of steps.entries()) {
    if (kind === "same") continue;
    const start = Math.max(place - CONTEXT_LINES, 0);
    const end = Math.min(place + CONTEXT_LINES + 1, steps.length);
    const last = hunks.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else hunks.push([start, end]);
  }
  return hunks;
}

function formatHunk(steps: readonly DifferentLine[], start: number, end: number): string {
  const before = steps.slice(0, start);
  const hunk = steps.slice(start, end);
  const ranges = (["removed", "added"] as const).map((side) => {
    const isIn = ({ kind }: DifferentLine) => kind === "same" || kind === side;
    return `${SIGNS[side]}${formatRange(before.filter(isIn).length, hunk.filter(isIn).length)}`;
  });
  const lines = hunk.map(({ kind, text }) =>
    text.endsWith("\n") ? `${SIGNS[kind]}${text}` : `${SIGNS[kind]}${text}\n${NO_NEWLINE}\n`,
  );
  return `@@ ${ranges.join(" ")} @@\n${lines.join("")}`;
}

/** Formats a range as diff(1) does: an empty range names the line before it, and a length of one is omitted. */
function formatRange(before: number, length: number): string {
  const first = length === 0 ? before : before + 1;
  return length === 1 ? `${first}` : `${first},${length}`;
}
