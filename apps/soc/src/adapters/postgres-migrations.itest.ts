import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase } from "../../testing/servers/fresh-database.ts";
import { createServers } from "./postgres/postgres-servers.ts";
import { migrateTables } from "./postgres-migrations.ts";

const clock = createClock();
let folder: string;
let url: string;
let client: pg.Client;

beforeEach(async () => {
  ({ url } = await freshDatabase());
  folder = await mkdtemp(join(tmpdir(), "migrations-"));
  client = new pg.Client(url);
  await client.connect();
  await client.query("DROP TABLE migrations; CREATE TABLE big AS SELECT generate_series(1, 1000) AS n");
});

afterEach(async () => {
  await client.end();
  await rm(folder, { recursive: true });
});

const migrate = () => migrateTables({ servers: createServers(url), migrationsFolder: folder, connectMs: 5000, clock });
const write = (name: string, text: string) => writeFile(join(folder, name), text);

it("builds an index of a table during writes, even after an earlier attempt was interrupted", async () => {
  const statements = ["DROP INDEX CONCURRENTLY IF EXISTS big_n_idx", "CREATE INDEX CONCURRENTLY big_n_idx ON big (n)"];
  await write("0001-index.sql", `-- Up Migration, outside a transaction\n${statements.join(";\n")};\n`);
  // An interrupted attempt leaves an invalid index with this name.
  await client.query("CREATE INDEX big_n_idx ON big (n)");
  await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'big_n_idx'::regclass");
  await migrate();
  const { rows } = await client.query(
    "SELECT indisvalid, (SELECT count(*)::int FROM migrations) AS applied FROM pg_index WHERE indexrelid = 'big_n_idx'::regclass",
  );
  expect(rows).toEqual([{ indisvalid: true, applied: 1 }]);
});

it("does not block readers behind a migration that waits for a table, and applies it afterwards", async () => {
  await write("0001-column.sql", "-- Up Migration\nALTER TABLE big ADD COLUMN m int;\n");
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query("BEGIN; SELECT count(*) FROM big");
  const migrating = migrate();
  let longestMs = 0;
  for (const endMs = clock.monotonicMs() + 4000; clock.monotonicMs() < endMs; await clock.sleep(50)) {
    const startMs = clock.monotonicMs();
    await client.query("SELECT count(*) FROM big");
    longestMs = Math.max(longestMs, clock.monotonicMs() - startMs);
  }
  await holder.query("COMMIT");
  await holder.end();
  await migrating;
  // A reader that waited would wait for the holder, to the end of the four seconds.
  expect(longestMs).toBeLessThan(3500);
  expect((await client.query("SELECT m FROM big LIMIT 1")).rows).toEqual([{ m: null }]);
});
