/** How many rows of one store are merged. A summary with more of them answers for fewer of the newest logs. */
const MAX_PART_ROWS = 100_000;

/** The end of the SQL for the rows of one store: one more than can be merged shows that there are too many. */
export const PART_ROWS = `LIMIT ${MAX_PART_ROWS + 1}`;

/** The rows of all stores; undefined when one has more than can be merged, since a sum over some of them would be wrong. */
export function joinPartRows<Part>(rows: readonly (readonly Part[])[]): Part[] | undefined {
  return rows.some((each) => each.length > MAX_PART_ROWS) ? undefined : rows.flat();
}

/** Rows by what they have in common, in the order of their first appearance. */
export function groupRows<Part>(rows: readonly Part[], keyOf: (row: Part) => string): Part[][] {
  const groups = new Map<string, Part[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}
