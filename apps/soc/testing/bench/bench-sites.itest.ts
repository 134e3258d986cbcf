import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { createClickhouseLogStore } from "../../src/adapters/clickhouse.ts";
import { ALL_SITES, type Scope } from "../../src/foundation/caller/scope.ts";
import { createLogSummariesStore } from "../../src/logs/log-summaries/log-summaries.store.ts";
import { requireGroupField } from "../../src/logs/log-summaries/metric.ts";
import { buildLogSelection, type LogsSelection } from "../../src/logs/search/log-selection.ts";
import { createLogsStore } from "../../src/logs/search/logs.store.ts";
import { startLogEngine } from "../servers/log-engine.ts";
import { computeFigures, inWords, print } from "./figures.ts";
import { FILLED_DAY, fillEngine } from "./filled-engine.ts";

const { BENCH_ROWS = "100000" } = process.env;
const rows = Number(BENCH_ROWS);
const isFull = rows >= 1_000_000;
const TURNS = isFull ? 60 : 5;
const WARM_UP = 4;
const MAX_RATIO = 1.15;
const HOUR_MS = 60 * 60_000;
const BOUND = { maxSeconds: 20 };
const FIELDS = ["severity", "source", "host", "user", "event_code"].map((name) => requireGroupField("fields", name));
const SCOPES: Readonly<Record<"all" | "some", Scope>> = {
  all: ALL_SITES,
  some: ["01980000-0000-7000-8000-00000000000a", "Alpha"],
};
const clock = createClock();

function windowAt(turn: number) {
  const startMs = FILLED_DAY.startMs + (turn % 23) * HOUR_MS;
  return { from: new Date(startMs).toISOString(), to: new Date(startMs + HOUR_MS).toISOString() };
}

type Read = (selection: LogsSelection) => Promise<unknown>;

/** In turn, and each first as often as the other, so that other load and warm caches affect both. */
async function measure(read: Read): Promise<Record<keyof typeof SCOPES, number[]>> {
  const waits: Record<keyof typeof SCOPES, number[]> = { all: [], some: [] };
  for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
    for (const who of turn % 2 === 0 ? (["all", "some"] as const) : (["some", "all"] as const)) {
      const selection = buildLogSelection(SCOPES[who], windowAt(turn + WARM_UP), clock.now());
      const beganMs = clock.monotonicMs();
      await read(selection);
      if (turn >= 0) waits[who].push(clock.monotonicMs() - beganMs);
    }
  }
  return waits;
}

/** What the same reads cost a caller of one of two sites, which have half of the logs each, and one of all sites. */
it(`reads ${rows} logs for some sites as fast as for all`, { timeout: HOUR_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-sites-"));
  await fillEngine(folder, rows, ["Alpha", "Beta"]);
  const { engine } = await startLogEngine({ folder });
  const store = createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 36_500 });
  const logs = createLogsStore(store);
  const summaries = createLogSummariesStore(store);
  const reads: Readonly<Record<string, Read>> = {
    "search of an hour": async (selection) => {
      await logs.search(selection, { limit: 51 });
      await logs.count(selection, 1_000_000);
    },
    "histogram of an hour": (selection) => {
      const bucket = { originMs: selection.from.getTime(), widthMs: 5 * 60_000, by: "severity" } as const;
      return summaries.histogram({ selection, ...bucket }, BOUND);
    },
    "facets of an hour": (selection) => summaries.facets({ selection, fields: FIELDS, limit: 10 }, BOUND),
  };
  try {
    for (const [name, read] of Object.entries(reads)) {
      const waits = await measure(read);
      const [all, some] = [computeFigures(waits.all), computeFigures(waits.some)];
      const ratio = some.p50 / all.p50;
      const figures = `some sites ${inWords(some)}, all ${inWords(all)} (p50 ${ratio.toFixed(2)} times)`;
      print(`${name} in ${rows} logs, ms p50 / p95 / max: ${figures}`);
      if (isFull) expect(ratio, name).toBeLessThanOrEqual(MAX_RATIO);
    }
  } finally {
    await store.close();
    await engine.close();
    rmSync(folder, { recursive: true });
  }
});
