import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { AccountLink } from "./account-link.ts";

/** Reads with the rights of the owner, so that a caller of some sites has the same links. */
export async function findAccountLinks(db: Db, usernames: readonly string[]): Promise<AccountLink[]> {
  if (usernames.length === 0) return [];
  const { rows } = await sql<AccountLink>`SELECT * FROM find_account_links(${[...usernames]}::text[])`.execute(db);
  return rows;
}
