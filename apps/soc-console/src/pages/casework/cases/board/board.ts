import { CASE_STATUSES, type Case, type CaseStatus } from "../cases-client.ts";

export interface Column {
  status: CaseStatus;
  items: readonly Case[];
  total: number;
}

/** Position of the card; undefined if no column has it. */
export function findCard(
  columns: readonly Column[],
  id: string | undefined,
): { column: number; row: number } | undefined {
  for (const [column, { items }] of columns.entries()) {
    const row = items.findIndex((item) => item.id === id);
    if (row !== -1) return { column, row };
  }
  return undefined;
}

/** The card above or below; without a cursor, the first card of the board. */
export function moveInColumn(columns: readonly Column[], id: string | undefined, by: number): string | undefined {
  const at = findCard(columns, id);
  if (!at) return columns.find(({ items }) => items.length > 0)?.items[0]?.id;
  const items = columns[at.column]?.items ?? [];
  return items[Math.max(0, Math.min(items.length - 1, at.row + by))]?.id;
}

/** The card in the same row of the next column that has any. */
export function moveToColumn(columns: readonly Column[], id: string | undefined, by: 1 | -1): string | undefined {
  const at = findCard(columns, id);
  if (!at) return moveInColumn(columns, id, 0);
  for (let column = at.column + by; column >= 0 && column < columns.length; column += by) {
    const items = columns[column]?.items ?? [];
    if (items.length > 0) return items[Math.min(at.row, items.length - 1)]?.id;
  }
  return id;
}

/** The previous or next status; undefined at the ends. */
export function nextStatus(status: CaseStatus, by: 1 | -1): CaseStatus | undefined {
  return CASE_STATUSES[CASE_STATUSES.indexOf(status) + by];
}

/** Moves a changed case to the top of its column. */
export function placeCard(columns: readonly Column[], changed: Case): Column[] {
  return columns.map(({ status, items, total }) => {
    const rest = items.filter(({ id }) => id !== changed.id);
    const left = total - (items.length - rest.length);
    const isHere = status === changed.status;
    return { status, items: isHere ? [changed, ...rest] : rest, total: isHere ? left + 1 : left };
  });
}
