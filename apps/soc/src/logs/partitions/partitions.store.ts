import { type Kysely, sql } from "kysely";
import type { Db, Tables, Tx } from "../../foundation/database/tables.ts";
import type { PartitionOwnership } from "./assignment.ts";
import {
  acquire,
  type Claim,
  type ClaimRequest,
  claimGroup,
  type Holder,
  LEASE_MS,
  type PartitionState,
  release,
  renew,
  settle,
} from "./partition-rules.ts";

/** What a worker reads in each round. */
export interface Round {
  /** All partitions, with their owners. */
  owned: PartitionOwnership[];
  /** The workers that may own partitions. */
  workers: string[];
  /** The partitions that this worker still holds. */
  renewed: ReadonlyMap<number, PartitionState>;
}

/** The partitions and their rules. A change is one transaction that locks the row of its partition. */
export interface PartitionsStore {
  /** Creates partitions that do not exist yet, each with its place in the stream. */
  create(places: ReadonlyMap<number, string>): Promise<void>;
  list(): Promise<number[]>;
  /** The place in the stream of each partition up to which all logs are stored. */
  listHandled(): Promise<ReadonlyMap<number, string>>;
  /** Deletes partitions from this number on. */
  deleteFrom(partition: number): Promise<void>;
  /** Reports this worker as alive, and renews its leases. `alongside` runs in the same transaction. */
  report(
    worker: string,
    held: ReadonlyMap<number, Holder>,
    alongside?: (tx: Tx, renewed: ReadonlyMap<number, PartitionState>) => Promise<void>,
  ): Promise<Round>;
  /** Undefined if another worker holds the partition. */
  acquire(partition: number, worker: string): Promise<PartitionState | undefined>;
  release(partition: number, holder: Holder): Promise<void>;
  /**
   * Claims a group. In the same transaction, `prepare` runs first, and `alongside` after the ingest time is chosen.
   * Undefined if the worker no longer holds the partition.
   */
  claim<Plan extends { floorMs: number }, Result>(
    partition: number,
    holder: Holder,
    request: Omit<ClaimRequest, "floorMs">,
    prepare: (tx: Tx) => Promise<Plan>,
    alongside: (tx: Tx, claimed: ActiveClaim) => Promise<Result>,
  ): Promise<{ claimed: ActiveClaim; plan: Plan; known: Result } | undefined>;
  /** Ends the claimed group. Returns false and changes nothing if the worker no longer holds the partition. */
  settle(
    partition: number,
    holder: Holder,
    alongside: (tx: Tx, settled: PartitionState) => Promise<void>,
  ): Promise<boolean>;
  /** The worker owns nothing and acquires nothing from now on. */
  retire(worker: string): Promise<void>;
  /** Whether any worker may own partitions now. */
  hasWorkers(): Promise<boolean>;
  /** The lowest watermark of all partitions; undefined without partitions. */
  lowest(): Promise<Date | undefined>;
}

export interface ActiveClaim extends Claim {
  /** The number of the group in its partition. */
  group: number;
  leaseUntilMs: number;
}

/** The ingest time at which changed rules begin to apply. */
export interface FrontierStore {
  /** An ingest time above that of all claimed groups. */
  find(): Promise<Date>;
}

export function createFrontierStore(tx: Db): FrontierStore {
  return {
    async find() {
      const { rows } = await sql<{ frontier: Date }>`
        SELECT greatest(clock_timestamp(), max(watermark), max(claim_stamp))::timestamptz(3) + interval '1 ms' AS frontier
        FROM log_partitions`.execute(tx);
      return rows[0]?.frontier ?? new Date(0);
    },
  };
}

/** A process that freezes inside a transaction must not lock the row of its partition for longer than its lease. */
const MAX_IDLE_MS = "2000";

const WRITER = "partitions";

interface PartitionRow {
  partition: number;
  epoch: string;
  owner: string | null;
  lease_until: Date | number;
  watermark: Date;
  handled: string;
  groups: string;
  claim_to: string | null;
  claim_stamp: Date | null;
  now: Date;
}

export function createPartitionsStore(db: Kysely<Tables>): PartitionsStore {
  async function change<Result>(
    partition: number,
    work: (tx: Tx, state: PartitionState, nowMs: number) => Promise<Result>,
  ): Promise<Result | undefined> {
    return db.transaction().execute(async (tx) => {
      const [locked] = await lock(tx, [partition]);
      return locked && work(tx, locked.state, locked.nowMs);
    });
  }

  return {
    async create(places) {
      const rows = [...places].map(([partition, handled]) => ({ partition, handled }));
      await sql`
        INSERT INTO log_partitions (partition, handled, watermark)
        SELECT partition, handled, greatest(clock_timestamp(), (SELECT max(watermark) FROM log_writers))
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (partition integer, handled text)
        ON CONFLICT DO NOTHING`.execute(db);
    },

    async list() {
      const { rows } = await sql<{ partition: number }>`
        SELECT partition FROM log_partitions ORDER BY partition`.execute(db);
      return rows.map(({ partition }) => partition);
    },

    async listHandled() {
      const { rows } = await sql<Pick<PartitionRow, "partition" | "handled">>`
        SELECT partition, handled FROM log_partitions`.execute(db);
      return new Map(rows.map(({ partition, handled }) => [partition, handled]));
    },

    async deleteFrom(partition) {
      await sql`DELETE FROM log_partitions WHERE partition >= ${partition}`.execute(db);
    },

    report: (worker, held, alongside) =>
      db.transaction().execute(async (tx) => {
        await sql`INSERT INTO log_partition_workers (worker, seen_at) VALUES (${worker}, now())
          ON CONFLICT (worker) DO UPDATE SET seen_at = now()`.execute(tx);
        const renewed = new Map<number, PartitionState>();
        for (const { partition, state, nowMs } of await lock(tx, [...held.keys()])) {
          const holder = held.get(partition);
          const next = holder && renew(state, holder, nowMs);
          if (next) renewed.set(partition, next);
        }
        await save(tx, renewed);
        await alongside?.(tx, renewed);
        await reportWriter(tx);
        return { renewed, ...(await readAll(tx)) };
      }),

    acquire: (partition, worker) =>
      change(partition, async (tx, state, nowMs) => {
        const taken = acquire(state, worker, nowMs);
        if (taken) await save(tx, new Map([[partition, taken]]));
        return taken;
      }),

    async release(partition, holder) {
      await change(partition, (tx, state, nowMs) => save(tx, new Map([[partition, release(state, holder, nowMs)]])));
    },

    claim: (partition, holder, { to }, prepare, alongside) =>
      db.transaction().execute(async (tx) => {
        const plan = await prepare(tx);
        const [locked] = await lock(tx, [partition]);
        const next = locked && claimGroup(locked.state, holder, { to, floorMs: plan.floorMs }, locked.nowMs);
        if (!next) return undefined;
        await save(tx, new Map([[partition, next]]));
        const claimed = { ...next.claim, group: next.groups, leaseUntilMs: next.leaseUntilMs };
        return { claimed, plan, known: await alongside(tx, claimed) };
      }),

    async settle(partition, holder, alongside) {
      const isSettled = await change(partition, async (tx, state, nowMs) => {
        const next = settle(state, holder, nowMs);
        if (!next) return false;
        await save(tx, new Map([[partition, next]]));
        await alongside(tx, next);
        return true;
      });
      return isSettled ?? false;
    },

    async retire(worker) {
      await sql`DELETE FROM log_partition_workers WHERE worker = ${worker}`.execute(db);
    },

    hasWorkers: async () => (await listWorkers(db)).length > 0,

    async lowest() {
      const { rows } = await sql<{ lowest: Date | null }>`
        SELECT min(watermark) AS lowest FROM log_partitions`.execute(db);
      return rows[0]?.lowest ?? undefined;
    },
  };
}

interface LockedPartition {
  partition: number;
  state: PartitionState;
  /** The database clock, read after the row was locked. */
  nowMs: number;
}

async function lock(tx: Tx, partitions: readonly number[]): Promise<LockedPartition[]> {
  if (partitions.length === 0) return [];
  const { rows } = await sql<PartitionRow>`
    WITH limited AS MATERIALIZED (
      SELECT set_config('idle_in_transaction_session_timeout', ${MAX_IDLE_MS}, true) AS idle
    ), locked AS MATERIALIZED (
      SELECT * FROM log_partitions WHERE partition = ANY(${[...partitions]}::integer[]) ORDER BY partition FOR UPDATE
    )
    SELECT locked.*, clock_timestamp()::timestamptz(3) AS now FROM locked, limited`.execute(tx);
  return rows.map((row) => ({ partition: row.partition, state: toState(row), nowMs: row.now.getTime() }));
}

async function save(tx: Tx, changed: ReadonlyMap<number, PartitionState>): Promise<void> {
  if (changed.size === 0) return;
  const rows = [...changed].map(([partition, state]) => ({
    partition,
    epoch: state.epoch,
    owner: state.owner ?? null,
    lease_until: new Date(state.leaseUntilMs),
    watermark: new Date(state.watermarkMs),
    handled: state.handled,
    groups: state.groups,
    claim_to: state.claim?.to ?? null,
    claim_stamp: state.claim ? new Date(state.claim.stampMs) : null,
  }));
  await sql`
    UPDATE log_partitions AS known SET epoch = next.epoch, owner = next.owner, lease_until = next.lease_until,
      watermark = next.watermark, handled = next.handled, groups = next.groups, claim_to = next.claim_to,
      claim_stamp = next.claim_stamp
    FROM jsonb_populate_recordset(NULL::log_partitions, ${JSON.stringify(rows)}::jsonb) AS next
    WHERE known.partition = next.partition`.execute(tx);
}

/** Workers of older releases close windows below the lowest writer: all partitions together act as one writer. */
async function reportWriter(tx: Tx): Promise<void> {
  await sql`
    INSERT INTO log_writers AS known (writer, watermark, seen_at, has_session)
    SELECT ${WRITER}, min(watermark), now(), false FROM log_partitions HAVING min(watermark) IS NOT NULL
    ON CONFLICT (writer) DO UPDATE SET watermark = greatest(known.watermark, excluded.watermark), seen_at = now()
  `.execute(tx);
}

async function readAll(tx: Db): Promise<Pick<Round, "owned" | "workers">> {
  const { rows: owned } = await sql<{ partition: number; owner: string | null }>`
    SELECT partition, CASE WHEN lease_until > clock_timestamp() THEN owner END AS owner
    FROM log_partitions ORDER BY partition`.execute(tx);
  return {
    owned: owned.map(({ partition, owner }) => ({ partition, owner: owner ?? undefined })),
    workers: await listWorkers(tx),
  };
}

async function listWorkers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ worker: string }>`
    SELECT worker FROM log_partition_workers
    WHERE seen_at > clock_timestamp() - make_interval(secs => ${LEASE_MS / 1000}) ORDER BY worker`.execute(db);
  return rows.map(({ worker }) => worker);
}

function toState(row: PartitionRow): PartitionState {
  const { claim_to, claim_stamp } = row;
  return {
    epoch: Number(row.epoch),
    owner: row.owner ?? undefined,
    // The driver parses '-infinity' as a number.
    leaseUntilMs: row.lease_until instanceof Date ? row.lease_until.getTime() : 0,
    watermarkMs: row.watermark.getTime(),
    handled: row.handled,
    groups: Number(row.groups),
    claim: claim_to === null || claim_stamp === null ? undefined : { to: claim_to, stampMs: claim_stamp.getTime() },
  };
}
