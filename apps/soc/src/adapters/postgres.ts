import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { type Generated, Kysely, PostgresDialect, type Transaction } from "kysely";
import { runner } from "node-pg-migrate";
import pg from "pg";
import type { User } from "../users/user.ts";

export interface Tables {
  users: User & { created_at: Generated<Date> };
}

/** Satisfied by the database and by a transaction alike. */
export type Db = Kysely<Tables> | Transaction<Tables>;

export interface Database {
  db: Kysely<Tables>;
  /** Whether it answers now. The first answer ever also brings its tables up to date. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}

export interface DatabaseDeps {
  /** Without one there is no database: it never answers, and nothing is ever asked. */
  url: string | undefined;
  migrationsFolder: string;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
  /** Runs once, after the tables are up to date and before the database counts as available. */
  onFirstAnswer: (db: Db) => Promise<void>;
}

const ANSWER_MS = 1500;

export function createDatabase({ url, migrationsFolder, clock, log, onFirstAnswer }: DatabaseDeps): Database {
  const connection = { connectionString: url, connectionTimeoutMillis: ANSWER_MS };
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    query_timeout: ANSWER_MS,
    statement_timeout: ANSWER_MS,
    application_name: "manara-soc",
  });
  // A connection that dies while idle is replaced at the next query; without a listener it would end the process.
  pool.on("error", () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  let preparing: Promise<void> | undefined;
  let wasAvailable: boolean | undefined;

  async function prepare(): Promise<void> {
    await pool.query("SELECT 1");
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
    await pool.query("SELECT 1");
  }

  function remember(isNow: boolean, error?: unknown): boolean {
    if (isNow && wasAvailable !== true) log.info({}, "database answers");
    if (!isNow && wasAvailable !== false) log.warn({ err: error }, "database does not answer");
    wasAvailable = isNow;
    return isNow;
  }

  return {
    db,
    isAvailable: async () =>
      url !== undefined &&
      Promise.race([ask(), clock.sleep(ANSWER_MS).then(refuseLate)]).then(
        () => remember(true),
        (error: unknown) => remember(false, error),
      ),
    // Not db.destroy(): that forgets a pool through which no Kysely query has gone yet.
    close: () => pool.end(),
  };
}

function refuseLate(): never {
  throw new Error(`no answer within ${ANSWER_MS} ms`);
}
