/** How many rows of one store are merged. A summary with more rows covers fewer of the newest logs. */
const MAX_PART_ROWS = 100_000;

/** Ends the SQL for the rows of one store. One row more than can be merged shows that there are too many. */
export const PART_ROWS = `LIMIT ${MAX_PART_ROWS + 1}`;

/**
 * Joins the rows of all stores; undefined if one has more rows than can be merged, because a partial sum would be
 * wrong.
 */
export function joinPartRows<Part>(rows: readonly (readonly Part[])[]): Part[] | undefined {
  return rows.some((each) => each.length > MAX_PART_ROWS) ? undefined : rows.flat();
}

/** Groups rows with equal keys, in the order of their first appearance. */
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
