export interface DifferentLine {
  kind: "same" | "added" | "removed";
  text: string;
}

export interface LeftOutLines {
  kind: "gap";
  count: number;
}

/** Beyond this many lines the two texts are shown as wholly different: the table below grows with their product. */
const MAX_LINES = 2000;
/** Unchanged lines that stay around a change. */
const CONTEXT_LINES = 3;

/** How one text became the other, line by line, by the longest common subsequence. */
export function compareLines(before: string, after: string): DifferentLine[] {
  const former = before.split("\n");
  const later = after.split("\n");
  if (former.length > MAX_LINES || later.length > MAX_LINES) {
    return [...mark(former, "removed"), ...mark(later, "added")];
  }
  const common = countCommon(former, later);
  const lines: DifferentLine[] = [];
  let left = 0;
  let right = 0;
  while (left < former.length && right < later.length) {
    const text = former[left] ?? "";
    if (text === later[right]) {
      lines.push({ kind: "same", text });
      left += 1;
      right += 1;
    } else if ((common[left + 1]?.[right] ?? 0) >= (common[left]?.[right + 1] ?? 0)) {
      lines.push({ kind: "removed", text });
      left += 1;
    } else {
      lines.push({ kind: "added", text: later[right] ?? "" });
      right += 1;
    }
  }
  return [...lines, ...mark(former.slice(left), "removed"), ...mark(later.slice(right), "added")];
}

/** Leaves out what is the same, but for a few lines around each change. */
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

function mark(texts: readonly string[], kind: "added" | "removed"): DifferentLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** For each pair of places: how many lines the rests after them have in common. */
function countCommon(former: readonly string[], later: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: former.length + 1 }, () => new Uint16Array(later.length + 1));
  for (let left = former.length - 1; left >= 0; left -= 1) {
    const row = table[left];
    const below = table[left + 1];
    if (!row || !below) continue;
    for (let right = later.length - 1; right >= 0; right -= 1) {
      row[right] =
        former[left] === later[right] ? (below[right + 1] ?? 0) + 1 : Math.max(below[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return table;
}
