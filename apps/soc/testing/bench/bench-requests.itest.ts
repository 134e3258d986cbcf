import process from "node:process";
import { createClock } from "@kit/clock";
import pg from "pg";
import { expect, it } from "vitest";
import { print } from "./figures.ts";
import { startProduct } from "./product.ts";

const { BENCH_REQUESTS = "500" } = process.env;
const requests = Number(BENCH_REQUESTS);
/** A shipper sends a request after the response to the previous one. */
const SENDERS = 64;
/** PostgreSQL's sessions report their statistics after ten idle seconds. */
const REPORT_MS = 12_000;
const clock = createClock();

async function countTransactions(client: pg.Client): Promise<number> {
  await clock.sleep(REPORT_MS);
  const { rows } = await client.query<{ count: string }>(
    "SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()",
  );
  return Number(rows[0]?.count);
}

it(`counts the transactions of ${requests} intake requests`, { timeout: 600_000 }, async () => {
  const product = await startProduct({ env: { SOC_LIMIT_INTAKE_PER_MINUTE: "600000" } });
  const client = new pg.Client(product.databaseUrl);
  await client.connect();
  try {
    await product.ingest('{"message":"first"}\n', 1, "bench");
    const begun = await countTransactions(client);
    // The same time without requests, to measure the background load.
    const idleMs = clock.monotonicMs();
    const idle = await countTransactions(client);
    const perMs = (idle - begun) / (clock.monotonicMs() - idleMs);
    const startMs = clock.monotonicMs();
    let left = requests;
    const sender = async () => {
      while (left-- > 0) await product.ingest(`{"message":"log ${left}"}\n`, 1, "bench");
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    const sentMs = clock.monotonicMs() - startMs;
    const all = (await countTransactions(client)) - idle;
    const own = perMs * (clock.monotonicMs() - startMs);
    const each = (all - own) / requests;
    print(
      `${requests} requests in ${(sentMs / 1000).toFixed(1)} s: ${all} transactions, ${own.toFixed(0)} of them idle`,
    );
    print(`PostgreSQL transactions a request: ${each.toFixed(2)}`);
    expect(each).toBeGreaterThan(0);
  } finally {
    await client.end();
    await product.stop();
  }
});
