import type { KnownCell } from "../../casework/cells/cell.ts";
import { compareLogs } from "../../logs/search/log-order.ts";
import type { LogBody } from "../../logs/search/logs.schema.ts";

export interface CellAnswer<Value> {
  cell: string;
  value: Value;
}

/** What the cells answered, and which of them did not and why. */
export interface CellAnswers<Value> {
  answers: CellAnswer<Value>[];
  missing: { cell: string; why: string }[];
}

/** Asks all cells at once. A cell that does not answer is named, and does not spoil the answers of the others. */
export async function askCells<Value>(
  cells: readonly KnownCell[],
  ask: (cell: KnownCell) => Promise<Value>,
): Promise<CellAnswers<Value>> {
  const asked = await Promise.allSettled(cells.map(ask));
  const all: CellAnswers<Value> = { answers: [], missing: [] };
  for (const [place, { name: cell }] of cells.entries()) {
    const each = asked[place];
    if (each?.status === "fulfilled") all.answers.push({ cell, value: each.value });
    else all.missing.push({ cell, why: each?.reason instanceof Error ? each.reason.message : "it failed" });
  }
  return all;
}

/** A page of logs, as a cell answers it. */
export interface LogsPage {
  items: readonly LogBody[];
  total: number;
  total_is_estimate?: boolean | undefined;
  missing_stores?: readonly string[] | undefined;
}

export interface FoundLogs {
  /** The newest logs of all cells, each with the cell that has it. */
  logs: (LogBody & { cell: string })[];
  total: number;
  isEstimate: boolean;
  counts: CellAnswer<number>[];
  /** The cells that did not answer, and the log stores that a cell did not reach. */
  missing: string[];
}

/** Merges pages that begin with the newest log, in the order of a search: by time, then by the bytes of the id. */
export function mergeLogPages({ answers, missing }: CellAnswers<LogsPage>, limit: number): FoundLogs {
  const logs = answers.flatMap(({ cell, value }) => value.items.map((log) => ({ ...log, cell })));
  const counts = answers.map(({ cell, value }) => ({ cell, value: value.total }));
  const stores = answers.flatMap(({ cell, value }) => value.missing_stores?.map((store) => `${cell}: ${store}`) ?? []);
  return {
    logs: logs.toSorted(compareLogs("timestamp", "newest")).slice(0, limit),
    total: counts.reduce((sum, { value }) => sum + value, 0),
    isEstimate: answers.some(({ value }) => value.total_is_estimate === true),
    counts,
    missing: [...missing.map(({ cell, why }) => `${cell}: ${why}`), ...stores],
  };
}
