// biome-ignore-all lint/a11y/useSemanticElements: rows that are recycled and moved cannot be those of a <table>.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import { Children, Fragment, isValidElement, type ReactNode } from "react";
import type { ListColumn, RowState } from "./column.ts";

export interface CellProps {
  align?: "start" | "end" | undefined;
  /** Text style: "mono" for times, hosts and ids, "strong" for the name of the row. */
  kind?: "plain" | "mono" | "strong" | "soft" | undefined;
  children?: ReactNode;
}

export function Cell({ align = "start", kind = "plain", children }: CellProps) {
  return (
    <div role="gridcell" className={`list-cell list-${align} list-${kind}`}>
      {children}
    </div>
  );
}

function isCell(node: ReactNode): boolean {
  return isValidElement<{ role?: string }>(node) && (node.type === Cell || node.props.role === "gridcell");
}

/** One cell per column. A single component renders its cells itself. */
function wrapCells(rendered: ReactNode, columns: readonly ListColumn[]): ReactNode {
  const isFragment = isValidElement<{ children?: ReactNode }>(rendered) && rendered.type === Fragment;
  if (!isFragment && !Array.isArray(rendered)) return rendered;
  const nodes: ReactNode = isFragment ? rendered.props.children : rendered;
  let column = 0;
  const wrap = (node: ReactNode) => {
    const { align } = columns[column] ?? {};
    column += 1;
    return isCell(node) ? node : <Cell align={align}>{node}</Cell>;
  };
  return Children.map<ReactNode, ReactNode>(nodes, wrap);
}

export interface ListRowProps<Item> extends RowState {
  id: string;
  item: Item | undefined;
  index: number;
  /** Position of the row in the scrolling element. */
  top: number;
  columns: readonly ListColumn[];
  renderRow: (item: Item, index: number, state: RowState) => ReactNode;
  checkLabel: ((item: Item) => string) | undefined;
}

/** One row. The list memoizes it, so scrolling renders only the rows that come into view. */
export function PlainListRow<Item>(props: ListRowProps<Item>) {
  const { id, item, index, top, columns, isCursor, isSelected, renderRow, checkLabel } = props;
  return (
    <div
      role="row"
      id={id}
      data-row={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-busy={item === undefined || undefined}
      className={isCursor ? "list-row list-cursor" : "list-row"}
      style={{ transform: `translateY(${top}px)` }}
    >
      {item === undefined ? (
        <Cell>
          <span className="skeleton-bar list-missing" />
        </Cell>
      ) : (
        <>
          {checkLabel && (
            <div role="gridcell" className="list-cell list-check">
              <input
                type="checkbox"
                className="checkbox-box"
                tabIndex={-1}
                checked={isSelected}
                readOnly
                aria-label={checkLabel(item)}
              />
            </div>
          )}
          {wrapCells(renderRow(item, index, { isCursor, isSelected }), columns)}
        </>
      )}
    </div>
  );
}
