import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { createDatabase } from "../../adapters/postgres.ts";
import type { Database } from "../database/tables.ts";
import { createEventsStore } from "./events.store.ts";
import { createOutboxSource } from "./outbox-stream.store.ts";

const clock = createClock();
const MIGRATIONS = join(import.meta.dirname, "../../migrations");

async function emptyDatabase(): Promise<string> {
  const owner = new pg.Client(`${inject("postgresUrl")}/postgres`);
  await owner.connect();
  await owner.query("CREATE DATABASE before_event_order");
  await owner.end();
  return `${inject("postgresUrl")}/before_event_order`;
}

async function migrate(url: string, migrationsFolder: string): Promise<Database> {
  const onFirstAnswer = async () => undefined;
  const database = createDatabase({ url, migrationsFolder, clock, log: silentLog, onFirstAnswer });
  await expect.poll(() => database.isAvailable(), { timeout: 60_000 }).toBe(true);
  return database;
}

it("keeps the events and cursors of a database that ordered events by transaction", async () => {
  const url = await emptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  const earlier = (await readdir(MIGRATIONS)).filter((name) => name < "0032");
  for (const name of earlier) await cp(join(MIGRATIONS, name), join(folder, name));
  const old = await migrate(url, folder);
  for (const subject of ["a", "b", "c", "d"]) {
    await sql`INSERT INTO outbox (type, subject_id, data) VALUES ('alert.created', ${subject}, '{}')`.execute(old.db);
  }
  const cursor = (consumer: string, place: unknown) =>
    sql`INSERT INTO stream_cursors (stream, consumer, handled, claimed)
      SELECT 'outbox', ${consumer}, ${place}, xid || '-' || id FROM outbox WHERE subject_id = 'c'`.execute(old.db);
  await cursor("reader", sql`(SELECT xid || '-' || id FROM outbox WHERE subject_id = 'b')`);
  await cursor("late", "2-1");
  await cursor("foreign", "99999999999-1");
  await old.close();

  const database = await migrate(url, MIGRATIONS);
  const { db } = database;
  const events = await createEventsStore(db).read(0n, 10);
  expect(events.map(({ subject_id }) => subject_id)).toEqual(["a", "b", "c", "d"]);
  const source = createOutboxSource({ db, clock });
  const readOnce = async (consumer: string) => {
    const { rows } = await sql<{ handled: string; claimed: string }>`
      SELECT handled, claimed FROM stream_cursors WHERE consumer = ${consumer}`.execute(db);
    const reader = await source.readAfter(rows[0]?.handled ?? "", new AbortController().signal);
    const read = await reader.read({ most: 10, upTo: rows[0]?.claimed });
    return { subjects: read?.events.map(({ subject_id }) => subject_id), hasGap: read?.hasGap };
  };
  expect(await readOnce("reader")).toEqual({ subjects: ["c"], hasGap: false });
  expect(await readOnce("late")).toEqual({ subjects: ["a", "b", "c"], hasGap: true });
  expect(await readOnce("foreign")).toEqual({ subjects: ["a", "b", "c", "d"], hasGap: true });
  await database.close();
  await rm(folder, { recursive: true });
});
