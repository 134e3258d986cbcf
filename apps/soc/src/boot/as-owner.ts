import { Kysely, PostgresDialect } from "kysely";
import { createServers, openOwnerPool } from "../adapters/postgres/postgres-servers.ts";
import type { Tables } from "../foundation/database/tables.ts";

const CONNECT_MS = 10_000;

/** Runs the work of a command with the rights of the login in the address, and closes the connection. */
export async function asOwner<Result>(url: string, work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
  const pool = await openOwnerPool(createServers(url), CONNECT_MS);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
