import { Problem } from "@kit/problem";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogReads, LogWindow } from "../../ports/log-store.ts";
import { EVERYTHING } from "./clickhouse-questions.ts";
import type { RecentFile, RecentLogs } from "./recent-logs.ts";

/** How many logs were ingested in an interval that begins at this instant, in milliseconds. */
export interface Interval {
  at: number;
  logs: number;
}

export interface ReadingDeps {
  store: Pick<LogReads, "search">;
  /** The intervals of the window that contain logs, earliest first. A width of 1 returns the instants. */
  countIntervals: (window: LogWindow, widthMs: number, signal: AbortSignal | undefined) => Promise<readonly Interval[]>;
  recent: RecentLogs | undefined;
  limits: ReadingLimits;
}

/** How much one query may return. A window with more logs is read with several queries. */
export interface ReadingLimits {
  readLogs: number;
  readInstants: number;
}

interface Piece {
  window: LogWindow;
  /** The number of its logs. */
  logs: number;
  /** Undefined if the engine must be queried. */
  files: readonly RecentFile[] | undefined;
}

/**
 * Reads all logs of a window of ingest time, oldest first, in chunks of bounded size. It yields as many logs as the
 * engine counted in the window, or throws, because a consumer could not notice missing logs.
 */
export function createReading({ store, countIntervals, recent, limits }: ReadingDeps): LogReads["read"] {
  const { readLogs: maxLogs, readInstants: maxInstants } = limits;
  const asked = { ...EVERYTHING, time: "ingested_at", order: "oldest", limit: maxLogs } as const;

  async function* queryPiece(
    { window, logs }: Piece,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<LogEvent[], void, undefined> {
    let count = 0;
    let after: LogEvent | undefined;
    do {
      const page = await store.search({ ...asked, ...window, ...(after && { after }) }, signal);
      count += page.length;
      if (page.length > 0) yield page;
      after = page.length === maxLogs ? page.at(-1) : undefined;
    } while (after);
    if (count < logs) throw new Problem("unavailable", `the log store returned ${count} of ${logs} logs`);
  }

  async function readFiles(files: readonly RecentFile[]): Promise<LogEvent[] | undefined> {
    const found: LogEvent[][] = [];
    for (const file of files) {
      const logs = await recent?.read(file);
      if (!logs) return undefined;
      found.push(logs);
    }
    return found.flat();
  }

  async function* readPieces(
    window: LogWindow,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<LogEvent[], void, undefined> {
    for (const slice of await sliceWindow(window, signal)) {
      const instants = await countIntervals(slice, 1, signal);
      for (const piece of planPieces(instants, (await recent?.list()) ?? new Map(), maxLogs)) {
        const logs = piece.files && (await readFiles(piece.files));
        if (logs) yield logs;
        else yield* queryPiece(piece, signal);
      }
    }
  }

  /** Counting the instants of a long window at once would need more memory than the engine has for one query. */
  async function sliceWindow(window: LogWindow, signal: AbortSignal | undefined): Promise<LogWindow[]> {
    if (window.to.getTime() - window.from.getTime() <= maxInstants) return [window];
    return planSlices(window, await countIntervals(window, maxInstants, signal), maxInstants);
  }

  return async function* readAll(window, signal) {
    if (recent) return yield* readPieces(window, signal);
    // Most windows fit in one page, for which one query is enough.
    const first = await store.search({ ...asked, ...window }, signal);
    if (first.length < maxLogs) yield first;
    else yield* readPieces(window, signal);
  };
}

/** Joins consecutive instants that must be queried, up to the number of logs that one query returns. */
function planPieces(
  instants: readonly Interval[],
  kept: ReadonlyMap<number, readonly RecentFile[]>,
  maxLogs: number,
): Piece[] {
  const pieces: Piece[] = [];
  for (const { at, logs } of instants) {
    const files = kept.get(at);
    const isWhole = files?.reduce((sum, file) => sum + file.logs, 0) === logs;
    const last = pieces.at(-1);
    if (!isWhole && last && !last.files && last.logs + logs < maxLogs) {
      last.window = toWindow(last.window.from.getTime(), at);
      last.logs += logs;
    } else pieces.push({ files: isWhole ? files : undefined, logs, window: toWindow(at, at) });
  }
  return pieces;
}

function toWindow(fromMs: number, lastMs: number): LogWindow {
  return { from: new Date(fromMs), to: new Date(lastMs + 1) };
}

/** Joins consecutive intervals while they have few logs; a single interval has at most one instant per millisecond. */
function planSlices({ from, to }: LogWindow, intervals: readonly Interval[], maxInstants: number): LogWindow[] {
  const slices: { fromMs: number; toMs: number; logs: number }[] = [];
  for (const { at, logs } of intervals) {
    const fromMs = Math.max(at, from.getTime());
    const toMs = Math.min(at + maxInstants, to.getTime());
    const last = slices.at(-1);
    if (last && last.logs + logs <= maxInstants) {
      last.toMs = toMs;
      last.logs += logs;
    } else slices.push({ fromMs, toMs, logs });
  }
  return slices.map(({ fromMs, toMs }) => ({ from: new Date(fromMs), to: new Date(toMs) }));
}
