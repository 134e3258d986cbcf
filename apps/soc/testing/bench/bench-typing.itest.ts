import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClient } from "@clickhouse/client";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import { signIn } from "../harness/sample-world.ts";
import { wholePlatform } from "../harness/whole-platform.ts";
import { freshDatabase } from "../servers/fresh-database.ts";
import { startLogEngine } from "../servers/log-engine.ts";
import { computeFigures, inWords, print } from "./figures.ts";
import { FILLED_DAY, fillEngine } from "./filled-engine.ts";

// Simulates a person who types a rule in the console: after a pause of 400 ms it requests the last day, then all days;
// a key before the response cancels the request. BENCH_ROWS=10000000 is the documented size.
const { BENCH_ROWS = "20000" } = process.env;
const rows = Number(BENCH_ROWS);
const isFull = rows >= 10_000_000;
const DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
const HOUR = 60 * 60_000;
const PAUSE_MS = 400;
const FIRST_MS = 2000;
const STOPPED_MS = 2000;
const ROUNDS = isFull ? 5 : 1;
const clock = createClock();
const to = FILLED_DAY.startMs + DAYS * DAY_MS;

/** The texts at the typing pauses. */
const TYPED: readonly (readonly string[])[] = [
  ["rare1", "rare12", "rare12 severity:high"],
  ["host:host7", "host:host7 severity:high", "host:host7 severity:high FAILED"],
  ["FAILED", "FAILED user:user12", "FAILED user:user12*"],
  ["message:/FAIL/", "message:/FAILED for user1[0-9]+ /", "message:/FAILED for user1[0-9]+ on host3/"],
  ["src_ip:10.0.1.1", "src_ip:10.0.0.0/16", "src_ip:10.0.0.0/16 NOT severity:info"],
  ["event_code:4625", "event_code:4625 FAILED", "event_code:(4625 OR 4624) FAILED process:app1*"],
  ["attributes.logon.type:3", "attributes.logon.type:3 FAILED", "attributes.logon.type:3 FAILED host:host1*"],
  ["raw:/x{3}/", "raw:/user1[0-9]{3}/ severity:high", "raw:/user1[0-9]{3}/ severity:high source:windows"],
];

/** After all but the last text, the next key interrupts a response, each time at a different moment. */
const PAUSES = Array.from({ length: ROUNDS }, (_, round) =>
  TYPED.flatMap((texts, at) =>
    texts.map((text, place) => ({
      text,
      nextKeyMs: place === texts.length - 1 ? undefined : PAUSE_MS + 50 + ((round * 7 + at * 3 + place) % 10) * 40,
    })),
  ),
).flat();

it(`tests a rule while it is typed, over ${DAYS} days of ${rows} logs`, { timeout: 4 * HOUR }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-typing-"));
  await fillEngine(folder, { rows, days: DAYS });
  const { engine } = await startLogEngine({ folder });
  const store = createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 36_500 });
  const client = createClient({ url: engine.url, http_agent: engine.agent, keep_alive: { idle_socket_ttl: 0 } });
  const { url } = await freshDatabase();
  const platform = await wholePlatform("real", url, undefined, store);
  try {
    const headers = { ...(await signIn(platform.app)), "content-type": "application/json" };
    await platform.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = platform.app.server.address() as AddressInfo;

    async function preview(query: string, days: number, signal: AbortSignal) {
      const window = { from: new Date(to - days * DAY_MS).toISOString(), to: new Date(to).toISOString() };
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/detections/rules/preview`, {
        method: "POST",
        headers,
        body: JSON.stringify({ query, ...window }),
        signal,
      });
      const body = (await answer.json()) as { error?: unknown };
      if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${JSON.stringify(body)}`);
    }

    async function countRunning(): Promise<number> {
      const query = "SELECT count() AS n FROM system.processes WHERE query NOT LIKE '%system.processes%'";
      const [row] = await (await client.query({ query, format: "JSONEachRow" })).json<{ n: number | string }>();
      return Number(row?.n);
    }

    const [firstMs, allMs, stoppedMs]: [number[], number[], number[]] = [[], [], []];
    for (const { text, nextKeyMs } of PAUSES) {
      const typing = new AbortController();
      const startMs = clock.monotonicMs();
      const asking = (async () => {
        await clock.sleep(PAUSE_MS, typing.signal);
        await preview(text, 1, typing.signal);
        firstMs.push(clock.monotonicMs() - startMs);
        await preview(text, DAYS, typing.signal);
        allMs.push(clock.monotonicMs() - startMs);
      })();
      if (nextKeyMs !== undefined) void clock.sleep(nextKeyMs).then(() => typing.abort());
      const wasAborted = await asking.then(
        () => false,
        (error: unknown) => {
          if (!typing.signal.aborted) throw error;
          return true;
        },
      );
      if (!wasAborted) continue;
      const leftMs = clock.monotonicMs();
      await expect.poll(countRunning, { timeout: 30_000, interval: 20 }).toBe(0);
      stoppedMs.push(clock.monotonicMs() - leftMs);
    }
    print(
      `a rule typed over ${DAYS} days of ${rows} logs, ms from the last key, p50 / p95 / max: first answer (one day) ` +
        `${inWords(computeFigures(firstMs))}, all days ${inWords(computeFigures(allMs))}`,
    );
    print(
      `${stoppedMs.length} tests ended by a key: nothing left running after ${inWords(computeFigures(stoppedMs))} ms (p50 / p95 / max)`,
    );
    expect(await countRunning()).toBe(0);
    expect(stoppedMs.length).toBeGreaterThan(0);
    if (!isFull) return;
    expect(computeFigures(firstMs).p95).toBeLessThan(FIRST_MS);
    expect(computeFigures(stoppedMs).max).toBeLessThan(STOPPED_MS);
  } finally {
    await platform.close();
    await client.close();
    await store.close();
    await engine.close();
    rmSync(folder, { recursive: true });
  }
});
