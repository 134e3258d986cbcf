import { type ReactNode, useCallback, useMemo } from "react";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import type { ListPages } from "../../../../design/list/list-pages.ts";
import type { Selection } from "../../../../design/list/selection.ts";
import { WindowList } from "../../../../design/list/window-list.tsx";
import type { Log } from "../search-client.ts";
import { searchPhrases } from "../search-phrases.ts";
import { LogRow } from "./log-row.tsx";

export interface HuntRowsProps {
  pages: ListPages<Log>;
  columns: readonly string[];
  /** The rows span several days. */
  isWithDay: boolean;
  cursor: string | undefined;
  onCursor: (key: string, index: number) => void;
  selected: Selection;
  onToggle: (key: string) => void;
  onExtend: (keys: string[]) => void;
  onOpen: (key: string) => void;
  empty: ReactNode;
  footer?: ReactNode;
}

const readKey = (log: Log) => log.id;
const WIDTHS: Readonly<Record<string, string>> = { message: "minmax(240px, 1fr)", host: "132px", user: "132px" };

function buildColumns(columns: readonly string[], isWithDay: boolean, words: typeof searchPhrases.en): ListColumn[] {
  const hasMessage = columns.includes("message");
  return [
    { key: "severity", title: words.severity, width: "16px", isTitleHidden: true },
    { key: "time", title: words.time, width: isWithDay ? "190px" : "92px" },
    ...columns.map((column, at) => ({
      key: column,
      title: column,
      width: !hasMessage && at === columns.length - 1 ? "minmax(160px, 1fr)" : (WIDTHS[column] ?? "160px"),
    })),
  ];
}

/** The logs of a query or of the tail. */
export function HuntRows({ columns, isWithDay, pages, ...rest }: HuntRowsProps) {
  const words = usePhrases(searchPhrases);
  const shown = useMemo(() => buildColumns(columns, isWithDay, words), [columns, isWithDay, words]);
  const renderRow = useCallback(
    (log: Log) => <LogRow log={log} columns={columns} isWithDay={isWithDay} />,
    [columns, isWithDay],
  );
  const checkLabel = useCallback((log: Log) => fill(words.selectLog, { time: log.timestamp }), [words]);
  return (
    <WindowList
      label={words.logs}
      columns={shown}
      pages={pages}
      rowKey={readKey}
      renderRow={renderRow}
      checkLabel={checkLabel}
      rowHeight={28}
      {...rest}
    />
  );
}
