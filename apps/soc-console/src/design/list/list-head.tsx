// biome-ignore-all lint/a11y/useSemanticElements: rows that are recycled and moved cannot be those of a <table>.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ListColumn } from "./column.ts";

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

/** Column titles. Sortable ones are buttons. */
export function ListHead({ columns, hasChecks }: { columns: readonly ListColumn[]; hasChecks: boolean }) {
  return (
    <div role="row" aria-rowindex={1} className="list-head">
      {/* No header role: an empty header has no text to announce. */}
      {hasChecks && <div role="gridcell" className="list-cell list-check" />}
      {columns.map((column) => (
        <ColumnTitle key={column.key} column={column} />
      ))}
    </div>
  );
}

function ColumnTitle({ column }: { column: ListColumn }) {
  const { title, align = "start", isSortable, sort, onSort, isTitleHidden } = column;
  const text = <span className={isTitleHidden ? "screen-reader-only" : "list-title"}>{title}</span>;
  return (
    <div
      role="columnheader"
      className={`list-cell list-${align}`}
      aria-sort={isSortable ? (sort ? ARIA_SORT[sort] : "none") : undefined}
    >
      {isSortable ? (
        <button type="button" className="list-sort" onClick={onSort}>
          {text}
          {sort === "asc" && <ArrowUp aria-hidden="true" />}
          {sort === "desc" && <ArrowDown aria-hidden="true" />}
        </button>
      ) : (
        text
      )}
    </div>
  );
}
