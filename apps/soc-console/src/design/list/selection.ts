/** The selection: these ids, or everything that matches the filter except these ids. */
export type Selection =
  | { readonly kind: "some"; readonly ids: ReadonlySet<string> }
  | { readonly kind: "all"; readonly except: ReadonlySet<string> };

export const NONE_SELECTED: Selection = { kind: "some", ids: new Set() };
export const ALL_SELECTED: Selection = { kind: "all", except: new Set() };

export function isSelected(selection: Selection, id: string): boolean {
  return selection.kind === "some" ? selection.ids.has(id) : !selection.except.has(id);
}

function withIds(ids: ReadonlySet<string>, changed: Iterable<string>, isIn: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  for (const id of changed) {
    if (isIn) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** Selects or deselects all of these rows. */
export function markRows(selection: Selection, ids: Iterable<string>, isWanted: boolean): Selection {
  if (selection.kind === "some") return { kind: "some", ids: withIds(selection.ids, ids, isWanted) };
  return { kind: "all", except: withIds(selection.except, ids, !isWanted) };
}

export function toggleRow(selection: Selection, id: string): Selection {
  return markRows(selection, [id], !isSelected(selection, id));
}

/** A range takes the state of its first row, as in a file manager. `ids` starts with that row. */
export function extendRange(selection: Selection, ids: readonly string[]): Selection {
  const [anchor] = ids;
  if (anchor === undefined) return selection;
  return markRows(selection, ids, isSelected(selection, anchor));
}

/** How many rows are selected when `total` rows match the filter. */
export function countSelected(selection: Selection, total: number): number {
  return selection.kind === "some" ? selection.ids.size : Math.max(0, total - selection.except.size);
}
