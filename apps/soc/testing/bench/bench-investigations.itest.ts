import process from "node:process";
import { createClock } from "@kit/clock";
import pg from "pg";
import { expect, it } from "vitest";
import { computeFigures, inWords, print, time } from "./figures.ts";
import { type Product, startProduct } from "./product.ts";
import { seed } from "./seed.ts";

const { BENCH_ROWS = "20000", BENCH_ALERTS = "1000", BENCH_INVESTIGATIONS = "3", BENCH_MINUTES = "0.1" } = process.env;
const rows = Number(BENCH_ROWS);
const count = Number(BENCH_INVESTIGATIONS);
const isFull = rows >= 10_000_000;
const ALERTS_PER_MINUTE = 30;
const MAX_INVESTIGATION_MS = 5000;
const MAX_JUDGED_MS = 60_000;
const MAX_TOKEN_MS = 300;
const MINUTE_MS = 60_000;
const HOUR = 60 * MINUTE_MS;
/** The generated logs name this many hosts in turn. */
const HOSTS = 400;
const EVENTS_PER_ALERT = 3;
/** One person may send this many messages in a minute. */
const CHATS = 20;
const clock = createClock();

/** The id of a generated log. */
const logId = (number: number) => `0190${number.toString(16).padStart(12, "0")}-7000-8000`;

/** An alert on events of one host, somewhere in the generated day. */
function buildAlert(place: number) {
  const first = (place * 7919) % (rows - HOSTS * EVENTS_PER_ALERT);
  return {
    title: `Bench ${place}`,
    source: "bench",
    severity: "high",
    host: `host${first % HOSTS}`,
    log_ids: Array.from({ length: EVENTS_PER_ALERT }, (_, step) => logId(first + step * HOSTS)),
  };
}

it(`judges alerts among ${rows} logs and ${BENCH_ALERTS} alerts`, { timeout: 2 * HOUR }, async () => {
  const product = await startProduct({ filledRows: rows, env: { SOC_LOG_RETENTION_DAYS: "3650" } });
  const owner = new pg.Client(product.databaseUrl);
  try {
    await owner.connect();
    await seed(owner, { alerts: Number(BENCH_ALERTS), cases: Math.ceil(Number(BENCH_ALERTS) / 50) });

    const asked = Array.from({ length: count }, (_, place) => () => investigate(product, owner, place));
    const investigated = computeFigures(await time(clock, asked));
    print(`investigation by request, ms p50 / p95 / max: ${inWords(investigated)} (${count})`);

    const tokens: number[] = [];
    for (let place = 0; place < CHATS; place += 1) {
      tokens.push(await measureFirstToken(product, `what happened on host${place % HOSTS} around 12:00?`));
    }
    const firstTokens = computeFigures(tokens);
    print(`first token of the chat, ms p50 / p95 / max: ${inWords(firstTokens)} (${CHATS})`);

    const judged = computeFigures(await judgeNewAlerts(product, owner));
    print(`new alerts judged after, ms p50 / p95 / max: ${inWords(judged)} (${ALERTS_PER_MINUTE} a minute)`);
    expect(judged.max).toBeLessThan(MAX_JUDGED_MS);
    if (!isFull) return;
    expect(investigated.p95).toBeLessThan(MAX_INVESTIGATION_MS);
    expect(firstTokens.p95).toBeLessThan(MAX_TOKEN_MS);
  } finally {
    await owner.end();
    await product.stop();
  }
});

/** Measures from the request to its end, which for a slow run comes after the response. */
async function investigate(product: Product, owner: pg.Client, place: number): Promise<void> {
  const { title, source: _, severity, ...alert_context } = buildAlert(place);
  const { investigation_id } = await product.post("/agents/investigate", {
    severity,
    alert_context: { title, ...alert_context },
  });
  const readStatus = async () => {
    const found = await owner.query("SELECT status FROM investigations WHERE investigation_id = $1", [
      investigation_id,
    ]);
    return found.rows[0]?.status;
  };
  await expect.poll(readStatus, { timeout: MAX_JUDGED_MS, interval: 50 }).toBe("completed");
}

async function measureFirstToken(product: Product, message: string): Promise<number> {
  const startMs = clock.monotonicMs();
  const chunks = await product.stream("/chat/stream", { message });
  let read = "";
  for await (const chunk of chunks) {
    read += Buffer.from(chunk).toString("utf8");
    if (read.includes("event: token")) return clock.monotonicMs() - startMs;
  }
  throw new Error(`no token: ${read}`);
}

/** Reports alerts at an even rate; the time from each report until its verdict is stored. */
async function judgeNewAlerts(product: Product, owner: pg.Client): Promise<number[]> {
  const alerts = Math.max(1, Math.round(Number(BENCH_MINUTES) * ALERTS_PER_MINUTE));
  for (let place = 0; place < alerts; place += 1) {
    await product.post("/alerts", buildAlert(count + place));
    await clock.sleep(MINUTE_MS / ALERTS_PER_MINUTE);
  }
  const found = async () => {
    const { rows: each } = await owner.query<{ status: string; error: string | null; ms: number | null }>(
      `SELECT investigations.status, investigations.error,
        (extract(epoch FROM investigations.ended_at - alerts.created_at) * 1000)::float8 AS ms
      FROM investigations JOIN alerts ON alerts.id = investigations.alert_id WHERE alerts.source = 'bench'`,
    );
    return each;
  };
  const countEnded = async () => (await found()).filter(({ ms }) => ms !== null).length;
  await expect.poll(countEnded, { timeout: MAX_JUDGED_MS, interval: 500 }).toBe(alerts);
  const ended = await found();
  expect(ended.filter(({ status }) => status !== "completed")).toEqual([]);
  return ended.map(({ ms }) => ms ?? 0);
}
