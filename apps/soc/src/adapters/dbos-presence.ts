import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { type HasWork, MIN_POLL_INTERVAL_MS } from "../foundation/work-poller.ts";
import { findWritable, type Servers } from "./postgres/postgres-servers.ts";
import { CONNECTION, ROLE } from "./postgres/postgres-session.ts";

export interface PresenceDeps {
  /** Connects directly: the advisory lock belongs to the session, and a pooler would share sessions. */
  servers: Servers;
  executorId: string;
  /** Assigns the work of an ended executor to running executors. */
  takeOver: (executorId: string) => Promise<void>;
  /** The connection is lost, and with it the lock: other executors treat this process as dead, so it must exit. */
  onLeaseLost: (reason: Error) => void;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
}

// "soc" and a number; other advisory locks of the database use other classes.
const LOCK_CLASS = 0x736f_6301;
const EXCLUSIVE_LOCK = "one process at a time";
const ALONE_MS = 100;
const ALONE_TRIES = 600;
const ANSWER_MS = 10_000;
// A machine that loses power closes no connection; with these settings the server detects it within 11 seconds.
const KEEP_ALIVE = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3";
const PENDING = `SELECT DISTINCT executor_id AS id FROM dbos.workflow_status
  WHERE status = 'PENDING' AND executor_id IS NOT NULL AND executor_id <> $1 LIMIT 100`;

/** Selects the work of other executors, alive or ended. */
export function selectPendingOfOthers(executorId: string): RawBuilder<unknown> {
  return sql`SELECT FROM dbos.workflow_status
    WHERE status = 'PENDING' AND executor_id IS NOT NULL AND executor_id <> ${executorId}`;
}

/**
 * Proves that this executor is alive, with an advisory lock that ends with its process, and detects executors that have
 * ended.
 */
export function createPresence({ servers, executorId, takeOver, onLeaseLost, clock, log }: PresenceDeps) {
  const closing = new AbortController();
  let opened: pg.Client | undefined;
  let polling: Promise<void> | undefined;
  let isLost = false;

  function lose(reason: Error): void {
    if (isLost || closing.signal.aborted) return;
    isLost = true;
    closing.abort();
    onLeaseLost(reason);
  }

  function session(): pg.Client {
    if (!opened) throw new Error("the presence of this executor has not started");
    return opened;
  }

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({
      ...CONNECTION,
      connectionString: await findWritable(servers, ANSWER_MS),
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      application_name: "manara-soc-presence",
      options: `-c role=${ROLE} ${KEEP_ALIVE}`,
    });
    client.on("error", lose);
    client.on("end", () => lose(new Error("the connection that holds this executor's lock has ended")));
    await client.connect();
    return client;
  }

  async function tryLock(id: string): Promise<boolean> {
    const { rows } = await session().query<{ is_locked: boolean }>(
      "SELECT pg_try_advisory_lock($1::int, hashtext($2)) AS is_locked",
      [LOCK_CLASS, id],
    );
    return rows[0]?.is_locked === true;
  }

  async function unlock(id: string): Promise<void> {
    await session().query("SELECT pg_advisory_unlock($1::int, hashtext($2))", [LOCK_CLASS, id]);
  }

  async function look(): Promise<void> {
    const { rows } = await session().query<{ id: string }>(PENDING, [executorId]);
    for (const { id } of rows) {
      if (!(await tryLock(id))) continue;
      try {
        await takeOver(id);
        log.info({ executor: id }, "work of an ended executor taken over");
      } finally {
        await unlock(id);
      }
    }
  }

  async function poll(hasPending: HasWork): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        if (await hasPending()) await look();
      } catch (error) {
        log.warn({ err: error }, "detection of ended executors failed");
      }
      await clock.sleep(MIN_POLL_INTERVAL_MS, closing.signal).catch(() => undefined);
    }
  }

  return {
    /** Takes the lock. Nothing may start under this executor's name before that. */
    async start(): Promise<void> {
      opened = await open();
      if (!(await tryLock(executorId))) throw new Error(`another process already runs as executor ${executorId}`);
    },

    /** Runs the work while no other process runs it. */
    async alone(work: () => Promise<void>): Promise<void> {
      // Poll for the lock: a session that waits for a lock blocks CREATE INDEX CONCURRENTLY.
      for (let tries = 1; !(await tryLock(EXCLUSIVE_LOCK)); tries += 1) {
        if (tries >= ALONE_TRIES)
          throw new Error("another process takes too long to create the workflow engine's tables");
        await clock.sleep(ALONE_MS, closing.signal);
      }
      try {
        await work();
      } finally {
        await unlock(EXCLUSIVE_LOCK);
      }
    },

    /** Polls for executors that have ended, until this presence is closed. */
    watch(hasPending: HasWork): void {
      polling ??= poll(hasPending);
    },

    async close(): Promise<void> {
      closing.abort();
      await polling;
      if (!isLost) await opened?.end();
    },
  };
}
