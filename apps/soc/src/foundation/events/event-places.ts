import { sql } from "kysely";
import type { Db } from "../database/tables.ts";

const NUMBER_BATCH_SIZE = 1000;

/**
 * Assigns places to committed events, in the session of any reader. Returns their number; 0 while another session does
 * it.
 */
export async function numberEvents(db: Db, most = NUMBER_BATCH_SIZE): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT number_events(${most}) AS count`.execute(db);
  return rows[0]?.count ?? 0;
}

const LAST_PLACE = sql<string | null>`greatest((SELECT max(place) FROM outbox), (SELECT place FROM outbox_swept))`;

export async function readLastPlace(db: Db): Promise<bigint> {
  // A single statement if nothing has happened. It does not see the places that it assigns itself.
  const { rows } = await sql<{ count: number; place: string | null }>`
    SELECT number_events(${NUMBER_BATCH_SIZE}) AS count, ${LAST_PLACE} AS place`.execute(db);
  const [{ count, place } = { count: 0, place: null }] = rows;
  if (count === 0) return BigInt(place ?? 0);
  for (let more = count; more === NUMBER_BATCH_SIZE; more = await numberEvents(db));
  const again = await sql<{ place: string | null }>`SELECT ${LAST_PLACE} AS place`.execute(db);
  return BigInt(again.rows[0]?.place ?? 0);
}
