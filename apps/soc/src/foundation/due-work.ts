import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./database/tables.ts";

const LOOK_MS = 200;
const AFTER_FAILURE_MS = 1000;
/** A loop that asks again after this time misses no look. */
export const BETWEEN_LOOKS_MS = 150;

export interface DueWorkDeps {
  db: Kysely<Tables>;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "warn">;
}

/** Waits for the next look and says whether there is work. While the database does not answer, there is none. */
export type HasWork = () => Promise<boolean>;

export interface DueWork {
  /** The statement selects the rows that are due; an index must find the first one. */
  watch(rows: RawBuilder<unknown>): HasWork;
}

interface Look {
  asked: RawBuilder<unknown>[];
  answers: Promise<readonly boolean[]>;
}

/** Looks for due work in one statement for all loops of this process that ask: with polls of its own, each loop is a transaction. */
export function createDueWork({ db, clock, log }: DueWorkDeps): DueWork {
  let next: Look | undefined;
  let notBeforeMs = 0;

  async function look(asked: readonly RawBuilder<unknown>[]): Promise<readonly boolean[]> {
    await clock.sleep(Math.max(0, notBeforeMs - clock.monotonicMs()));
    next = undefined;
    notBeforeMs = clock.monotonicMs() + LOOK_MS;
    const exist = asked.map((rows) => sql`EXISTS (${rows})`);
    try {
      const { rows } = await sql<{ found: boolean[] }>`SELECT ARRAY[${sql.join(exist)}] AS found`.execute(db);
      return rows[0]?.found ?? [];
    } catch (error) {
      // Said here once: some thirty loops wait for this look, and would each say it.
      log.warn({ err: error }, "looking for due work failed");
      notBeforeMs = clock.monotonicMs() + AFTER_FAILURE_MS;
      return [];
    }
  }

  function join(rows: RawBuilder<unknown>): Look {
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
