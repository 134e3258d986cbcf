import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import pg from "pg";
import { createClockOffset } from "../foundation/database/clock-offset.ts";
import type { Database, Db, Tables } from "../foundation/database/tables.ts";
import { createServerPool, createServers, isDiskFull, isUnreachable } from "./postgres/postgres-servers.ts";
import { CONNECTION, DETECT_DEAD_PEER, limitSession, ROLE } from "./postgres/postgres-session.ts";
import { areTablesCurrent, migrateTables } from "./postgres-migrations.ts";

export interface DatabaseDeps {
  /** If undefined, there is no database: it is never available and never queried. */
  url: string | undefined;
  migrationsFolder: string;
  clock: Pick<Clock, "now" | "sleep" | "monotonicMs">;
  log: Pick<Log, "info" | "warn">;
  limits?: Partial<DatabaseLimits>;
  /** Runs once, after the tables are up to date and before the database counts as available. */
  onFirstAnswer: (db: Db) => Promise<void>;
  /** The database responds, but this process must not use it, because its role or its keys differ. It must exit. */
  onRefused?: (refusal: Problem) => void;
}

export interface DatabaseLimits {
  connections: number;
  /** How long a request waits for a response before the database counts as unavailable. */
  answerMs: number;
  /** After this time without a statement the server ends a transaction and releases its locks. */
  idleTransactionMs: number;
  /**
   * How long a positive availability result is cached: a request checks several times, and a loop about once a second.
   */
  availableMs: number;
}

// Fifteen with the connection that checks the availability of the database.
const LIMITS: DatabaseLimits = { connections: 14, answerMs: 1500, idleTransactionMs: 20_000, availableMs: 50 };
// A statement ends before its client stops waiting, so that a slow statement is distinguished from an unreachable database.
const STATEMENT_MARGIN_MS = 200;
// Long enough for one request with many queries, so that the whole request waits only once.
const UNAVAILABLE_CACHE_MS = 100;
const STALL_MS = 200;
// A statement with a high planner cost would be compiled for up to a second, longer than any statement may take.
const NO_COMPILING = "-c jit=off";
// PostgreSQL error codes of a statement and of a transaction that exceeded their timeouts.
const QUERY_CANCELED = "57014";
const IDLE_IN_TRANSACTION = "25P03";
// Another client has taken the last connection: the server responds, but has no room.
const TOO_MANY_CONNECTIONS = "53300";
// Refused writes may be rare, so the disk counts as full for a while afterwards.
const DISK_FULL_MS = 30_000;
const DISK_RETRY_S = 10;
// The password was changed, and this process has the old one until it is restarted. Open connections still work.
const LOGIN_REFUSED = /^28/;

export function createDatabase(deps: DatabaseDeps): Database {
  const { url, migrationsFolder, clock, log, limits: given, onFirstAnswer, onRefused } = deps;
  const { connections, answerMs, idleTransactionMs, availableMs } = { ...LIMITS, ...given };
  const servers = createServers(url ?? "");
  const settings = {
    ...CONNECTION,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    statement_timeout: answerMs - STATEMENT_MARGIN_MS,
    idle_in_transaction_session_timeout: idleTransactionMs,
    application_name: "manara-soc",
    // A login that owns the tables could do anything with them, so the service uses a role with fewer rights.
    options: `-c role=${ROLE} ${NO_COMPILING} ${DETECT_DEAD_PEER}`,
  };
  const pool = createServerPool(servers, { ...settings, max: connections });
  // A separate connection, so that a full pool is not mistaken for an unreachable database.
  const asker = createServerPool(servers, { ...settings, max: 1 });
  const clockOffset = createClockOffset(clock, log);
  let preparing: Promise<void> | undefined;
  let isPrepared = false;
  let asking: Promise<boolean> | undefined;
  let known: { isAnswering: boolean; untilMs: number } | undefined;
  let wasAnswering: boolean | undefined;
  let diskFullUntilMs = 0;

  function remember(isAnswering: boolean, error?: unknown): boolean {
    if (isAnswering && wasAnswering !== true) log.info({}, "database available");
    if (!isAnswering && wasAnswering !== false) log.warn({ reason: String(error) }, "database unavailable");
    wasAnswering = isAnswering;
    known = { isAnswering, untilMs: clock.monotonicMs() + (isAnswering ? availableMs : UNAVAILABLE_CACHE_MS) };
    return isAnswering;
  }

  const isPoolFull = (error: unknown) =>
    pool.totalCount - pool.idleCount >= connections && isUnreachable(error) && isQueueTimeout(error);

  function refuseDiskFull(cause: unknown): Problem {
    diskFullUntilMs = clock.monotonicMs() + DISK_FULL_MS;
    const about = { code: "database_disk_full", retryAfterSeconds: DISK_RETRY_S, cause };
    return new Problem("unavailable", "the disk of the database is full", about);
  }

  /** Converts a failed connection or statement into the error for the caller. */
  function toRefusal(error: unknown): unknown {
    if (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED) {
      return new Problem("unavailable", "the database took too long", { cause: error });
    }
    if (isDiskFull(error)) return refuseDiskFull(error);
    if (isLoginRefused(error)) {
      return new Problem("unavailable", "the database refuses the login of this process", { cause: error });
    }
    if (isServerFull(error) || isPoolFull(error)) {
      return new Problem("unavailable", "the database is busy", { cause: error });
    }
    if (!isUnreachable(error)) return error;
    remember(false, error);
    return new Problem("unavailable", "the database is unavailable", { cause: error });
  }

  const forget = () => {
    known = undefined;
  };
  // A connection that dies fails its query and is replaced at the next one. Without these listeners, the error of an
  // idle or busy connection would end the process.
  for (const each of [pool, asker]) {
    each.on("error", forget);
    each.on("connect", (client) => client.on("error", forget));
  }
  const limits = new AsyncLocalStorage<readonly string[]>();
  const refusing = { options: {}, connect: () => connectTo(pool, toRefusal, limits.getStore()), end: () => pool.end() };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: refusing }) });

  async function prepare(): Promise<void> {
    if (!(await areTablesCurrent(asker, migrationsFolder))) {
      await migrateTables({ servers, migrationsFolder, connectMs: answerMs, clock });
    }
    await onFirstAnswer(db);
    isPrepared = true;
  }

  async function ask(): Promise<void> {
    preparing ??= prepare();
    await preparing.catch((error: unknown) => {
      preparing = undefined;
      throw error;
    });
    const sentAt = clock.now();
    const { rows } = await asker.query<{ at: Date }>("SELECT clock_timestamp() AS at");
    if (rows[0]) clockOffset.measure(sentAt, rows[0].at);
  }

  /** A process that was stalled has not yet processed a response that may have arrived in time. */
  async function refuseLate(startMs: number): Promise<never> {
    await clock.sleep(answerMs);
    const stalledMs = clock.monotonicMs() - startMs - answerMs;
    if (stalledMs > STALL_MS) await clock.sleep(Math.min(stalledMs, answerMs));
    throw new Error("no answer within the deadline");
  }

  async function askWithinTime(): Promise<boolean> {
    try {
      await Promise.race([ask(), refuseLate(clock.monotonicMs())]);
      return remember(true);
    } catch (error) {
      if (!isPrepared && isRefusal(error)) onRefused?.(error);
      return remember(isPrepared && isServerFull(error), error);
    } finally {
      asking = undefined;
    }
  }

  return {
    db,
    async isAvailable() {
      if (url === undefined) return false;
      if (known && clock.monotonicMs() < known.untilMs) return known.isAnswering;
      asking ??= askWithinTime();
      return asking;
    },
    clockOffsetMs: () => clockOffset.readMs(),
    isDiskFull: () => clock.monotonicMs() < diskFullUntilMs,
    limitTo: (sites, work) => limits.run(sites, work),
    // Not db.destroy(): it does not end a pool that no Kysely query has used yet.
    async close() {
      await Promise.all([pool.end(), asker.end()]);
    },
  };
}

function isQueueTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("timeout exceeded when trying to connect");
}

function isServerFull(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS;
}

function isLoginRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && LOGIN_REFUSED.test(error.code ?? "");
}

/** The database responds, and its contents show that this process is misconfigured. */
function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.kind === "invalid";
}

/** A connection that is not reused after a failure: a late response could no longer be matched to its query. */
async function connectTo(
  pool: pg.Pool,
  toRefusal: (error: unknown) => unknown,
  sites: readonly string[] | undefined,
): Promise<PostgresPoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toRefusal(error);
  });
  await limitSession(client, sites).catch((error: unknown) => {
    client.release(true);
    throw toRefusal(error);
  });
  let failure: Problem | undefined;
  const onError = (error: Error) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== IDLE_IN_TRANSACTION) return;
    failure = new Problem("unavailable", "the transaction waited too long between two statements", { cause: error });
  };
  client.on("error", onError);
  async function ask(text: string, values: unknown[]) {
    if (failure) throw failure;
    try {
      return await client.query(text, values);
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal instanceof Problem) failure = refusal;
      throw refusal;
    }
  }
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(text: unknown, values: unknown = []): unknown {
    if (typeof text !== "string" || !Array.isArray(values)) throw new Error("this pool has no cursors");
    return ask(text, values);
  }
  return {
    query,
    release() {
      client.off("error", onError);
      client.release(failure !== undefined);
    },
  };
}
