import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import { lacksPublicData } from "../fixtures/public-data.ts";
import { signIn } from "../harness/sample-world.ts";
import { wholePlatform } from "../harness/whole-platform.ts";
import { freshDatabase } from "../servers/fresh-database.ts";
import { startLogEngine } from "../servers/log-engine.ts";
import { computeFigures, inWords, print } from "./figures.ts";
import { FILLED_DAY, fillEngine } from "./filled-engine.ts";
import { publicRuleTexts } from "./public-rules.ts";

const { BENCH_ROWS = "20000", BENCH_PREVIEWS = "10" } = process.env;
const rows = Number(BENCH_ROWS);
const isFull = rows >= 10_000_000;
const DEAREST = 6;
const DEAREST_ROUNDS = isFull ? 5 : 1;
const SEARCH_MS = 200;
const MAX_SEARCH_MS = 1000;
const HOUR = 60 * 60_000;
const clock = createClock();

it.skipIf(lacksPublicData("sigma-rules.tar.gz"))(
  `previews public rules over ${rows} logs while people search`,
  { timeout: 4 * HOUR },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "bench-previews-"));
    await fillEngine(folder, { rows });
    const { engine } = await startLogEngine({ folder });
    const store = createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 36_500 });
    const { url } = await freshDatabase();
    const platform = await wholePlatform("real", url, undefined, store);
    try {
      const headers = await signIn(platform.app);
      const { from, to } = FILLED_DAY;

      async function preview(yaml: string): Promise<{ ms: number; status: number; yaml: string }> {
        const payload = { yaml, from, to };
        const startMs = clock.monotonicMs();
        const { statusCode } = await platform.app.inject({
          method: "POST",
          url: "/api/v1/detections/rules/preview",
          headers,
          payload,
        });
        return { ms: clock.monotonicMs() - startMs, status: statusCode, yaml };
      }

      /** Sends one search after the other, until the end. */
      async function search(over: AbortSignal): Promise<number[]> {
        const waitsMs: number[] = [];
        for (let n = 0; !over.aborted; n += 1) {
          const query = [
            `rare${n % 40}`,
            `src_ip:10.${n % 7}.${n % 250}.${n % 240}`,
            `host:host${n % 400} severity:high`,
          ];
          const asked = new URLSearchParams({ query: query[n % 3] ?? "", from, to, limit: "50" });
          const startMs = clock.monotonicMs();
          const { statusCode, body } = await platform.app.inject({ url: `/api/v1/siem/logs?${asked}`, headers });
          if (statusCode !== 200) throw new Error(body);
          waitsMs.push(clock.monotonicMs() - startMs);
          await clock.sleep(SEARCH_MS, over).catch(() => undefined);
        }
        return waitsMs;
      }

      async function beside<Result>(work: () => Promise<Result>): Promise<[Result, number[]]> {
        const over = new AbortController();
        const searching = search(over.signal);
        const result = await work().finally(() => over.abort());
        return [result, await searching];
      }

      const all = publicRuleTexts();
      const every = Math.max(1, Math.floor(all.length / Number(BENCH_PREVIEWS)));
      const texts = all.filter((_, place) => place % every === 0);
      const [previews, besideEach] = await beside(async () => {
        const done: Awaited<ReturnType<typeof preview>>[] = [];
        for (const text of texts) done.push(await preview(text));
        return done;
      });
      const dearest = previews.toSorted((a, b) => b.ms - a.ms).slice(0, DEAREST);
      const [rounds, besideDearest] = await beside(async () => {
        const done: Awaited<ReturnType<typeof preview>>[] = [];
        for (let round = 0; round < DEAREST_ROUNDS; round += 1) {
          done.push(...(await Promise.all(dearest.map(({ yaml }) => preview(yaml)))));
        }
        return done;
      });

      const figures = (times: readonly number[]) => inWords(computeFigures(times));
      print(
        `previews of ${texts.length} rules over ${rows} logs, ms p50 / p95 / max: ${figures(previews.map(({ ms }) => ms))}`,
      );
      print(`searches meanwhile: ${figures(besideEach)} (${besideEach.length})`);
      print(`the dearest ${dearest.length} at once: ${figures(rounds.map(({ ms }) => ms))}`);
      print(`searches meanwhile: ${figures(besideDearest)} (${besideDearest.length})`);
      // 503: a query reached its time limit; only this query ends, and reports it.
      const refused = [...previews, ...rounds].filter(({ status }) => status !== 200);
      print(
        `previews that were refused: ${refused.length} (${[...new Set(refused.map(({ status }) => status))].join()})`,
      );
      expect(engine.restarts().restarts_24h).toBe(0);
      expect([...new Set([...previews, ...rounds].map(({ status }) => status))].filter((each) => each >= 500)).toEqual(
        [],
      );
      if (!isFull) return;
      for (const waits of [besideEach, besideDearest]) expect(computeFigures(waits).p95).toBeLessThan(MAX_SEARCH_MS);
    } finally {
      await platform.close();
      await store.close();
      await engine.close();
      rmSync(folder, { recursive: true });
    }
  },
);
