import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { createClickhouseLogStore } from "./clickhouse.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A server that describes itself as a ClickHouse would, and records the settings of inserts. */
async function startServer(facts: { version: string; shards?: number; replicas?: number }) {
  const inserts: URLSearchParams[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams, pathname } = new URL(request.url ?? "/", "http://server");
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    const statement = searchParams.get("query") ?? body;
    if (pathname === "/ping") response.end("Ok.\n");
    else if (statement.startsWith("INSERT")) {
      inserts.push(searchParams);
      response.end();
    } else response.end(`${JSON.stringify({ ...facts, made: "" })}\n`);
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    inserts,
    openStore(cluster?: string) {
      const store = createClickhouseLogStore({ url, retentionDays: 90, ...(cluster !== undefined && { cluster }) });
      open.push(() => void store.close());
      return store;
    },
  };
}

it.each(["18.16.1", "25.12.3.1", "26.1.9"])("refuses ClickHouse %s, and names it and the variable", async (version) => {
  const store = (await startServer({ version })).openStore();
  const message = `SOC_LOG_STORE: ClickHouse ${version} is too old; 26.2 or newer is required`;
  await expect(store.migrate()).rejects.toMatchObject({ kind: "unavailable", message });
  expect(await store.isAvailable()).toBe(false);
});

it.each(["26.2.1.1", "26.7.2.1", "27.1"])("accepts ClickHouse %s", async (version) => {
  const store = (await startServer({ version })).openStore();
  await store.migrate();
  expect(await store.isAvailable()).toBe(true);
});

it("requires all replicas of its cluster to store an insert", async () => {
  const server = await startServer({ version: "26.7.2.1", shards: 1, replicas: 3 });
  await server.openStore("main").insert([sampleLog({ id: "a" })], { token: "a" });
  expect(server.inserts.map((settings) => settings.get("insert_quorum"))).toEqual(["3"]);
  await server.openStore().insert([sampleLog({ id: "b" })], { token: "b" });
  expect(server.inserts.map((settings) => settings.get("insert_quorum"))).toEqual(["3", null]);
});

it.each([
  [{ shards: 0, replicas: 0 }, "SOC_LOG_CLUSTER: the log store has no cluster 'main'"],
  [{ shards: 2, replicas: 4 }, "SOC_LOG_CLUSTER: cluster 'main' has 2 shards; name each in SOC_LOG_STORE instead"],
])("refuses a cluster that is not a single store: %j", async (facts, message) => {
  const store = (await startServer({ version: "26.7.2.1", ...facts })).openStore("main");
  await expect(store.migrate()).rejects.toMatchObject({ kind: "unavailable", message });
  await expect(store.insert([sampleLog({ id: "a" })], { token: "a" })).rejects.toMatchObject({ message });
});
