export interface DifferentLine {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Comparing costs the product of both lengths; beyond it, everything between the equal ends counts as replaced. */
const MAX_CELLS = 4_000_000;

/** How one list of lines became the other. */
export function compareLines(from: readonly string[], to: readonly string[]): DifferentLine[] {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1;
  return [
    ...mark("same", from.slice(0, head)),
    ...compareMiddle(from.slice(head, from.length - tail), to.slice(head, to.length - tail)),
    ...mark("same", from.slice(from.length - tail)),
  ];
}

function mark(kind: DifferentLine["kind"], lines: readonly string[]): DifferentLine[] {
  return lines.map((text) => ({ kind, text }));
}

/** By the longest common subsequence. */
function compareMiddle(from: readonly string[], to: readonly string[]): DifferentLine[] {
  if (from.length * to.length > MAX_CELLS) return [...mark("removed", from), ...mark("added", to)];
  const lengths = measureCommon(from, to);
  const width = to.length + 1;
  const lines: DifferentLine[] = [];
  let row = 0;
  let column = 0;
  while (row < from.length || column < to.length) {
    const removed = from[row];
    const added = to[column];
    if (removed !== undefined && removed === added) {
      lines.push({ kind: "same", text: removed });
      row += 1;
      column += 1;
    } else if (
      added === undefined ||
      (removed !== undefined && lengthAt(lengths, row + 1, column, width) >= lengthAt(lengths, row, column + 1, width))
    ) {
      lines.push({ kind: "removed", text: removed ?? "" });
      row += 1;
    } else {
      lines.push({ kind: "added", text: added });
      column += 1;
    }
  }
  return lines;
}

/** For each pair of places, how many lines the rests of both texts have in common: at most the root of `MAX_CELLS`. */
function measureCommon(from: readonly string[], to: readonly string[]): Uint16Array {
  const width = to.length + 1;
  const lengths = new Uint16Array((from.length + 1) * width);
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

function lengthAt(lengths: Uint16Array, row: number, column: number, width: number): number {
  return lengths[row * width + column] ?? 0;
}
