import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../../foundation/database/tables.ts";
import { sessionLock } from "./live-writer.ts";

export interface WriterSessionDeps {
  db: Kysely<Tables>;
  /** The name of the writer. */
  name: string;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

export type WriterSession = ReturnType<typeof createWriterSession>;

const CHECK_MS = 1000;

/**
 * Holds a lock in the database while this process lives. If the process is killed, the server releases the lock at
 * once, and others know that its inserts are over.
 */
export function createWriterSession({ db, name, clock, log }: WriterSessionDeps) {
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let isHeld = false;

  async function hold(): Promise<void> {
    await db.connection().execute(async (session) => {
      await sql`SELECT pg_advisory_lock(${sessionLock(name)})`.execute(session);
      isHeld = true;
      while (!closing.signal.aborted) {
        await clock.sleep(CHECK_MS, closing.signal).catch(() => undefined);
        await sql`SELECT 1`.execute(session);
      }
      await sql`SELECT pg_advisory_unlock(${sessionLock(name)})`.execute(session);
    });
  }

  async function run(): Promise<void> {
    let hadSucceeded = true;
    while (!closing.signal.aborted) {
      await hold().catch((error: unknown) => {
        if (isHeld || hadSucceeded) log.warn({ err: error }, "session of the log writer lost");
        hadSucceeded = false;
      });
      isHeld = false;
      await clock.sleep(CHECK_MS, closing.signal).catch(() => undefined);
    }
  }

  return {
    isHeld: () => isHeld,

    start(): void {
      running ??= run();
    },

    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
}
