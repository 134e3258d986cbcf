import { Problem } from "@kit/problem";
import type { LogEvent } from "../logs/search/log.ts";
import type { LogReads, LogWindow } from "../logs/search/log-store.ts";
import { EVERYTHING } from "./clickhouse-questions.ts";
import type { RecentFile, RecentLogs } from "./recent-logs.ts";

/** How many logs were ingested at an instant, in milliseconds. */
export interface Instant {
  at: number;
  logs: number;
}

export interface ReadingDeps {
  store: Pick<LogReads, "search">;
  /** The instants of the window that have logs, the earliest first; at most `maxCount`. */
  instantsIn: (window: LogWindow, maxCount: number, signal: AbortSignal | undefined) => Promise<readonly Instant[]>;
  recent: RecentLogs | undefined;
  limits: ReadingLimits;
}

/** How much one query may answer. A window may have more: it is then read by several queries. */
export interface ReadingLimits {
  readLogs: number;
  readInstants: number;
}

interface Piece {
  window: LogWindow;
  /** How many logs it has. */
  logs: number;
  /** Undefined when the engine must be queried. */
  files: readonly RecentFile[] | undefined;
}

/**
 * Reads all logs of a window of ingest time, the oldest first, in pieces of bounded size. It yields as many logs as the
 * engine counted in the window, or throws: a consumer that read less would not know.
 */
export function createReading({ store, instantsIn, recent, limits }: ReadingDeps): LogReads["read"] {
  const { readLogs: maxLogs, readInstants: maxInstants } = limits;
  const asked = { where: EVERYTHING, time: "ingested_at", order: "oldest", limit: maxLogs } as const;

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
    for (let next: LogWindow | undefined = window; next; ) {
      const instants: readonly Instant[] = await instantsIn(next, maxInstants, signal);
      for (const piece of planPieces(instants, (await recent?.list()) ?? new Map(), maxLogs)) {
        const logs = piece.files && (await readFiles(piece.files));
        if (logs) yield logs;
        else yield* queryPiece(piece, signal);
      }
      next = instants.length < maxInstants ? undefined : windowAfter(instants.at(-1), window);
    }
  }

  return async function* readAll(window, signal) {
    if (recent) return yield* readPieces(window, signal);
    // Most windows fit in one page, for which one query is enough.
    const first = await store.search({ ...asked, ...window }, signal);
    if (first.length < maxLogs) yield first;
    else yield* readPieces(window, signal);
  };
}

/** Joins consecutive instants that must be queried, up to the number of logs that one query answers. */
function planPieces(
  instants: readonly Instant[],
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

/** The rest of the window after the instant; undefined when nothing is left. */
function windowAfter(instant: Instant | undefined, { to }: LogWindow): LogWindow | undefined {
  const from = new Date((instant?.at ?? to.getTime()) + 1);
  return from < to ? { from, to } : undefined;
}
