import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import {
  buildCountQuestion,
  buildSearchQuestion,
  buildSummaryQuestion,
  type Question,
} from "../../src/adapters/clickhouse/clickhouse-questions.ts";
import { ALL_SITES, type Scope } from "../../src/foundation/caller/caller.ts";
import { createLogSummariesStore } from "../../src/logs/log-summaries/log-summaries.store.ts";
import { requireGroupField } from "../../src/logs/log-summaries/metric.ts";
import { buildLogSelection, type LogsSelection } from "../../src/logs/search/log-selection.ts";
import { createLogsStore } from "../../src/logs/search/logs.store.ts";
import type { LogSummary } from "../../src/ports/log-store.ts";
import { absentLogStore } from "../servers/absent-log-store.ts";
import { startBareEngine } from "./bare-log-engine.ts";
import { computeFigures, inWords, print } from "./figures.ts";
import { FILLED_DAY, fillEngine } from "./filled-engine.ts";

const { BENCH_ROWS = "100000" } = process.env;
const rows = Number(BENCH_ROWS);
const isFull = rows >= 1_000_000;
const TURNS = isFull ? 46 : 5;
const WARM_UP = 4;
const MAX_RATIO = 1.15;
const HOUR_MS = 60 * 60_000;
const SETTINGS = "SETTINGS use_top_k_dynamic_filtering = 0, max_threads = 2";
const BOUND = { maxSeconds: 20 };
const FIELDS = ["severity", "source", "host", "user", "event_code"].map((name) => requireGroupField("fields", name));
const SCOPES: Readonly<Record<"all" | "some", Scope>> = {
  all: ALL_SITES,
  some: ["01980000-0000-7000-8000-00000000000a", "Alpha"],
};
const clock = createClock();

type LogsQuery = (logs: LogsReader, selection: LogsSelection) => Promise<unknown>;
type LogsReader = ReturnType<typeof createLogsStore> & ReturnType<typeof createLogSummariesStore>;

const READS: Readonly<Record<string, LogsQuery>> = {
  async "search of an hour"(logs, selection) {
    await logs.search(selection, { limit: 51 });
    await logs.count(selection, 1_000_000);
  },
  "histogram of an hour": (logs, selection) => {
    const bucket = { originMs: selection.from.getTime(), widthMs: 5 * 60_000, by: "severity" } as const;
    return logs.histogram({ selection, ...bucket }, BOUND);
  },
  "facets of an hour": (logs, selection) => logs.facets({ selection, fields: FIELDS, limit: 10 }, BOUND),
};

/** Records the statements that the stores send. */
async function recordQuestions(read: LogsQuery, selection: LogsSelection): Promise<Question[]> {
  const asked: Question[] = [];
  async function summarise<Row, Part>(summary: LogSummary<Row, Part>): Promise<Row[] | undefined> {
    asked.push(buildSummaryQuestion(summary));
    return undefined;
  }
  const store = createLogsStore({
    ...absentLogStore(),
    search: async (search) => {
      asked.push(buildSearchQuestion(search));
      return [];
    },
    count: async (selected, maxCount) => {
      asked.push(buildCountQuestion(selected, maxCount));
      return 0;
    },
  });
  await read({ ...store, ...createLogSummariesStore({ summarise }) }, selection);
  return asked;
}

function windowAt(turn: number) {
  const startMs = FILLED_DAY.startMs + (turn % 23) * HOUR_MS;
  return { from: new Date(startMs).toISOString(), to: new Date(startMs + HOUR_MS).toISOString() };
}

interface Measurement {
  ms: number[];
  cpuMs: number[];
}

/** Alternates, and each side is first equally often, so that warm caches affect both. */
async function measure(read: LogsQuery, bare: ReturnType<typeof startBareEngine>) {
  const measured: Record<keyof typeof SCOPES, Measurement> = {
    all: { ms: [], cpuMs: [] },
    some: { ms: [], cpuMs: [] },
  };
  for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
    for (const who of turn % 2 === 0 ? (["all", "some"] as const) : (["some", "all"] as const)) {
      const selection = buildLogSelection(SCOPES[who], windowAt(turn + WARM_UP), clock.now());
      let [ms, cpuMs] = [0, 0];
      for (const { sql, parameters = {} } of await recordQuestions(read, selection)) {
        const answer = await bare.ask({ kind: "select", sql: `${sql} FORMAT JSONEachRow ${SETTINGS}`, parameters });
        ms += answer.ms;
        cpuMs += answer.cpuMs;
      }
      if (turn < 0) continue;
      measured[who].ms.push(ms);
      measured[who].cpuMs.push(cpuMs);
    }
  }
  return measured;
}

/**
 * Measures the cost of the same reads for a caller with one of two sites, each with half of the logs, and for one with
 * all sites. CPU time does not include other load on the machine.
 */
it(`reads ${rows} logs for restricted callers as fast as for others`, { timeout: HOUR_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-sites-"));
  await fillEngine(folder, { rows, sites: ["Alpha", "Beta"] });
  const bare = startBareEngine(folder);
  try {
    for (const [name, read] of Object.entries(READS)) {
      const { all, some } = await measure(read, bare);
      const ratio = computeFigures(some.cpuMs).p50 / computeFigures(all.cpuMs).p50;
      const format = ({ ms, cpuMs }: Measurement) =>
        `${inWords(computeFigures(ms))}, of the processor ${inWords(computeFigures(cpuMs))}`;
      print(`${name} in ${rows} logs, ms p50 / p95 / max, some sites: ${format(some)}`);
      print(`${name} in ${rows} logs, ms p50 / p95 / max, all sites: ${format(all)} (${ratio.toFixed(2)} times)`);
      if (isFull) expect(ratio, name).toBeLessThanOrEqual(MAX_RATIO);
    }
  } finally {
    await bare.stop();
    rmSync(folder, { recursive: true });
  }
});
