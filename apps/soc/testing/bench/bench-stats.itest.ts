import process from "node:process";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { expect, it } from "vitest";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { parsePeriod } from "../../src/reporting/stats/period.ts";
import { createStatsStore } from "../../src/reporting/stats/stats.store.ts";
import { NO_FEATURE_COUNTS } from "../../src/reporting/stats/stats.ts";
import { computeFigures, inWords, time } from "./figures.ts";
import { seed } from "./seed.ts";
import { startServer } from "./server.ts";

const HOURS = 3 * 60 * 60_000;
const DEADLINE_MS = 1500;

const { BENCH_ALERTS = "2000", BENCH_DATABASE_URL } = process.env;
const alerts = Number(BENCH_ALERTS);
const turns = alerts >= 50_000 ? 50 : 5;
const clock = createClock();

// Measures the store directly, without the service's cache of five seconds.
it("counts all alerts and cases within the deadline", { timeout: HOURS }, async () => {
  const server = await startServer(BENCH_DATABASE_URL);
  const owner = new pg.Client(server.url);
  const migrationsFolder = `${import.meta.dirname}/../../src/migrations`;
  const onFirstAnswer = async () => undefined;
  const database = createDatabase({ url: server.url, migrationsFolder, clock, log: silentLog, onFirstAnswer });
  try {
    // Migrations may take longer than one availability check waits.
    while (!(await database.isAvailable())) await clock.sleep(100);
    await owner.connect();
    if ((await owner.query("SELECT FROM cases LIMIT 1")).rowCount === 0)
      await seed(owner, { alerts, cases: alerts / 10 });
    const store = createStatsStore(database.db, async () => NO_FEATURE_COUNTS);
    const now = clock.now();
    const repeated = (work: () => Promise<unknown>) =>
      time(
        clock,
        Array.from({ length: turns }, () => work),
      );
    const looks = computeFigures(await repeated(() => store.look(now)));
    const months = computeFigures(await repeated(() => store.period(parsePeriod(undefined, undefined, now))));
    const first = new Date(now.getTime() - 366 * 24 * 60 * 60_000).toISOString();
    const years = computeFigures(await repeated(() => store.period(parsePeriod(first, undefined, now))));
    console.log(
      [
        `| statistics over ${alerts} alerts, ms: p50 / p95 / max | |`,
        "|---|---|",
        `| one look | ${inWords(looks)} |`,
        `| a period of 30 days | ${inWords(months)} |`,
        `| a period of 366 days | ${inWords(years)} |`,
      ].join("\n"),
    );
    expect((await store.look(now)).alerts.total).toBe(alerts);
    expect(looks.p95).toBeLessThan(DEADLINE_MS);
  } finally {
    await owner.end();
    await database.close();
    await server.stop();
  }
});
