import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./database/tables.ts";

const POLL_MS = 200;
const AFTER_FAILURE_MS = 1000;
/** Polling at least this often misses no notification. */
export const MIN_POLL_INTERVAL_MS = 150;

export interface WorkPollerDeps {
  db: Kysely<Tables>;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "warn">;
}

/** Resolves at the next poll: true if work is due. Resolves to false while the database is unreachable. */
export type HasWork = () => Promise<boolean>;

export interface WorkPoller {
  /** The statement selects the due rows; an index must find the first one. */
  watch(rows: RawBuilder<unknown>): HasWork;
}

interface PollRequest {
  asked: RawBuilder<unknown>[];
  answers: Promise<readonly boolean[]>;
}

/**
 * Polls for the due work of all waiting loops of this process in one statement. With separate polls, each loop would
 * cost a transaction.
 */
export function createWorkPoller({ db, clock, log }: WorkPollerDeps): WorkPoller {
  let next: PollRequest | undefined;
  let notBeforeMs = 0;

  async function look(asked: readonly RawBuilder<unknown>[]): Promise<readonly boolean[]> {
    await clock.sleep(Math.max(0, notBeforeMs - clock.monotonicMs()));
    next = undefined;
    notBeforeMs = clock.monotonicMs() + POLL_MS;
    const exist = asked.map((rows) => sql`EXISTS (${rows})`);
    try {
      const { rows } = await sql<{ found: boolean[] }>`SELECT ARRAY[${sql.join(exist)}] AS found`.execute(db);
      return rows[0]?.found ?? [];
    } catch (error) {
      // Logged once here, because some thirty loops wait for this poll and would each log it.
      log.warn({ err: error }, "polling for due work failed");
      notBeforeMs = clock.monotonicMs() + AFTER_FAILURE_MS;
      return [];
    }
  }

  function join(rows: RawBuilder<unknown>): PollRequest {
    if (next) {
      next.asked.push(rows);
      return next;
    }
    const asked = [rows];
    next = { asked, answers: look(asked) };
    return next;
  }

  return {
    watch: (rows) => async () => {
      const { asked, answers } = join(rows);
      const place = asked.length - 1;
      return (await answers)[place] === true;
    },
  };
}
