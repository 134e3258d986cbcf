export interface ListColumn {
  key: string;
  title: string;
  /** A track of the CSS grid: "72px", "minmax(140px, 1fr)". */
  width: string;
  align?: "start" | "end" | undefined;
  isSortable?: boolean | undefined;
  sort?: "asc" | "desc" | undefined;
  onSort?: (() => void) | undefined;
  /** The title is for screen readers only. */
  isTitleHidden?: boolean | undefined;
}

export interface RowState {
  isCursor: boolean;
  isSelected: boolean;
}
