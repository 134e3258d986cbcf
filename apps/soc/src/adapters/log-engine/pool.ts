import type { Worker } from "node:worker_threads";
import type { Clock } from "@kit/clock";
import { Session } from "chdb";
import type { LogLane } from "../../ports/log-store.ts";
import { createReader, type Reader, type ReaderSettings } from "./reader.ts";
import { type EngineInsert, EngineRefusal } from "./request.ts";
import type { RunningStatements } from "./statements.ts";

export interface EngineQuery {
  sql: string;
  format: string;
  parameters: Readonly<Record<string, unknown>>;
  /** The `log_comment` of the query, by which KILL QUERY finds it. */
  tag: string;
  lane: LogLane;
}

export interface InsertedRows {
  rows: Buffer;
  /** No insert starts after this instant; NaN for no limit. */
  notAfterMs: number;
}

/**
 * The engine's connections. Each runs one statement at a time. Each lane of readers has its own connections, as do the
 * writers, so that none of them waits for another.
 */
export type EnginePool = ReturnType<typeof createEnginePool>;

export interface EnginePoolDeps {
  folder: string;
  /** The file with settings that the engine does not accept as arguments. */
  configurationPath: string;
  readers: Readonly<Record<LogLane, number>>;
  writers: number;
  /** Limit for all memory that the engine holds at the same time. */
  memoryBytes: number;
  statements: RunningStatements;
  /** Starts a thread that serves a reader with these settings. */
  startReader: (settings: ReaderSettings) => Worker;
  clock: Pick<Clock, "now" | "deadline" | "sleep">;
}

const MARK_CACHE_BYTES = 256 * 1024 * 1024;
const MAX_WAITING = 64;
const WAIT_MS = 15_000;
const KILL_AGAIN_MS = 200;

export function createEnginePool(deps: EnginePoolDeps) {
  const { folder, configurationPath, readers, writers, memoryBytes, statements, startReader, clock } = deps;
  const connectionArgs = [
    `--config-file=${configurationPath}`,
    `--max_server_memory_usage=${memoryBytes}`,
    `--mark_cache_size=${MARK_CACHE_BYTES}`,
  ];
  const open = () => new Session(folder, { connectionArgs });
  // A separate connection, so that heartbeats and KILL QUERY never wait behind other queries.
  const control = open();
  const openLane = (connections: number) => {
    const openReader = () => createReader(() => startReader({ folder, connectionArgs }));
    return createLane(Array.from({ length: connections }, openReader), clock);
  };
  const reading: Record<LogLane, Lane<Reader>> = {
    people: openLane(readers.people),
    previews: openLane(readers.previews),
    rules: openLane(readers.rules),
    stream: openLane(readers.stream),
  };
  const writing = createLane(Array.from({ length: writers }, open), clock);
  let controlling: Promise<unknown> = Promise.resolve();

  function askControl(sql: string): Promise<unknown> {
    const asked = controlling.then(() => control.queryAsync(sql, { format: "TabSeparated" }));
    controlling = asked.catch(() => undefined);
    return asked;
  }

  /**
   * Aborting the call alone would leave the query running until its own timeout. KILL QUERY is repeated until it has
   * ended, because its thread may not have passed it to the engine yet.
   */
  async function killUntil(tag: string, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await askControl(`KILL QUERY WHERE Settings['log_comment'] = '${tag}' ASYNC`).catch(() => undefined);
      await clock.sleep(KILL_AGAIN_MS, ended).catch(() => undefined);
    }
  }

  async function* select({ sql, format, parameters, tag, lane }: EngineQuery, signal: AbortSignal) {
    const reader = await reading[lane].lease(signal);
    const ended = new AbortController();
    const kill = () => void killUntil(tag, ended.signal);
    signal.addEventListener("abort", kill, { once: true });
    const end = statements.begin(sql);
    try {
      yield* reader.select({ sql, parameters, format });
    } finally {
      signal.removeEventListener("abort", kill);
      ended.abort();
      end();
      reading[lane].release(reader);
    }
  }

  async function write<Result>(
    sql: string,
    work: (session: Session) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const session = await writing.lease(signal);
    const end = statements.begin(sql);
    try {
      return await work(session);
    } finally {
      end();
      writing.release(session);
    }
  }

  return {
    /** The result in chunks. When the signal aborts, the query also ends inside the engine. */
    select,
    /** Returns how many rows were read; a repeated batch is counted, although it is not written again. */
    insert: (insert: EngineInsert, { rows, notAfterMs }: InsertedRows, signal: AbortSignal): Promise<number> =>
      write(
        `INSERT INTO ${insert.table} (${rows.length} bytes)`,
        async (session) => {
          // Checked when the connection is free and all rows have arrived, because the sender may have been frozen in
          // between.
          if (clock.now().getTime() >= notAfterMs) throw tooLate();
          const { rowsWritten } = await session.insert({ ...insert, values: rows });
          return rowsWritten;
        },
        signal,
      ),
    command: (sql: string, format: string, signal: AbortSignal): Promise<Uint8Array> =>
      write(sql, async (session) => (await session.queryAsync(sql, { format })).bytes(), signal),
    async ping(): Promise<void> {
      await askControl("SELECT 1");
    },
    async close(): Promise<void> {
      await Promise.all(Object.values(reading).flatMap(({ all }) => all.map((reader) => reader.close())));
      for (const session of [...writing.all, control]) session.close();
    },
  };
}

interface Lane<Connection> {
  all: readonly Connection[];
  lease(signal: AbortSignal): Promise<Connection>;
  release(connection: Connection): void;
}

/** Leases each connection to one caller at a time, in order of arrival; the wait has a time limit. */
function createLane<Connection>(all: readonly Connection[], clock: Pick<Clock, "deadline">): Lane<Connection> {
  const free = [...all];
  const waiting = new Set<(connection: Connection) => void>();

  function waitForTurn(signal: AbortSignal): Promise<Connection> {
    if (waiting.size >= MAX_WAITING) throw tooMany();
    const patience = AbortSignal.any([signal, clock.deadline(WAIT_MS)]);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(take);
        reject(tooMany());
      };
      const take = (connection: Connection) => {
        patience.removeEventListener("abort", giveUp);
        resolve(connection);
      };
      waiting.add(take);
      patience.addEventListener("abort", giveUp, { once: true });
    });
  }

  return {
    all,
    async lease(signal) {
      signal.throwIfAborted();
      return free.pop() ?? waitForTurn(signal);
    },
    release(connection) {
      const [next] = waiting;
      if (!next) {
        free.push(connection);
        return;
      }
      waiting.delete(next);
      next(connection);
    },
  };
}

function tooLate(): EngineRefusal {
  return new EngineRefusal(159, "TIMEOUT_EXCEEDED", "The insert came after the end of its sender's lease");
}

function tooMany(): EngineRefusal {
  return new EngineRefusal(202, "TOO_MANY_SIMULTANEOUS_QUERIES", "Too many statements wait for the log engine");
}
