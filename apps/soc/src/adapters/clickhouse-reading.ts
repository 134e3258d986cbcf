import type { LogEvent } from "../logs/search/log.ts";
import type { LogStore, LogWindow } from "../logs/search/log-store.ts";
import { EVERYTHING } from "./clickhouse-questions.ts";
import type { RecentFile, RecentLogs } from "./recent-logs.ts";

/** How many logs were ingested at an instant, in milliseconds. */
export interface Instant {
  at: number;
  logs: number;
}

export interface ReadingDeps {
  store: Pick<LogStore, "search" | "stream">;
  /** The instants of the window that have logs, the earliest first; at most `maxCount`. */
  instantsIn: (window: LogWindow, maxCount: number, signal: AbortSignal | undefined) => Promise<readonly Instant[]>;
  recent: RecentLogs | undefined;
}

const PAGE = 10_000;
const MAX_LOGS = 10_000_000;
const MAX_INSTANTS = 10_000;

interface Piece {
  window: LogWindow;
  /** Undefined when the engine must be queried. */
  files: readonly RecentFile[] | undefined;
}

/** Reads all logs of a window of ingest time, the oldest first. */
export function createReading({ store, instantsIn, recent }: ReadingDeps): LogStore["read"] {
  /** Most windows fit in one page, for which one query is enough. */
  async function* ask(window: LogWindow, signal: AbortSignal | undefined): AsyncGenerator<LogEvent[], void, undefined> {
    const asked = { where: EVERYTHING, time: "ingested_at", order: "oldest", ...window } as const;
    const first = await store.search({ ...asked, limit: PAGE }, signal);
    if (first.length < PAGE) yield first;
    else yield* store.stream({ ...asked, limit: MAX_LOGS }, signal);
  }

  async function readLogs(files: readonly RecentFile[], from: RecentLogs): Promise<LogEvent[] | undefined> {
    const found: LogEvent[][] = [];
    for (const file of files) {
      const logs = await from.read(file);
      if (!logs) return undefined;
      found.push(logs);
    }
    return found.flat();
  }

  return async function* readAll(window, signal) {
    if (!recent) return yield* ask(window, signal);
    const instants = await instantsIn(window, MAX_INSTANTS, signal);
    if (instants.length === MAX_INSTANTS) return yield* ask(window, signal);
    const kept = await recent.list();
    for (const piece of planPieces(instants, kept)) {
      const logs = piece.files && (await readLogs(piece.files, recent));
      if (logs) yield logs;
      else yield* ask(piece.window, signal);
    }
  };
}

function planPieces(instants: readonly Instant[], kept: ReadonlyMap<number, readonly RecentFile[]>): Piece[] {
  const pieces: Piece[] = [];
  for (const { at, logs } of instants) {
    const files = kept.get(at);
    const isWhole = files?.reduce((sum, file) => sum + file.logs, 0) === logs;
    const last = pieces.at(-1);
    if (isWhole) pieces.push({ files, window: toWindow(at, at) });
    else if (last && !last.files) last.window = toWindow(last.window.from.getTime(), at);
    else pieces.push({ files: undefined, window: toWindow(at, at) });
  }
  return pieces;
}

function toWindow(fromMs: number, lastMs: number): LogWindow {
  return { from: new Date(fromMs), to: new Date(lastMs + 1) };
}
