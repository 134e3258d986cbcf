/** The known word with the smallest edit distance, if it is small enough to be a typing error. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const [nearest] = known
    .map((each) => ({ each, changes: changesBetween(word.toLowerCase(), each, allowed) }))
    .filter(({ changes }) => changes <= allowed)
    .toSorted((a, b) => a.changes - b.changes);
  return nearest?.each;
}

/** Levenshtein distance: letters added, removed or replaced; beyond `allowed` the exact number does not matter. */
function changesBetween(from: string, to: string, allowed: number): number {
  if (Math.abs(from.length - to.length) > allowed) return allowed + 1;
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of Array.from(from).entries()) {
    const next = [line + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? allowed + 1;
}
