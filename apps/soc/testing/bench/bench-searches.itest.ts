import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import { buildSearchQuestion, type Question } from "../../src/adapters/clickhouse/clickhouse-questions.ts";
import { ALL_SITES } from "../../src/foundation/caller/caller.ts";
import { toSql } from "../../src/logs/query/condition-sql.ts";
import { buildLogSelection } from "../../src/logs/search/log-selection.ts";
import type { SearchLogsQuery } from "../../src/logs/search/logs.schema.ts";
import { signIn } from "../harness/sample-world.ts";
import { wholePlatform } from "../harness/whole-platform.ts";
import { freshDatabase } from "../servers/fresh-database.ts";
import { startLogEngine } from "../servers/log-engine.ts";
import { startBareEngine } from "./bare-log-engine.ts";
import { computeFigures, inWords, print, time } from "./figures.ts";
import { fillEngine } from "./filled-engine.ts";
import { LIMIT, SEARCHES } from "./search-questions.ts";

const { BENCH_ROWS = "100000" } = process.env;
const rows = Number(BENCH_ROWS);
const isFull = rows >= 10_000_000;
const TURNS = isFull ? 60 : 3;
const WARM_UP = 3;
const MAX_RATIO = 1.5;
const HOURS = 60 * 60_000;
const READ_SETTINGS =
  "SETTINGS date_time_output_format = 'iso', use_top_k_dynamic_filtering = 0, max_execution_time = 20";
const clock = createClock();

it(`searches ${rows} logs nearly as fast as the bare engine`, { timeout: 3 * HOURS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-searches-"));
  const [ours, theirs] = [join(folder, "ours"), join(folder, "theirs")];
  await fillEngine(theirs, { rows });
  // Copy the folder, so that both sides have identical parts.
  cpSync(theirs, ours, { recursive: true });
  const { engine } = await startLogEngine({ folder: ours });
  const store = createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 36_500 });
  const bare = startBareEngine(theirs);
  const { url } = await freshDatabase();
  const platform = await wholePlatform("real", url, undefined, store);
  const ratios: number[] = [];
  try {
    const headers = await signIn(platform.app);
    const get = async (query: SearchLogsQuery) => {
      const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const answer = await platform.app.inject({ url: `/api/v1/siem/logs?${asked}`, headers });
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return answer.json();
    };
    for (const [name, queryAt] of Object.entries(SEARCHES)) {
      const waits: Record<"api" | "store" | "bare", number[]> = { api: [], store: [], bare: [] };
      let found = 0;
      for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
        const query = queryAt(turn + WARM_UP);
        const { scope, condition, from, to } = buildLogSelection(ALL_SITES, query, clock.now());
        const selected = { scope, where: toSql(condition), time: "timestamp", from, to } as const;
        const search = { ...selected, order: "newest", limit: LIMIT } as const;
        const { sql, parameters = {} }: Question = buildSearchQuestion(search);
        const alone = await bare.ask({ kind: "select", sql: `${sql} ${READ_SETTINGS}`, parameters });
        const [storeMs = 0] = await time(clock, [() => store.search(search)]);
        const startMs = clock.monotonicMs();
        const { items } = await get(query);
        const apiMs = clock.monotonicMs() - startMs;
        expect(items).toHaveLength(Number(alone.result));
        if (turn < 0) continue;
        found += items.length;
        waits.bare.push(alone.ms);
        waits.store.push(storeMs);
        waits.api.push(apiMs);
      }
      const [api, ownStore, alone] = [
        computeFigures(waits.api),
        computeFigures(waits.store),
        computeFigures(waits.bare),
      ];
      ratios.push(ownStore.p95 / alone.p95);
      print(
        `search for ${name} in ${rows} logs, ms p50 / p95 / max: bare ${inWords(alone)}, log store ${inWords(ownStore)} ` +
          `(p95 ${(ownStore.p95 / alone.p95).toFixed(2)} times), API ${inWords(api)} (p95 ${(api.p95 / alone.p95).toFixed(2)} ` +
          `times), ${(found / TURNS).toFixed(1)} logs found each`,
      );
      expect(found).toBeGreaterThan(0);
    }
    if (isFull) for (const ratio of ratios) expect(ratio).toBeLessThanOrEqual(MAX_RATIO);
  } finally {
    await platform.close();
    await bare.stop();
    await store.close();
    await engine.close();
    rmSync(folder, { recursive: true });
  }
});
