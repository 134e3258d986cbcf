import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { type Generated, Kysely, PostgresDialect, type Transaction } from "kysely";
import { runner } from "node-pg-migrate";
import pg from "pg";
import type { AlertRow } from "../alerts/alert.ts";
import type { NewApiKey } from "../api-keys/api-key.ts";
import type { Change } from "../audit/audit.ts";
import type { Session } from "../auth/session.ts";
import type { SigningKey } from "../auth/signing-key.ts";
import type { Case, Comment, CustodyEntry, NewEvidence, Observable, Task, TimelineEntry } from "../cases/case.ts";
import type { CheckpointRow, EntryRow, LeafRow, WaitingRow } from "../ledger/ledger.ts";
import type { TreeNode } from "../ledger/merkle.ts";
import type { Site } from "../sites/site.ts";
import type { NewUser } from "../users/user.ts";

export interface Tables {
  alerts: AlertRow;
  cases: Case;
  case_timeline: TimelineEntry & { id: Generated<string>; case_id: string };
  case_observables: Observable & { case_id: string };
  case_evidence: NewEvidence & { case_id: string };
  case_custody: CustodyEntry & { id: Generated<string>; evidence_id: string };
  case_comments: Comment & { case_id: string };
  case_tasks: Task & { case_id: string };
  sites: Site & { created_at: Generated<Date> };
  users: NewUser & { token_version: Generated<number>; created_at: Generated<Date>; updated_at: Generated<Date> };
  signing_keys: SigningKey;
  sessions: Session;
  api_keys: NewApiKey & { revoked: Generated<boolean>; created_at: Generated<Date> };
  audit_log: Change & { id: string; at: Generated<Date> };
  outbox: {
    id: Generated<string>;
    xid: Generated<string>;
    at: Generated<Date>;
    type: string;
    subject_id: string;
    data: object;
  };
  ledger_entries: EntryRow;
  ledger_waiting: WaitingRow;
  ledger_leaves: LeafRow;
  ledger_nodes: TreeNode;
  ledger_checkpoints: CheckpointRow;
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
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "info" | "warn">;
  /** Runs once, after the tables are up to date and before the database counts as available. */
  onFirstAnswer: (db: Db) => Promise<void>;
}

const ANSWER_MS = 1500;
// Long enough for one request that asks again and again, so that all of it waits once.
const ABSENCE_HOLDS_MS = 100;
const ROLE = "soc_app";

export function createDatabase({ url, migrationsFolder, clock, log, onFirstAnswer }: DatabaseDeps): Database {
  const connection = { connectionString: url, connectionTimeoutMillis: ANSWER_MS };
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    query_timeout: ANSWER_MS,
    statement_timeout: ANSWER_MS,
    application_name: "manara-soc",
    // The owner of the tables could do anything with them; the service may not.
    options: `-c role=${ROLE}`,
  });
  // A connection that dies while idle is replaced at the next query; without a listener it would end the process.
  pool.on("error", () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  let preparing: Promise<void> | undefined;
  let wasAvailable: boolean | undefined;
  let isAwayUntilMs = 0;

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
    await pool.query("SELECT 1");
  }

  function remember(isNow: boolean, error?: unknown): boolean {
    if (isNow && wasAvailable !== true) log.info({}, "database answers");
    if (!isNow && wasAvailable !== false) log.warn({ err: error }, "database does not answer");
    if (!isNow) isAwayUntilMs = clock.monotonicMs() + ABSENCE_HOLDS_MS;
    wasAvailable = isNow;
    return isNow;
  }

  return {
    db,
    isAvailable: async () =>
      url !== undefined &&
      clock.monotonicMs() >= isAwayUntilMs &&
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
