import process from "node:process";
import { createClient } from "@clickhouse/client";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { createLogEngine } from "../../src/adapters/log-engine/log-engine.ts";

const [folder = "", entry = ""] = process.argv.slice(2);
const memoryBytes = 2 * 1024 ** 3;
const engine = createLogEngine({
  folder,
  program: process.execPath,
  entry,
  memoryBytes,
  clock: createClock(),
  log: silentLog,
});
await engine.start();
const client = createClient({ url: engine.url, http_agent: engine.agent, keep_alive: { idle_socket_ttl: 0 } });
await client.command({ query: "CREATE TABLE left_behind (text String) ENGINE = MergeTree ORDER BY text" });
await client.insert({ table: "left_behind", values: [{ text: "acknowledged" }], format: "JSONEachRow" });
process.stdout.write(`${engine.pid()}\n`);
