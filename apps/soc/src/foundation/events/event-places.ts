import { sql } from "kysely";
import type { Db } from "../database/tables.ts";

const NUMBER_BATCH_SIZE = 1000;

/**
 * Gives committed events their places, in the session of any reader. Returns how many; none while another session does
 * it.
 */
export async function numberEvents(db: Db, most = NUMBER_BATCH_SIZE): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT number_events(${most}) AS count`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function readLastPlace(db: Db): Promise<bigint> {
  while ((await numberEvents(db)) === NUMBER_BATCH_SIZE);
  const { rows } = await sql<{ place: string }>`
    SELECT greatest((SELECT max(place) FROM outbox), (SELECT place FROM outbox_swept)) AS place`.execute(db);
  return BigInt(rows[0]?.place ?? 0);
}
