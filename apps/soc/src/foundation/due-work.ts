import type { Clock } from "@kit/clock";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./database/tables.ts";

const LOOK_MS = 200;
/** A loop that asks again after this time misses no look. */
export const BETWEEN_LOOKS_MS = 150;

export interface DueWorkDeps {
  db: Kysely<Tables>;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
}

/** Waits for the next look and says whether there is work. */
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
export function createDueWork({ db, clock }: DueWorkDeps): DueWork {
  let next: Look | undefined;
  let lastMs = -LOOK_MS;

  async function look(asked: readonly RawBuilder<unknown>[]): Promise<readonly boolean[]> {
    await clock.sleep(Math.max(0, lastMs + LOOK_MS - clock.monotonicMs()));
    next = undefined;
    lastMs = clock.monotonicMs();
    const exist = asked.map((rows) => sql`EXISTS (${rows})`);
    const { rows } = await sql<{ found: boolean[] }>`SELECT ARRAY[${sql.join(exist)}] AS found`.execute(db);
    return rows[0]?.found ?? [];
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
