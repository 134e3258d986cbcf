import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { buildTableChanges, clusterTables } from "./clickhouse-tables.ts";

// An in-memory coordinator and a nonexistent cluster: enough to create the table, not to use it.
const CONFIG = `<clickhouse>
  <macros><shard>1</shard><replica>a</replica></macros>
  <zookeeper><implementation>testkeeper</implementation></zookeeper>
  <remote_servers><main><shard><internal_replication>true</internal_replication>
    <replica><host>127.0.0.1</host><port>9</port></replica>
    <replica><host>127.0.0.2</host><port>9</port></replica>
  </shard></main></remote_servers>
</clickhouse>`;

const SCRIPT = `
const { Session } = require("chdb");
const [folder, config, question, ...statements] = process.argv.slice(1);
const session = new Session(folder, { connectionArgs: ["--config-file=" + config] });
for (const statement of statements) session.query(statement);
const text = session.query(question, "JSONEachRow");
process.stdout.write(text, () => process.kill(process.pid, "SIGKILL"));`;

// The embedded engine has no queue for ON CLUSTER statements; each node of a real cluster runs the rest.
const withoutCluster = (statement: string) => statement.replace(" ON CLUSTER 'main'", "");

const TABLES = "SELECT name, engine, engine_full FROM system.tables WHERE database = 'default' ORDER BY name";

async function run(statements: readonly string[], question = TABLES) {
  const folder = mkdtempSync(join(tmpdir(), "cluster-"));
  const config = join(folder, "config.xml");
  writeFileSync(config, CONFIG);
  const args = ["-e", SCRIPT, join(folder, "data"), config, question, ...statements];
  const made = spawnSync(process.execPath, args, { timeout: 30_000, cwd: import.meta.dirname, encoding: "utf8" });
  await rm(folder, { recursive: true });
  expect(made.stderr).toBe("");
  return made.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

it("creates one replicated table on all replicas", async () => {
  const statements = clusterTables(90, "main");
  expect(statements.every((statement) => statement.includes(" ON CLUSTER 'main'"))).toBe(true);
  expect(await run(statements.map(withoutCluster))).toMatchObject([
    {
      name: "logs",
      engine: "ReplicatedMergeTree",
      engine_full: expect.stringMatching(
        /^ReplicatedMergeTree\('\/clickhouse\/tables\/\{shard\}\/default\/logs', '\{replica\}'\) PARTITION BY toYYYYMMDD\(ingested_at\) ORDER BY \(site, source, timestamp, id\) TTL ingested_at \+ toIntervalDay\(90\) SETTINGS .*replicated_deduplication_window = 10000/,
      ),
    },
    { name: "store_identity", engine: "ReplicatedMergeTree" },
  ]);
});

it("changes a replicated table on all replicas", async () => {
  const changes = buildTableChanges("CREATE TABLE logs (logs_message_idx)", { cluster: "main", retentionDays: 30 });
  expect(changes).toHaveLength(4);
  expect(changes.every((change) => change.startsWith("ALTER TABLE logs ON CLUSTER 'main' "))).toBe(true);
  const [parsed] = await run(
    [],
    `SELECT ${changes.map((change) => `formatQuery('${escapeText(change)}')`).join(", ")}`,
  );
  expect(Object.keys(parsed)).toHaveLength(4);
});

it("refuses a statement that the engine cannot parse", async () => {
  await expect(run([], "SELECT formatQuery('ALTER TABLE logs ON CLUSTER MODIFY TTL')")).rejects.toThrow();
});

function escapeText(statement: string): string {
  return statement.replaceAll(/[\\']/g, "\\$&");
}
