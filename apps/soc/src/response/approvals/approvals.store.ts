import { sql } from "kysely";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import {
  type Approval,
  type ApprovalDetail,
  type ApprovalPolicy,
  type ApprovalRow,
  type ApprovalStatus,
  NEWEST_FIRST,
  type ReminderStage,
  type Requesters,
  type Starters,
  type Vote,
} from "./approval.ts";
import type { ApprovalsQuery } from "./approvals.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    approvals: ApprovalRow & { wait_ended_at: Date | null };
    approval_votes: Vote & { approval_id: string };
    approval_reminders: { approval_id: string; stage: ReminderStage; at: Date };
  }
}

/** Reads outside a transaction. */
export interface ApprovalsStore {
  /** Lists open approvals, unless the query names a status. */
  list(scope: Scope, query: ApprovalsQuery): Promise<Page<Approval>>;
  /** Lists open approvals that the user may decide: neither as a requester under four eyes nor after a vote. */
  listDecidable(scope: Scope, username: string, query: ApprovalsQuery): Promise<Page<Approval>>;
  /** Lists the requests of one user, in every status unless the query names one. */
  listOwn(scope: Scope, requested_by: string, query: ApprovalsQuery): Promise<Page<Approval>>;
  find(scope: Scope, id: string): Promise<ApprovalDetail | undefined>;
  /** Returns the ids that are in the scope. */
  findVisible(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** An approval with its expiry checked by the database clock. */
export type CurrentApproval = Omit<ApprovalRow, "site"> & { is_expired: boolean };

/** A requested approval; the database sets the times. */
export type NewApproval = Omit<
  ApprovalRow,
  "status" | "requested_at" | "expires_at" | "decided_by" | "decided_at" | "reason"
> & { ttl_hours: number };

const COLUMNS = [
  "id",
  "kind",
  "playbook_id",
  "playbook_version",
  "action",
  "justification",
  "case_id",
  "alert_id",
  "parameters",
  "missing_inputs",
  "effect",
  "effect_hash",
  "requested_by",
  "requested_at",
  "expires_at",
  "decided_by",
  "decided_at",
  "reason",
  "execution_id",
] as const satisfies readonly (keyof Approval)[];

// now() would return the start of the transaction, which may have waited for a lock since then.
const IS_EXPIRED = sql<boolean>`expires_at <= clock_timestamp()`;

/** An expired approval reads as `timeout` even before the worker has updated its row. */
const STATUS = sql<ApprovalStatus>`CASE WHEN status = 'pending' AND ${IS_EXPIRED} THEN 'timeout' ELSE status END`;

/**
 * Pending, or a request whose agent stopped waiting: a person may decide it until it expires. The condition with
 * `now()` matches an index, so that a list does not read every request that ever timed out.
 */
export const IS_OPEN = sql<boolean>`(status = 'pending' OR (kind = 'request' AND status = 'timeout' AND expires_at > now()))
  AND NOT ${IS_EXPIRED}`;

function current(db: Db) {
  return db
    .selectFrom("approvals")
    .select(COLUMNS)
    .select(["four_eyes", "quorum", "requesters", "starters", STATUS.as("status"), IS_EXPIRED.as("is_expired")]);
}

export function createApprovalsStore(db: Db): ApprovalsStore {
  const approvals = (scope: Scope) =>
    db.selectFrom("approvals").select(COLUMNS).select(STATUS.as("status")).where(isInScope(scope));
  return {
    list: (scope, query) => {
      const { status } = query;
      const listed = approvals(scope);
      if (status === undefined) return readPage<Approval>(db, listed.where(IS_OPEN), NEWEST_FIRST, query);
      if (status === "timeout") return readPage<Approval>(db, listed.where(STATUS, "=", status), NEWEST_FIRST, query);
      // The plain status comparison uses the index; the second condition drops rows that have just expired.
      const stored = listed.where("status", "=", status);
      const shown = status === "pending" ? stored.where(sql<boolean>`NOT ${IS_EXPIRED}`) : stored;
      return readPage<Approval>(db, shown, NEWEST_FIRST, query);
    },

    listDecidable: (scope, username, query) => {
      const isBarred = sql<boolean>`four_eyes AND (requested_by = ${username} OR ${username} = ANY (requesters))
        OR EXISTS (SELECT FROM approval_votes WHERE approval_id = approvals.id AND decided_by = ${username})`;
      const listed = approvals(scope).where(IS_OPEN).where(sql<boolean>`NOT (${isBarred})`);
      return readPage<Approval>(db, listed, NEWEST_FIRST, query);
    },

    listOwn: (scope, requested_by, query) => {
      const { status } = query;
      const listed = approvals(scope).where("requested_by", "=", requested_by);
      return readPage<Approval>(db, status ? listed.where(STATUS, "=", status) : listed, NEWEST_FIRST, query);
    },

    async find(scope, id) {
      const row = isUuid(id) ? await selectOne(db, scope, id).executeTakeFirst() : undefined;
      if (!row) return undefined;
      const { four_eyes, quorum, is_expired: _, starters: __, ...approval } = row;
      return { ...approval, policy: { four_eyes, quorum }, votes: await listVotes(db, id) };
    },

    async findVisible(scope, ids) {
      const rows = await approvals(scope)
        .where(sql<boolean>`id = ANY(${ids.filter(isUuid)}::uuid[])`)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}

function selectOne(db: Db, scope: Scope, id: string) {
  return current(db).where("id", "=", id).where(isInScope(scope));
}

async function listVotes(db: Db, approval_id: string): Promise<Vote[]> {
  return db
    .selectFrom("approval_votes")
    .select(["decided_by", "approved", "reason", "decided_at"])
    .where("approval_id", "=", approval_id)
    .orderBy("decided_at")
    .orderBy("decided_by")
    .execute();
}

type Request = Pick<Approval, "kind" | "requested_by" | "effect_hash">;

export interface ApprovalUse
  extends Pick<Approval, "id" | "kind" | "playbook_id" | "playbook_version" | "effect_hash"> {
  execution_id: string;
  /** The missing inputs that the call sets. */
  set?: BoundInputs | undefined;
}

/** The approved content after setting missing inputs. */
export type BoundInputs = Pick<Approval, "parameters" | "effect" | "missing_inputs" | "effect_hash">;

export interface Decision {
  status: "approved" | "rejected";
  decided_by: string;
  reason: string | null;
}

/** The driver would send arrays as PostgreSQL arrays. */
function toJsonb({ parameters, effect, missing_inputs }: Pick<Approval, "parameters" | "effect" | "missing_inputs">) {
  return {
    parameters: sql<Approval["parameters"]>`${JSON.stringify(parameters)}::jsonb`,
    effect: sql<Approval["effect"]>`${JSON.stringify(effect)}::jsonb`,
    missing_inputs: sql<Approval["missing_inputs"]>`${JSON.stringify(missing_inputs)}::jsonb`,
  };
}

function toStored({ effect_hash, ...bound }: BoundInputs) {
  return { effect_hash, ...toJsonb(bound) };
}

/** Writes and the reads that they need. */
export interface ApprovalsWriter {
  /** Finds the approval in every scope unless one is named. */
  find(id: string, scope?: Scope): Promise<CurrentApproval | undefined>;
  /** Locks the row, so that no other transaction decides or uses the approval before this one ends. */
  lock(scope: Scope, id: string): Promise<CurrentApproval | undefined>;
  /** Finds a pending approval of one of the cases that has not expired, for any site. */
  findOpen(case_ids: readonly string[]): Promise<string | undefined>;
  /** The newest approval for the same request that has not expired, in any status. */
  findRequested(request: Request): Promise<CurrentApproval | undefined>;
  /** Ends an expired approval that the worker has not processed yet, so that it does not block a new one. */
  endExpiredRequest(request: Request): Promise<Approval[]>;
  /** Undefined if a pending approval for the same request exists. */
  insert(asked: NewApproval): Promise<Approval | undefined>;
  /** Stores a past approval with its times and, if decided, its vote. */
  insertPast(approval: ApprovalRow): Promise<void>;
  /** Consumes the approval in one atomic statement: only one of several concurrent callers succeeds. */
  consume(use: ApprovalUse): Promise<(Approval & Requesters & Starters) | undefined>;
  /** Sets missing inputs of a locked approval. */
  setInputs(id: string, bound: BoundInputs): Promise<void>;
  /** Returns false if this person has already voted. */
  insertVote(approval_id: string, vote: Omit<Vote, "decided_at">): Promise<boolean>;
  listVotes(approval_id: string): Promise<Vote[]>;
  /** Undefined if the approval was decided or has expired. */
  decide(id: string, decision: Decision): Promise<Approval | undefined>;
  /**
   * Times out an approval that no process waits for; a request of an agent stays open until it expires. Undefined if it
   * was decided first.
   */
  endWaiting(id: string): Promise<Approval | undefined>;
  /** Makes an open request pending whose agent waits again. Undefined if it was decided in the meantime. */
  resumeWaiting(id: string): Promise<Approval | undefined>;
  /**
   * Deletes one batch of the oldest finished approvals beyond the number to keep and returns the number. An approval is
   * finished when it has expired; until then it can still be used, decided or found again.
   */
  deleteOver(keep: number, limit: number): Promise<number>;
}

export function createApprovalsWriter(db: Db): ApprovalsWriter {
  return {
    async find(id, scope = ALL_SITES) {
      return isUuid(id) ? selectOne(db, scope, id).executeTakeFirst() : undefined;
    },

    async lock(scope, id) {
      return isUuid(id) ? selectOne(db, scope, id).forUpdate().executeTakeFirst() : undefined;
    },

    async findOpen(case_ids) {
      const { rows } = await sql<{
        id: string | null;
      }>`SELECT find_open_approval(${[...case_ids]}::uuid[]) AS id`.execute(db);
      return rows[0]?.id ?? undefined;
    },

    async findRequested(request) {
      return current(db)
        .where("requested_by", "=", request.requested_by)
        .where("effect_hash", "=", request.effect_hash)
        .where("kind", "=", request.kind)
        .where(sql<boolean>`NOT ${IS_EXPIRED}`)
        .orderBy("requested_at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
    },

    async endExpiredRequest(request) {
      return db
        .updateTable("approvals")
        .set({ status: "timeout" })
        .where("requested_by", "=", request.requested_by)
        .where("effect_hash", "=", request.effect_hash)
        .where("kind", "=", request.kind)
        .where("status", "=", "pending")
        .where(IS_EXPIRED)
        .returning(COLUMNS)
        .returning("status")
        .execute();
    },

    async insert(asked) {
      const { ttl_hours, parameters, effect, missing_inputs, ...fields } = asked;
      return db
        .insertInto("approvals")
        .values({
          ...fields,
          status: "pending",
          ...toJsonb({ parameters, effect, missing_inputs }),
          requested_at: sql`now()`,
          expires_at: sql`now() + ${ttl_hours}::float8 * interval '1 hour'`,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning(COLUMNS)
        .returning("status")
        .executeTakeFirst();
    },

    async insertPast(approval) {
      const { id: approval_id, parameters, effect, missing_inputs, status, decided_by, decided_at, reason } = approval;
      await db
        .insertInto("approvals")
        .values({
          ...approval,
          ...toJsonb({ parameters, effect, missing_inputs }),
        })
        .execute();
      if (decided_by === null || decided_at === null) return;
      const vote = { decided_by, approved: status === "approved", reason, decided_at };
      await db
        .insertInto("approval_votes")
        .values({ approval_id, ...vote })
        .execute();
    },

    async consume(use) {
      return db
        .updateTable("approvals")
        .set({ execution_id: use.execution_id, ...(use.set && toStored(use.set)) })
        .where("id", "=", use.id)
        .where("kind", "=", use.kind)
        .where("status", "=", "approved")
        .where("execution_id", "is", null)
        .where("playbook_id", "is not distinct from", use.playbook_id)
        .where("playbook_version", "is not distinct from", use.playbook_version)
        .where("effect_hash", "=", use.effect_hash)
        .where(sql<boolean>`NOT ${IS_EXPIRED}`)
        .returning(COLUMNS)
        .returning(["status", "requesters", "starters"])
        .executeTakeFirst();
    },

    async setInputs(id, bound) {
      await db.updateTable("approvals").set(toStored(bound)).where("id", "=", id).execute();
    },

    async insertVote(approval_id, vote) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("approval_votes")
        .values({ approval_id, ...vote, decided_at: sql`clock_timestamp()` })
        .onConflict((voted) => voted.columns(["approval_id", "decided_by"]).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    listVotes: (approval_id) => listVotes(db, approval_id),

    async decide(id, decision) {
      return db
        .updateTable("approvals")
        .set({ ...decision, decided_at: sql`clock_timestamp()` })
        .where("id", "=", id)
        .where(IS_OPEN)
        .returning(COLUMNS)
        .returning("status")
        .executeTakeFirst();
    },

    async endWaiting(id) {
      return db
        .updateTable("approvals")
        .set({ status: "timeout", wait_ended_at: sql`CASE WHEN kind = 'request' THEN clock_timestamp() END` })
        .where("id", "=", id)
        .where("status", "=", "pending")
        .returning(COLUMNS)
        .returning("status")
        .executeTakeFirst();
    },

    async resumeWaiting(id) {
      return db
        .updateTable("approvals")
        .set({ status: "pending", wait_ended_at: null })
        .where("id", "=", id)
        .where("kind", "=", "request")
        .where("status", "=", "timeout")
        .where(sql<boolean>`NOT ${IS_EXPIRED}`)
        .returning(COLUMNS)
        .returning("status")
        .executeTakeFirst();
    },

    async deleteOver(keep, limit) {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM approvals WHERE id IN (
          SELECT id FROM approvals WHERE status <> 'pending' AND ${IS_EXPIRED}
          ORDER BY expires_at DESC, id DESC OFFSET ${keep} LIMIT ${limit})`.execute(db);
      return Number(numAffectedRows);
    },
  };
}

export function createShowcaseApprovalsStore(
  approvals: readonly Approval[],
  policy: ApprovalPolicy = { four_eyes: false, quorum: 1 },
): ApprovalsStore {
  return {
    list: async (_scope, query) =>
      pageInMemory(approvals, NEWEST_FIRST, query, ({ status }) => status === (query.status ?? "pending")),

    listDecidable: async (_scope, _username, query) =>
      pageInMemory(policy.four_eyes ? [] : approvals, NEWEST_FIRST, query, ({ status }) => status === "pending"),

    listOwn: async (_scope, requested_by, query) =>
      pageInMemory(
        approvals,
        NEWEST_FIRST,
        query,
        (each) => each.requested_by === requested_by && each.status === (query.status ?? each.status),
      ),

    async find(_scope, id) {
      const approval = approvals.find((each) => each.id === id);
      return approval && { ...approval, policy, requesters: [approval.requested_by], votes: toVotes(approval) };
    },

    findVisible: async (_scope, ids) => new Set(approvals.flatMap(({ id }) => (ids.includes(id) ? id : []))),
  };
}

function toVotes({ status, decided_by, decided_at, reason }: Approval): Vote[] {
  if (decided_by === null || decided_at === null) return [];
  return [{ decided_by, approved: status === "approved", reason, decided_at }];
}
