import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sendSignal } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLogEngine, startLogEngineParent } from "../../../testing/servers/log-engine.ts";
import type { LogEngine } from "./log-engine.ts";

const clock = createClock();
let engine: LogEngine;
let folder: string;
let client: ClickHouseClient;

beforeAll(async () => {
  ({ engine, folder } = await startLogEngine());
  client = createEngineClient(engine);
  await client.command({ query: "CREATE TABLE notes (id UInt32, text String) ENGINE = MergeTree ORDER BY id" });
});

afterAll(async () => {
  await client.close();
  await engine.close();
  await rm(folder, { recursive: true });
});

function createEngineClient({ url, agent }: LogEngine): ClickHouseClient {
  return createClient({
    url,
    http_agent: agent,
    keep_alive: { idle_socket_ttl: 0 },
    log: { level: ClickHouseLogLevel.OFF },
  });
}

async function queryRows(
  query: string,
  query_params: Record<string, unknown> = {},
  settings: Record<string, string> = {},
) {
  const answer = await client.query({ query, query_params, format: "JSONEachRow", clickhouse_settings: settings });
  return answer.json();
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

const HOSTILE = [
  "it's",
  "C:\\new\\table\\x41",
  "\\N",
  "a\tb\r\nc\u0000d",
  "'; DROP TABLE notes; --",
  "{id:UInt32}",
  "FORMAT JSON",
  "é 日本語 مرحبا 🎉",
  '"`$%_',
  "\\'",
  "",
];
// Does not finish within a test.
const ENDLESS = "SELECT count() AS n FROM numbers(1000000000000) WHERE sipHash64(number) % 7 = {rest:UInt8}";

function endlessOnes() {
  // Split in two, so that this query does not match itself.
  const sql = "SELECT count() AS n FROM system.processes WHERE query LIKE concat({a:String}, {b:String})";
  return queryRows(sql, { a: "%sipHash64", b: "(number)%" });
}

describe("the log engine behind the official client", () => {
  it("returns every parameter unchanged", async () => {
    for (const text of HOSTILE) {
      const [row] = await queryRows("SELECT {text:String} AS text, {list:Array(String)} AS list", {
        text,
        list: [text, "b"],
      });
      expect(row).toEqual({ text, list: [text, "b"] });
    }
    expect(
      await queryRows("SELECT {none:Nullable(String)} AS none, {n:Array(Int64)} AS n", { none: null, n: [1, -2] }),
    ).toEqual([{ none: null, n: [1, -2] }]);
  });

  it("does not mix the parameters of concurrent queries", async () => {
    const asked = Array.from({ length: 64 }, (_, turn) => `text ${turn}`);
    const answers = await Promise.all(
      asked.map((text) =>
        queryRows("SELECT {text:String} AS text FROM numbers(2) WHERE sleepEachRow(0.001) = 0", { text }),
      ),
    );
    expect(answers).toEqual(asked.map((text) => [{ text }, { text }]));
  });

  it("stores and finds hostile rows", async () => {
    const values = HOSTILE.map((text, id) => ({ id, text }));
    const { summary } = await client.insert({ table: "notes", values, format: "JSONEachRow" });
    expect(summary?.written_rows).toBe(String(HOSTILE.length));
    for (const { id, text } of values) {
      expect(await queryRows("SELECT id FROM notes WHERE text = {text:String}", { text })).toEqual([{ id }]);
    }
  });

  it("applies settings only to the query that has them", async () => {
    const sql =
      "SELECT toString(getSetting('max_execution_time')) AS seconds, getSetting('insert_deduplication_token') AS token";
    const set = { max_execution_time: "7", insert_deduplication_token: "it's 1" };
    expect(await queryRows(sql, {}, set)).toEqual([{ seconds: "7", token: "it's 1" }]);
    const after = await Promise.all(Array.from({ length: 12 }, () => queryRows(sql)));
    expect(after).toEqual(after.map(() => [{ seconds: "0", token: "" }]));
  });

  it.each([
    ["JSONEachRow", '{"n":0}\n{"n":1}\n'],
    ["JSONCompactEachRow", "[0]\n[1]\n"],
    ["CSV", "0\n1\n"],
    ["TabSeparated", "0\n1\n"],
    ["RowBinary", "\u0000\u0001"],
  ] as const)("answers in %s", async (format, text) => {
    const { stream } = await client.exec({ query: `SELECT toUInt8(number) AS n FROM numbers(2) FORMAT ${format}` });
    expect(Buffer.concat(await stream.toArray()).toString("latin1")).toBe(text);
  });

  it("formats each row exactly once over many chunks", async () => {
    const { stream } = await client.exec({ query: "SELECT number FROM numbers(300000) FORMAT CSV" });
    const lines = Buffer.concat(await stream.toArray())
      .toString("utf8")
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(300_000);
    expect(lines.at(-1)).toBe("299999");
  });

  it("sends 400 MB at the reader's speed", { timeout: 120_000 }, async () => {
    const query = "SELECT number, repeat('x', 10000) AS text FROM numbers(40000)";
    const beforeMb = residentMb(engine.pid() ?? 0);
    const settings = { max_block_size: "400" };
    const answer = await client.query({ query, format: "JSONEachRow", clickhouse_settings: settings });
    let rows = 0;
    let maxMb = 0;
    for await (const block of answer.stream()) {
      // Enough time to fill an unbounded buffer.
      if (rows === 0) await clock.sleep(1000);
      rows += block.length;
      maxMb = Math.max(maxMb, residentMb(engine.pid() ?? 0) - beforeMb);
    }
    expect(rows).toBe(40_000);
    expect(maxMb).toBeLessThan(200);
  });

  it.each([
    ["SELECT nothing_here", "47", "UNKNOWN_IDENTIFIER"],
    ["SELEC 1", "62", "SYNTAX_ERROR"],
    ["SELECT * FROM absent", "60", "UNKNOWN_TABLE"],
    ["SELECT 1; SELECT 2", "62", "SYNTAX_ERROR"],
    ["SELECT * FROM file('/etc/passwd', 'LineAsString')", "164", "READONLY"],
    ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')", "164", "READONLY"],
    ["SELECT {missing:String}", "456", "UNKNOWN_QUERY_PARAMETER"],
  ])("refuses %s with code %s", async (sql, code, type) => {
    await expect(queryRows(sql)).rejects.toMatchObject({ code, type });
  });

  it("reports an error that occurs after the first rows", async () => {
    const answer = await client.query({
      query: "SELECT number, throwIf(number = 600000, 'too far') FROM numbers(1000000)",
      format: "JSONEachRow",
    });
    let rows = 0;
    const reading = (async () => {
      for await (const block of answer.stream()) rows += block.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: "395" });
    expect(rows).toBeGreaterThan(0);
  });

  it("ends a query inside the engine when its time limit is reached", async () => {
    const startMs = clock.monotonicMs();
    await expect(queryRows(ENDLESS, { rest: 3 }, { max_execution_time: "1" })).rejects.toMatchObject({ code: "159" });
    expect(clock.monotonicMs() - startMs).toBeLessThan(4000);
    expect(await endlessOnes()).toEqual([{ n: 0 }]);
  });

  it("ends a query inside the engine when its client disconnects, and does not block other queries", async () => {
    const gone = new AbortController();
    const endless = client.query({
      query: ENDLESS,
      query_params: { rest: 3 },
      abort_signal: gone.signal,
      format: "JSONEachRow",
    });
    const refused = expect(endless).rejects.toThrow("aborted");
    await expect.poll(() => endlessOnes()).toEqual([{ n: 1 }]);
    gone.abort();
    await refused;
    await expect.poll(() => endlessOnes(), { timeout: 3000 }).toEqual([{ n: 0 }]);
  });

  it("answers other queries while it plans one", async () => {
    let isOver = false;
    // The engine evaluates a scalar subquery while it plans.
    const planned = queryRows("SELECT 1 AS n WHERE 1 < (SELECT sum(sipHash64(number)) FROM numbers(30000000))").finally(
      () => {
        isOver = true;
      },
    );
    let answers = 0;
    for (; !isOver; answers += 1) await queryRows("SELECT 1 AS n");
    expect(await planned).toEqual([{ n: 1 }]);
    expect(answers).toBeGreaterThan(5);
  });

  it("accepts more concurrent queries than it has connections", async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => queryRows("SELECT {n:UInt32} AS n, sleep(0.02) AS slept", { n })),
    );
    expect(answers.flat()).toEqual(Array.from({ length: 60 }, (_, n) => ({ n, slept: 0 })));
  });

  it("serves every other lane and stores rows while one lane is full", async () => {
    const askIn = (lane: string, query: string, signal?: AbortSignal) =>
      client.query({
        query,
        query_params: { rest: 3 },
        format: "JSONEachRow",
        http_headers: { "x-log-lane": lane },
        ...(signal && { abort_signal: signal }),
      });
    for (const full of ["people", "previews", "rules", "stream"]) {
      const gone = new AbortController();
      const endless = Array.from({ length: 8 }, () => askIn(full, ENDLESS, gone.signal).catch(() => undefined));
      await clock.sleep(300);
      const startMs = clock.monotonicMs();
      for (const other of ["people", "previews", "rules", "stream"].filter((lane) => lane !== full)) {
        expect(await (await askIn(other, "SELECT 1 AS n")).json()).toEqual([{ n: 1 }]);
      }
      await client.insert({ table: "notes", values: [{ id: 9, text: full }], format: "JSONEachRow" });
      expect(clock.monotonicMs() - startMs).toBeLessThan(8000);
      gone.abort();
      await Promise.all(endless);
      await expect.poll(() => endlessOnes(), { timeout: 5000 }).toEqual([{ n: 0 }]);
    }
  });

  it("refuses queries beyond the queue limit and serves the rest", async () => {
    const asked = Array.from({ length: 100 }, (_, n) =>
      queryRows("SELECT {n:UInt32} AS n, sleep(0.1) AS slept", { n }),
    );
    const answers = await Promise.allSettled(asked);
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ code: "202" });
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(64);
    expect(await queryRows("SELECT 1 AS n")).toEqual([{ n: 1 }]);
  });

  it("answers a ping", async () => {
    expect(await client.ping()).toMatchObject({ success: true });
  });
});

describe("the log engine process", () => {
  it("refuses a folder that another process uses, and reports it", async () => {
    const refused = startLogEngine({ folder });
    await expect(refused).rejects.toThrow(`log folder: '${folder}' is in use by another process`);
    expect(engine.isReady()).toBe(true);
  });

  it("refuses a path that cannot be a folder", async () => {
    await expect(startLogEngine({ folder: "/dev/null/logs" })).rejects.toThrow();
  });

  it("replaces the process after a kill and keeps its address and rows", async () => {
    const [before] = await queryRows("SELECT count() AS n FROM notes");
    const pid = engine.pid() ?? 0;
    sendSignal(pid, "SIGKILL");
    await expect.poll(() => engine.pid(), { timeout: 5000 }).not.toBe(pid);
    await engine.ready();
    expect(engine.pid()).not.toBe(pid);
    expect(await queryRows("SELECT count() AS n FROM notes")).toEqual([before]);
  });

  // After a fault inside the engine the process keeps running but no longer responds: the signal alone does not end it.
  it.each(process.env.PROVE === "full" ? (["SIGSTOP", "SIGSEGV", "SIGABRT"] as const) : (["SIGSTOP"] as const))(
    "replaces the process after %s, even if it does not exit on its own",
    { timeout: 60_000 },
    async (signal) => {
      const [before] = await queryRows("SELECT count() AS n FROM notes");
      const pid = engine.pid() ?? 0;
      const startMs = clock.monotonicMs();
      sendSignal(pid, signal);
      await expect.poll(() => engine.isReady() && engine.pid() !== pid, { timeout: 40_000 }).toBe(true);
      expect(clock.monotonicMs() - startMs).toBeLessThan(20_000);
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
      expect(await queryRows("SELECT count() AS n FROM notes")).toEqual([before]);
    },
  );

  it("names the statements that were running when it stopped answering", { timeout: 60_000 }, async () => {
    const replaced: object[] = [];
    const log = { ...silentLog, warn: (fields: object) => replaced.push(fields) };
    const other = await startLogEngine({ log });
    const asking = createEngineClient(other.engine);
    const endless = asking
      .query({ query: ENDLESS, query_params: { rest: 3 }, format: "JSONEachRow" })
      .catch(() => "cut");
    await clock.sleep(1000);
    sendSignal(other.engine.pid(), "SIGSTOP");
    await expect.poll(() => replaced, { timeout: 20_000 }).toHaveLength(1);
    const statement = /^running for \d+\.\d s: SELECT count\(\) AS n FROM numbers\(1000000000000\) WHERE sipHash64/;
    expect(replaced).toMatchObject([{ why: "does not answer", statements: [expect.stringMatching(statement)] }]);
    expect(other.engine.restarts()).toEqual({ restarts_24h: 1, last_reason: "does not answer" });
    expect(await endless).toBe("cut");
    await asking.close();
    await other.engine.close();
    await rm(other.folder, { recursive: true });
  });

  it("exits within the time limit of close, even while a query runs", async () => {
    const other = await startLogEngine();
    const asking = createEngineClient(other.engine);
    const endless = asking
      .query({ query: ENDLESS, query_params: { rest: 3 }, format: "JSONEachRow" })
      .catch(() => "cut");
    await clock.sleep(300);
    const pid = other.engine.pid() ?? 0;
    const startMs = clock.monotonicMs();
    await other.engine.close();
    expect(clock.monotonicMs() - startMs).toBeLessThan(7000);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(await endless).toBe("cut");
    await other.engine.close();
    await rm(other.folder, { recursive: true });
  });

  it("exits when its parent dies and releases the folder", { timeout: 60_000 }, async () => {
    const parent = await startLogEngineParent();
    const refused = startLogEngine({ folder: parent.folder });
    await expect(refused).rejects.toThrow("is in use by another process");
    sendSignal(parent.pid, "SIGKILL");
    await expect.poll(() => isAlive(parent.childPid), { timeout: 15_000 }).toBe(false);
    const next = await startLogEngine({ folder: parent.folder });
    const asking = createEngineClient(next.engine);
    const answer = await asking.query({ query: "SELECT text FROM left_behind", format: "JSONEachRow" });
    expect(await answer.json()).toEqual([{ text: "acknowledged" }]);
    await asking.close();
    await next.engine.close();
    await rm(parent.folder, { recursive: true });
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it("writes no file for a query with INTO OUTFILE", async () => {
  const path = join(tmpdir(), `outfile-${process.pid}`);
  await expect(queryRows(`SELECT 1 INTO OUTFILE '${path}'`)).rejects.toMatchObject({ code: "36" });
  expect(existsSync(path)).toBe(false);
});
