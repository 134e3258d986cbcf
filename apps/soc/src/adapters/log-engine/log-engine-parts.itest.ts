import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { sendSignal } from "@kit/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";

const BATCHES = 6;
const BATCH_SIZE = 100;
const SOON = { timeout: 30_000 };

it("reads all logs again when it starts after a merge into an empty file, as on a full disk", async () => {
  const { engine, store, stop } = await startLogStore();
  onTestFinished(stop);
  const { url, agent } = engine;
  const keep_alive = { idle_socket_ttl: 0 };
  const client = createClient({ url, http_agent: agent, keep_alive, log: { level: ClickHouseLogLevel.OFF } });
  onTestFinished(() => client.close());
  const ask = async (query: string): Promise<{ found: number; path: string }[]> =>
    (await client.query({ query, format: "JSONEachRow" })).json();
  const count = async () => (await ask("SELECT countIf(id LIKE '%-%') AS found FROM logs"))[0]?.found;

  for (let n = 0; n < BATCHES; n += 1) {
    const batch = Array.from({ length: BATCH_SIZE }, (_, row) => sampleLog({ id: `${n}-${row}` }));
    await store.insert(batch, { token: `batch ${n}` });
  }
  await client.command({ query: "OPTIMIZE TABLE logs FINAL" });
  const parts = await ask("SELECT path FROM system.parts WHERE table = 'logs' AND active");
  expect(parts).toHaveLength(1);
  await truncate(join(parts[0]?.path ?? "", "data.bin"));
  await expect(count()).rejects.toThrow();

  const pid = engine.pid();
  sendSignal(pid, "SIGKILL");
  await expect.poll(() => engine.isReady() && engine.pid() !== pid, SOON).toBe(true);
  expect(await count()).toBe(BATCHES * BATCH_SIZE);
});
