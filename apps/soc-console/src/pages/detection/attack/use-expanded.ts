import { useCallback, useMemo, useState } from "react";
import { type Cell, type Column, listShown } from "./attack-matrix.ts";

export interface ExpandedColumns {
  /** The visible cells, by column. */
  shown: readonly (readonly Cell[])[];
  isUnfolded: (key: string) => boolean;
  toggle: (key: string) => void;
  toggleAll: () => void;
  isAnyUnfolded: boolean;
}

/** The techniques whose sub-techniques are unfolded. */
export function useExpanded(columns: readonly Column[]): ExpandedColumns {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const isUnfolded = useCallback((key: string) => unfolded.has(key), [unfolded]);
  const shown = useMemo(() => columns.map(({ cells }) => listShown(cells, isUnfolded)), [columns, isUnfolded]);
  const toggle = useCallback((key: string) => {
    setUnfolded((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const toggleAll = useCallback(() => {
    setUnfolded((before) => {
      if (before.size > 0) return new Set();
      return new Set(columns.flatMap(({ cells }) => cells.filter(({ subs }) => subs.length > 0)).map(({ key }) => key));
    });
  }, [columns]);
  return { shown, isUnfolded, toggle, toggleAll, isAnyUnfolded: unfolded.size > 0 };
}
