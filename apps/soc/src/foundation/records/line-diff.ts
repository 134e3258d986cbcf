/** A line that both texts have (" "), only the first ("-"), or only the second ("+"). */
interface Step {
  sign: " " | "-" | "+";
  line: string;
}

const CONTEXT_LINES = 3;
/** Comparing costs the product of both lengths; beyond it, everything between the equal ends counts as replaced. */
const MAX_CELLS = 4_000_000;
const NO_NEWLINE = "\\ No newline at end of file";

/** The difference in the unified format of diff(1), without the names of files; "" for equal texts. */
export function formatUnifiedDiff(from: string, to: string): string {
  if (from === to) return "";
  const steps = compareLines(toLines(from), toLines(to));
  return splitHunks(steps)
    .map(([start, end]) => formatHunk(steps, start, end))
    .join("");
}

/** Each line with its end, so that a missing one at the end is a difference. */
function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compareLines(from: readonly string[], to: readonly string[]): Step[] {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1;
  return [
    ...toSteps(" ", from.slice(0, head)),
    ...compareMiddle(from.slice(head, from.length - tail), to.slice(head, to.length - tail)),
    ...toSteps(" ", from.slice(from.length - tail)),
  ];
}

function toSteps(sign: Step["sign"], lines: readonly string[]): Step[] {
  return lines.map((line) => ({ sign, line }));
}

/** By the longest common subsequence. */
function compareMiddle(from: readonly string[], to: readonly string[]): Step[] {
  if (from.length * to.length > MAX_CELLS) return [...toSteps("-", from), ...toSteps("+", to)];
  const lengths = measureCommon(from, to);
  const width = to.length + 1;
  const steps: Step[] = [];
  let row = 0;
  let column = 0;
  while (row < from.length || column < to.length) {
    const removed = from[row];
    const added = to[column];
    if (removed !== undefined && removed === added) {
      steps.push({ sign: " ", line: removed });
      row += 1;
      column += 1;
    } else if (
      added === undefined ||
      (removed !== undefined && lengthAt(lengths, row + 1, column, width) >= lengthAt(lengths, row, column + 1, width))
    ) {
      steps.push({ sign: "-", line: removed ?? "" });
      row += 1;
    } else {
      steps.push({ sign: "+", line: added });
      column += 1;
    }
  }
  return steps;
}

/** For each pair of places, how many lines the rests of both texts have in common. */
function measureCommon(from: readonly string[], to: readonly string[]): Uint32Array {
  const width = to.length + 1;
  const lengths = new Uint32Array((from.length + 1) * width);
  for (let row = from.length - 1; row >= 0; row -= 1) {
    for (let column = to.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        from[row] === to[column]
          ? lengthAt(lengths, row + 1, column + 1, width) + 1
          : Math.max(lengthAt(lengths, row + 1, column, width), lengthAt(lengths, row, column + 1, width));
    }
  }
  return lengths;
}

function lengthAt(lengths: Uint32Array, row: number, column: number, width: number): number {
  return lengths[row * width + column] ?? 0;
}

/** Changes that are at most six lines apart share a hunk. */
function splitHunks(steps: readonly Step[]): [start: number, end: number][] {
  const hunks: [number, number][] = [];
  for (const [place, { sign }] of steps.entries()) {
    if (sign === " ") continue;
    const start = Math.max(place - CONTEXT_LINES, 0);
    const end = Math.min(place + CONTEXT_LINES + 1, steps.length);
    const last = hunks.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else hunks.push([start, end]);
  }
  return hunks;
}

function formatHunk(steps: readonly Step[], start: number, end: number): string {
  const before = steps.slice(0, start);
  const hunk = steps.slice(start, end);
  const ranges = (["-", "+"] as const).map((sign) => {
    const isIn = (step: Step) => step.sign === " " || step.sign === sign;
    return `${sign}${formatRange(before.filter(isIn).length, hunk.filter(isIn).length)}`;
  });
  const lines = hunk.map(({ sign, line }) =>
    line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n${NO_NEWLINE}\n`,
  );
  return `@@ ${ranges.join(" ")} @@\n${lines.join("")}`;
}

/** As diff(1) writes it: an empty range names the line before it, and a length of one is left out. */
function formatRange(before: number, length: number): string {
  const first = length === 0 ? before : before + 1;
  return length === 1 ? `${first}` : `${first},${length}`;
}
