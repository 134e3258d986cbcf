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
import { runner } from "node-pg-migrate";
import pg from "pg";
import type { Database, Db, Tables } from "../foundation/database/tables.ts";

export interface DatabaseDeps {
  /** Without one there is no database: it never answers, and nothing is ever asked. */
  url: string | undefined;
  migrationsFolder: string;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "info" | "warn">;
  /** Runs once, after the tables are up to date and before the database counts as available. */
  onFirstAnswer: (db: Db) => Promise<void>;
}

const ANSWER_MS = 1500;
// Before our own patience ends, so that a statement that is merely slow is told from a database that is away.
const STATEMENT_MS = 1300;
// Long enough for one request that asks again and again, so that all of it waits once.
const ABSENCE_HOLDS_MS = 100;
const PRESENCE_HOLDS_MS = 50;
const CONNECTIONS = 20;
const ROLE = "soc_app";
// Of the codes of PostgreSQL: a statement that ran into its time-out.
const QUERY_CANCELED = "57014";
// Connection failures, shut-down, start-up, too many connections, and a standby that may not write.
const UNREACHABLE_CODES = /^(08...|57P0[1235]|53300|25006)$/;
const UNREACHABLE_MESSAGES =
  /^(Connection terminated|Client (was|has)|Query read timeout|timeout exceeded when trying to connect)/;

export function createDatabase({ url, migrationsFolder, clock, log, onFirstAnswer }: DatabaseDeps): Database {
  const connection = { connectionString: url, connectionTimeoutMillis: ANSWER_MS };
  const settings = {
    ...connection,
    query_timeout: ANSWER_MS,
    statement_timeout: STATEMENT_MS,
    application_name: "manara-soc",
    // The owner of the tables could do anything with them; the service may not.
    options: `-c role=${ROLE}`,
  };
  const pool = new pg.Pool({ ...settings, max: CONNECTIONS });
  // One of its own, so that a queue for the others is not taken for an absence.
  const asker = new pg.Pool({ ...settings, max: 1 });
  let preparing: Promise<void> | undefined;
  let asking: Promise<boolean> | undefined;
  let known: { isHere: boolean; untilMs: number } | undefined;
  let wasHere: boolean | undefined;

  function remember(isHere: boolean, error?: unknown): boolean {
    if (isHere && wasHere !== true) log.info({}, "database answers");
    if (!isHere && wasHere !== false) log.warn({ err: error }, "database does not answer");
    wasHere = isHere;
    known = { isHere, untilMs: clock.monotonicMs() + (isHere ? PRESENCE_HOLDS_MS : ABSENCE_HOLDS_MS) };
    return isHere;
  }

  /** What a failed connection or statement means to whoever asked for it. */
  function toRefusal(error: unknown): unknown {
    if (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED) {
      return new Problem("unavailable", "the database took too long", { cause: error });
    }
    if (!isUnreachable(error)) return error;
    if (pool.totalCount - pool.idleCount >= CONNECTIONS && isQueueTimeout(error)) {
      return new Problem("unavailable", "the database is busy", { cause: error });
    }
    remember(false, error);
    return new Problem("unavailable", "the database is unavailable", { cause: error });
  }

  const forget = () => {
    known = undefined;
  };
  // A connection that dies is replaced at the next query, and its query fails. Without these listeners one that is idle,
  // and one that is in use, would end the process.
  for (const each of [pool, asker]) {
    each.on("error", forget);
    each.on("connect", (client) => client.on("error", forget));
  }
  const refusing = { options: {}, connect: () => connectTo(pool, toRefusal), end: () => pool.end() };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: refusing }) });

  async function prepare(): Promise<void> {
    await runner({
      databaseUrl: connection,
      dir: migrationsFolder,
      direction: "up",
      migrationsTable: "migrations",
      log: () => undefined,
    });
    await onFirstAnswer(db);
  }

  async function ask(): Promise<void> {
    preparing ??= prepare();
    await preparing.catch((error: unknown) => {
      preparing = undefined;
      throw error;
    });
    await asker.query("SELECT 1");
  }

  async function askWithinTime(): Promise<boolean> {
    try {
      await Promise.race([ask(), clock.sleep(ANSWER_MS).then(refuseLate)]);
      return remember(true);
    } catch (error) {
      return remember(false, error);
    } finally {
      asking = undefined;
    }
  }

  return {
    db,
    async isAvailable() {
      if (url === undefined) return false;
      if (known && clock.monotonicMs() < known.untilMs) return known.isHere;
      asking ??= askWithinTime();
      return asking;
    },
    // Not db.destroy(): that forgets a pool through which no Kysely query has gone yet.
    async close() {
      await Promise.all([pool.end(), asker.end()]);
    },
  };
}

function refuseLate(): never {
  throw new Error(`no answer within ${ANSWER_MS} ms`);
}

function isQueueTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("timeout exceeded when trying to connect");
}

/** Whether the failure is the database's absence and not the fault of a statement. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNREACHABLE_CODES.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  return "syscall" in error || error instanceof AggregateError || UNREACHABLE_MESSAGES.test(error.message);
}

/** A connection that is not used again after it failed: what a late answer belongs to could not be told any more. */
async function connectTo(pool: pg.Pool, toRefusal: (error: unknown) => unknown): Promise<PostgresPoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toRefusal(error);
  });
  let failure: Problem | undefined;
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
  return { query, release: () => client.release(failure !== undefined) };
}
