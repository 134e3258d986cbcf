import { canonicalJson } from "@kit/query/canonical-json";
import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Head } from "./chain.ts";
import type { EntryBody } from "./ledger.schema.ts";
import type { EntryRow, WaitingRow } from "./ledger.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    ledger_entries: EntryRow;
    ledger_waiting: WaitingRow;
  }
}

export function createChainStore(db: Db) {
  return {
    /** Locks the chain until the transaction ends, so that the next append sees its committed or rolled-back result. */
    async lock(case_id: string): Promise<void> {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`ledger chain ${case_id}`}, 0))`.execute(db);
    },

    async findHead(case_id: string): Promise<Head | undefined> {
      return db
        .selectFrom("ledger_entries")
        .select(["sequence", "entry_hash"])
        .where("case_id", "=", case_id)
        .orderBy("sequence", "desc")
        .limit(1)
        .executeTakeFirst();
    },

    async insert({ at, body, ...entry }: EntryBody): Promise<void> {
      const { case_id, sequence } = entry;
      await db
        .with("written", (cte) =>
          cte.insertInto("ledger_entries").values({ ...entry, at: new Date(at), body: canonicalJson(body) }),
        )
        .insertInto("ledger_waiting")
        .values({ case_id, sequence })
        .execute();
    },
  };
}
