import { invalidField } from "@kit/problem";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../foundation/database/tables.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    log_stores: { identity: string };
  }
}

const LOCK = "log stores";

/**
 * Stores the identities of the log stores that this process uses. Refuses the process if it lacks a store that another
 * process of the database uses: it would answer without the logs of that store.
 */
export async function requireKnownStores(db: Kysely<Tables>, identities: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Two processes with different stores that start at the same time would both be the first.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`.execute(tx);
    const known = (await tx.selectFrom("log_stores").select("identity").execute()).map(({ identity }) => identity);
    const lacking = known.filter((identity) => !identities.includes(identity));
    if (lacking.length > 0) {
      const shown = `does not name the log store ${lacking.join(", ")} that this database knows`;
      throw invalidField("SOC_LOG_STORE", `${shown}; after replacing a log store see docs/operations/hosts.md`);
    }
    const added = identities.filter((identity) => !known.includes(identity));
    if (added.length === 0) return;
    await tx
      .insertInto("log_stores")
      .values(added.map((identity) => ({ identity })))
      .execute();
  });
}
