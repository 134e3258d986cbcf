import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { startPostgres } from "@kit/testing/postgres";
import { freePort } from "@kit/testing/process";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startNatsServers } from "../servers/nats-servers.ts";
import { print } from "./figures.ts";
import { startProduct } from "./product.ts";

const { BENCH_SECONDS = "20", BENCH_PARTITION_COUNTS = "0,12" } = process.env;
const seconds = Number(BENCH_SECONDS);
/** After the start: the first sweeps, migrations and the takeover of leases are over. */
const SETTLE_MS = 45_000;
/** PostgreSQL's sessions report their statistics after ten idle seconds, busy ones once a second. */
const REPORT_MS = 1500;
const SHOWN = 40;
const MAX_TRANSACTIONS_PER_SECOND = 20;
const clock = createClock();

const folder = mkdtempSync(join(tmpdir(), "bench-idle-"));
let server: Awaited<ReturnType<typeof startPostgres>>;
let owner: pg.Client;

beforeAll(async () => {
  const settings = { shared_buffers: "128MB", shared_preload_libraries: "pg_stat_statements" };
  server = await startPostgres({ folder, port: await freePort(), settings });
  owner = new pg.Client(`${server.url}/postgres`);
  await owner.connect();
  await owner.query("CREATE EXTENSION pg_stat_statements");
});

afterAll(async () => {
  await owner.end();
  await server.stop("SIGINT");
  rmSync(folder, { recursive: true });
});

async function countTransactions(database: string): Promise<number> {
  await clock.sleep(REPORT_MS);
  const { rows } = await owner.query<{ count: string }>(
    "SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = $1",
    [database],
  );
  return Number(rows[0]?.count);
}

/** The most frequent statements, with their number per second. */
async function listStatements(database: string, passedMs: number): Promise<string[]> {
  const { rows } = await owner.query<{ query: string; calls: string }>(
    `SELECT regexp_replace(left(query, 300), '\\s+', ' ', 'g') AS query, sum(calls) AS calls FROM pg_stat_statements
      JOIN pg_database ON pg_database.oid = dbid WHERE datname = $1 GROUP BY 1 ORDER BY calls DESC LIMIT ${SHOWN}`,
    [database],
  );
  return rows.map(({ query, calls }) => `${(Number(calls) / (passedMs / 1000)).toFixed(2)}/s ${query.slice(0, 150)}`);
}

it.each(BENCH_PARTITION_COUNTS.split(",").map(Number))(
  "counts the PostgreSQL statements of an idle service and worker with %i partitions",
  {
    timeout: 300_000 + seconds * 1000,
  },
  async (partitions) => {
    const database = `idle_${partitions}`;
    await owner.query(`CREATE DATABASE ${database}`);
    const nats = partitions === 0 ? undefined : await startNatsServers(1);
    const product = await startProduct({
      earlier: {
        databaseUrl: `${server.url}/${database}`,
        folder: mkdtempSync(join(tmpdir(), "idle-")),
        key: "unused",
      },
      ...(nats && { env: { SOC_STREAM: nats.url, SOC_LOG_PARTITIONS: String(partitions) } }),
    });
    try {
      await clock.sleep(SETTLE_MS);
      const begun = await countTransactions(database);
      const begunMs = clock.monotonicMs();
      await owner.query("SELECT pg_stat_statements_reset()");
      const cpuBefore = await product.cpuMicros();
      await clock.sleep(seconds * 1000);
      const each = (await countTransactions(database)) - begun;
      const passedMs = clock.monotonicMs() - begunMs;
      const used = [...(await product.cpuMicros())].map(
        ([script, micros]) => `${script} ${((micros - (cpuBefore.get(script) ?? 0)) / passedMs / 10).toFixed(1)} %`,
      );
      const rate = each / (passedMs / 1000);
      for (const statement of await listStatements(database, passedMs)) print(statement);
      print(`${partitions} partitions, idle: ${rate.toFixed(1)} transactions a second; of a core ${used.join(", ")}`);
      expect(rate).toBeLessThan(MAX_TRANSACTIONS_PER_SECOND);
    } finally {
      await product.stop();
      await nats?.stop();
      rmSync(product.folder, { recursive: true, force: true });
    }
  },
);
