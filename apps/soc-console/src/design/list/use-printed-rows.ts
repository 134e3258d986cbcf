import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { RowWindow } from "./use-row-window.ts";

/** As many rows as a list keeps in memory. */
const MAX_PRINTED_ROWS = 4000;

/** True from `beforeprint` to `afterprint`. */
function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    // Render synchronously: the browser prints the page as it is when the event ends.
    const begin = () => flushSync(() => setIsPrinting(true));
    const end = () => setIsPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

/** Paper does not scroll: a print contains the rows around the screen, as many as are in memory. */
export function usePrintedRows(rows: RowWindow, count: number): RowWindow {
  const isPrinting = useIsPrinting();
  if (!isPrinting) return rows;
  const drawn = Math.min(count, MAX_PRINTED_ROWS);
  const first = Math.max(0, Math.min(rows.first - MAX_PRINTED_ROWS / 2, count - drawn));
  return { ...rows, first, drawn, slots: Math.max(1, drawn) };
}
