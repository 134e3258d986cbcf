import type { Log } from "../logs/search/log.ts";
import type { LogStore, LogWindow } from "../logs/search/log-store.ts";
import { EVERYTHING } from "./clickhouse-questions.ts";
import type { RecentFile, RecentLogs } from "./recent-logs.ts";

/** How many logs were taken in at an instant, in milliseconds. */
export interface Instant {
  at: number;
  logs: number;
}

export interface ReadingDeps {
  store: Pick<LogStore, "search" | "stream">;
  /** The instants of the window that have logs, the earliest first; no more than `atMost`. */
  instantsIn: (window: LogWindow, atMost: number, signal: AbortSignal | undefined) => Promise<readonly Instant[]>;
  recent: RecentLogs | undefined;
}

const PAGE = 10_000;
const LOGS_AT_MOST = 10_000_000;
const INSTANTS_AT_MOST = 10_000;

interface Piece {
  window: LogWindow;
  /** Undefined where the engine is to be asked. */
  files: readonly RecentFile[] | undefined;
}

/** Reads all logs of a window of ingest time, the oldest first. */
export function createReading({ store, instantsIn, recent }: ReadingDeps): LogStore["read"] {
  /** Most windows are one page, for which one question is enough. */
  async function* ask(window: LogWindow, signal: AbortSignal | undefined): AsyncGenerator<Log[], void, undefined> {
    const asked = { where: EVERYTHING, time: "ingested_at", order: "oldest", ...window } as const;
    const first = await store.search({ ...asked, limit: PAGE }, signal);
    if (first.length < PAGE) yield first;
    else yield* store.stream({ ...asked, limit: LOGS_AT_MOST }, signal);
  }

  async function logsOf(files: readonly RecentFile[], from: RecentLogs): Promise<Log[] | undefined> {
    const found: Log[][] = [];
    for (const file of files) {
      const logs = await from.read(file);
      if (!logs) return undefined;
      found.push(logs);
    }
    return found.flat();
  }

  return async function* readAll(window, signal) {
    if (!recent) return yield* ask(window, signal);
    const instants = await instantsIn(window, INSTANTS_AT_MOST, signal);
    if (instants.length === INSTANTS_AT_MOST) return yield* ask(window, signal);
    const kept = await recent.list();
    for (const piece of piecesOf(instants, kept)) {
      const logs = piece.files && (await logsOf(piece.files, recent));
      if (logs) yield logs;
      else yield* ask(piece.window, signal);
    }
  };
}

function piecesOf(instants: readonly Instant[], kept: ReadonlyMap<number, readonly RecentFile[]>): Piece[] {
  const pieces: Piece[] = [];
  for (const { at, logs } of instants) {
    const files = kept.get(at);
    const isWhole = files?.reduce((sum, file) => sum + file.logs, 0) === logs;
    const last = pieces.at(-1);
    if (isWhole) pieces.push({ files, window: windowOf(at, at) });
    else if (last && !last.files) last.window = windowOf(last.window.from.getTime(), at);
    else pieces.push({ files: undefined, window: windowOf(at, at) });
  }
  return pieces;
}

function windowOf(fromMs: number, lastMs: number): LogWindow {
  return { from: new Date(fromMs), to: new Date(lastMs + 1) };
}
