import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { clusterTables } from "./clickhouse-tables.ts";

// A coordinator in memory and one shard that does not exist: enough to create the tables, not to use them.
const CONFIG = `<clickhouse>
  <macros><shard>1</shard><replica>a</replica></macros>
  <zookeeper><implementation>testkeeper</implementation></zookeeper>
  <remote_servers><main><shard><internal_replication>true</internal_replication>
    <replica><host>127.0.0.1</host><port>9</port></replica>
  </shard></main></remote_servers>
</clickhouse>`;

const SCRIPT = `
const { Session } = require("chdb");
const [folder, config, ...statements] = process.argv.slice(1);
const session = new Session(folder, { connectionArgs: ["--config-file=" + config] });
for (const statement of statements) session.query(statement);
const text = session.query("SELECT name, engine, engine_full FROM system.tables WHERE database = 'default' ORDER BY name", "JSONEachRow");
process.stdout.write(text, () => process.kill(process.pid, "SIGKILL"));`;

it("creates replicated tables and one distributed table over them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cluster-"));
  const config = join(folder, "config.xml");
  writeFileSync(config, CONFIG);
  // The embedded engine has no queue for ON CLUSTER statements; each node of a real cluster runs the rest.
  const statements = clusterTables(90, "main").map((statement) => statement.replace(" ON CLUSTER 'main'", ""));
  expect(statements.join()).not.toContain("ON CLUSTER");
  const args = ["-e", SCRIPT, join(folder, "data"), config, ...statements];
  const made = spawnSync(process.execPath, args, { timeout: 30_000, cwd: import.meta.dirname, encoding: "utf8" });
  await rm(folder, { recursive: true });
  expect(made.stderr).toBe("");
  const tables = made.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(tables).toEqual([
    {
      name: "logs",
      engine: "Distributed",
      engine_full: "Distributed('main', 'default', 'logs_local', cityHash64(id))",
    },
    {
      name: "logs_local",
      engine: "ReplicatedMergeTree",
      engine_full: expect.stringMatching(
        /^ReplicatedMergeTree\('\/clickhouse\/tables\/\{shard\}\/default\/logs_local', '\{replica\}'\) PARTITION BY toYYYYMMDD\(ingested_at\) ORDER BY \(site, source, timestamp, id\) TTL ingested_at \+ toIntervalDay\(90\) SETTINGS .*replicated_deduplication_window = 10000/,
      ),
    },
  ]);
});
