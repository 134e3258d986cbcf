import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import {
  type Generated,
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type Transaction,
} from "kysely";
import { runner } from "node-pg-migrate";
import pg from "pg";
import type { AlertRow } from "../alerts/alert.ts";
import type { NewApiKey } from "../api-keys/api-key.ts";
import type { ApprovalRow, ReminderStage, Vote } from "../approvals/approval.ts";
import type { AttackData } from "../attack/attack.ts";
import type { Change } from "../audit/audit.ts";
import type { Session } from "../auth/session.ts";
import type { SigningKey } from "../auth/signing-key.ts";
import type { Case, Comment, CustodyEntry, NewEvidence, Observable, Task, TimelineEntry } from "../cases/case.ts";
import type { Feedback } from "../detections/feedback.ts";
import type { MatchRow } from "../detections/match.ts";
import type { RuleRow, RuleVersionRow } from "../detections/rule.ts";
import type { Run } from "../detections/run.ts";
import type { Suppression } from "../detections/suppression.ts";
import type { Circuit } from "../edr/circuit.ts";
import type { EdrActionRow } from "../edr/edr-action.ts";
import type { EndpointRow } from "../edr/endpoint.ts";
import type { IocHit, IocRow } from "../iocs/ioc.ts";
import type { CheckpointRow, EntryRow, LeafRow, WaitingRow } from "../ledger/ledger.ts";
import type { TreeNode } from "../ledger/merkle.ts";
import type { ChannelRow } from "../notifications/channels.store.ts";
import type { Delivery } from "../notifications/delivery.ts";
import type { OutboundEntry, Start } from "../outbound/dispatch.ts";
import type { Report } from "../reports/report.ts";
import type { Hunt } from "../siem/hunt.ts";
import type { Site } from "../sites/site.ts";
import type { AutomationRow, Firing } from "../soar/automation.ts";
import type { ExecutionRow, StepRow } from "../soar/execution.ts";
import type { PlaybookRow, PlaybookVersion } from "../soar/playbook.ts";
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
  outbound_log: OutboundEntry;
  hunts: Hunt;
  detection_rules: RuleRow;
  detection_rule_versions: RuleVersionRow;
  detection_runs: Run;
  detection_suppressions: Suppression;
  detection_matches: MatchRow;
  detection_counts: {
    rule_id: string;
    hour: Date;
    runs: number;
    matches: number;
    suppressed: number;
    alerts: Generated<number>;
  };
  detection_feedback: Feedback;
  attack_data: AttackData & { is_only: Generated<boolean> };
  reports: Report;
  iocs: IocRow & {
    network: Generated<string | null>;
    search_claimed_until: Generated<Date | null>;
    search_attempts: Generated<number>;
    changed_by: Generated<string>;
  };
  ioc_hits: IocHit & { ioc_id: string };
  edr_endpoints: EndpointRow;
  edr_actions: EdrActionRow;
  edr_circuit: Circuit & { is_only: Generated<boolean> };
  automations: AutomationRow;
  automation_firings: Firing;
  mode_log: Start;
  playbooks: PlaybookRow;
  playbook_versions: PlaybookVersion;
  executions: ExecutionRow;
  execution_steps: StepRow;
  approvals: ApprovalRow;
  approval_votes: Vote & { approval_id: string };
  approval_reminders: { approval_id: string; stage: ReminderStage; at: Date };
  notification_channels: ChannelRow;
  notification_deliveries: Delivery;
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
const AWAY_CODES = /^(08...|57P0[1235]|53300|25006)$/;
const AWAY_WORDS =
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
  function refusalOf(error: unknown): unknown {
    if (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED) {
      return new Problem("unavailable", "the database took too long", { cause: error });
    }
    if (!isAway(error)) return error;
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
  const refusing = { options: {}, connect: () => connectTo(pool, refusalOf), end: () => pool.end() };
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
function isAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return AWAY_CODES.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  return "syscall" in error || error instanceof AggregateError || AWAY_WORDS.test(error.message);
}

/** A connection that is not used again after it failed: what a late answer belongs to could not be told any more. */
async function connectTo(pool: pg.Pool, refusalOf: (error: unknown) => unknown): Promise<PostgresPoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    throw refusalOf(error);
  });
  let failure: Problem | undefined;
  async function ask(text: string, values: unknown[]) {
    if (failure) throw failure;
    try {
      return await client.query(text, values);
    } catch (error) {
      const refusal = refusalOf(error);
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
