import type { Clock } from "@kit/clock";
import { Session } from "chdb";
import type { LogLane } from "../logs/search/log-store.ts";
import { type EngineInsert, EngineRefusal } from "./log-engine-request.ts";
import type { RunningStatements } from "./log-engine-statements.ts";

export interface EngineQuery {
  sql: string;
  format: string;
  parameters: Readonly<Record<string, unknown>>;
  /** The `log_comment` of the query: KILL QUERY finds the query by it. */
  tag: string;
  lane: LogLane;
}

/**
 * The engine's connections. Each runs one statement at a time; each lane of readers and the writers have their own, so
 * that none of them waits for another.
 */
export interface EnginePool {
  /** The result in chunks. When the signal aborts, the query also ends inside the engine. */
  select(query: EngineQuery, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>;
  /** Returns how many rows were read; a repeated batch is counted, although it is not written again. */
  insert(insert: EngineInsert, rows: Buffer, signal: AbortSignal): Promise<number>;
  command(sql: string, format: string, signal: AbortSignal): Promise<Uint8Array>;
  ping(): Promise<void>;
  close(): void;
}

export interface EnginePoolDeps {
  folder: string;
  readers: Readonly<Record<LogLane, number>>;
  writers: number;
  /** Limit for all memory that the engine holds at the same time. */
  memoryBytes: number;
  statements: RunningStatements;
  clock: Pick<Clock, "deadline">;
}

const MARK_CACHE_BYTES = 256 * 1024 * 1024;
const MAX_WAITING = 64;
const WAIT_MS = 15_000;

export function createEnginePool(deps: EnginePoolDeps): EnginePool {
  const { folder, readers, writers, memoryBytes, statements, clock } = deps;
  const connectionArgs = [`--max_server_memory_usage=${memoryBytes}`, `--mark_cache_size=${MARK_CACHE_BYTES}`];
  const open = () => new Session(folder, { connectionArgs });
  // A separate connection, so that heartbeats and KILL QUERY never wait behind other queries.
  const control = open();
  const openLane = (connections: number) => createLane(Array.from({ length: connections }, open), clock);
  const reading: Record<LogLane, Lane> = {
    people: openLane(readers.people),
    previews: openLane(readers.previews),
    rules: openLane(readers.rules),
    stream: openLane(readers.stream),
  };
  const writing = openLane(writers);
  let controlling: Promise<unknown> = Promise.resolve();

  function askControl(sql: string): Promise<unknown> {
    const asked = controlling.then(() => control.queryAsync(sql, { format: "TabSeparated" }));
    controlling = asked.catch(() => undefined);
    return asked;
  }

  async function* select({ sql, format, parameters, tag, lane }: EngineQuery, signal: AbortSignal) {
    const session = await reading[lane].lease(signal);
    // Aborting the call alone would leave the query running in the engine until its own timeout.
    const kill = () =>
      void askControl(`KILL QUERY WHERE Settings['log_comment'] = '${tag}' ASYNC`).catch(() => undefined);
    signal.addEventListener("abort", kill, { once: true });
    const end = statements.begin(sql);
    try {
      // Not queryBindAsync: that binding runs only one query with parameters at a time in the whole process.
      for await (const chunk of session.queryStreamBind(sql, parameters, { format })) yield chunk.raw();
    } catch (error) {
      // The binding does not free a failed stream: it keeps its memory until the next statement of the connection.
      await session.queryAsync("SELECT 1").catch(() => undefined);
      throw error;
    } finally {
      signal.removeEventListener("abort", kill);
      end();
      reading[lane].release(session);
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
    select,
    insert: (insert, rows, signal) =>
      write(
        `INSERT INTO ${insert.table} (${rows.length} bytes)`,
        async (session) => {
          const { rowsWritten } = await session.insert({ ...insert, values: rows });
          return rowsWritten;
        },
        signal,
      ),
    command: (sql, format, signal) =>
      write(sql, async (session) => (await session.queryAsync(sql, { format })).bytes(), signal),
    async ping() {
      await askControl("SELECT 1");
    },
    close() {
      const lanes = [...Object.values(reading), writing];
      for (const session of [...lanes.flatMap(({ sessions }) => sessions), control]) session.close();
    },
  };
}

type Lane = ReturnType<typeof createLane>;

/** Leases each session to one caller at a time, in order of arrival; the wait has a time limit. */
function createLane(sessions: readonly Session[], clock: Pick<Clock, "deadline">) {
  const free = [...sessions];
  const waiting = new Set<(session: Session) => void>();

  function waitForTurn(signal: AbortSignal): Promise<Session> {
    if (waiting.size >= MAX_WAITING) throw tooMany();
    const patience = AbortSignal.any([signal, clock.deadline(WAIT_MS)]);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(take);
        reject(tooMany());
      };
      const take = (session: Session) => {
        patience.removeEventListener("abort", giveUp);
        resolve(session);
      };
      waiting.add(take);
      patience.addEventListener("abort", giveUp, { once: true });
    });
  }

  return {
    sessions,
    async lease(signal: AbortSignal): Promise<Session> {
      signal.throwIfAborted();
      return free.pop() ?? waitForTurn(signal);
    },
    release(session: Session): void {
      const [next] = waiting;
      if (!next) {
        free.push(session);
        return;
      }
      waiting.delete(next);
      next(session);
    },
  };
}

function tooMany(): EngineRefusal {
  return new EngineRefusal(202, "TOO_MANY_SIMULTANEOUS_QUERIES", "Too many statements wait for the log engine");
}
