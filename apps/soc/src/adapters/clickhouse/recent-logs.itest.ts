import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "@kit/log/silent";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { createClickhouseLogStore } from "./clickhouse.ts";
import { createRecentLogs } from "./recent-logs.ts";

const START_MS = Date.parse("2026-11-15T09:00:00.000Z");
let logs: Awaited<ReturnType<typeof startLogStore>>;
let folder: string;
let minute = 0;

beforeAll(async () => {
  logs = await startLogStore();
});
afterAll(() => logs.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recent-logs-"));
  minute += 1;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An instant within the minute that is reserved for this test. */
const at = (ms: number) => new Date(START_MS + minute * 60_000 + ms);

function open(options: { keptBytes?: number; warn?: () => void } = {}) {
  const { warn = silentLog.warn, ...rest } = options;
  const recent = createRecentLogs({ folder, log: { warn }, ...rest });
  const { url, agent } = logs.engine;
  return createClickhouseLogStore({ url, agent, retentionDays: 90, recent });
}

const logAt = (ms: number, name: string, given: Partial<LogEvent> = {}): LogEvent =>
  sampleLog({ id: `${minute}-${name}`, ingested_at: at(ms).toISOString(), message: name, ...given });

async function readAll(store = open()): Promise<string[]> {
  const found: string[] = [];
  for await (const page of store.read({ from: at(0), to: at(1000) })) found.push(...page.map(({ message }) => message));
  return found;
}

/** Changes the word in every file but not in the engine's rows. */
function markFiles(): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(`"message":"`, `"message":"file `));
  }
}

describe("logs of the last minutes", () => {
  it("reads recent logs from their files, oldest first, within the window only", async () => {
    const store = open();
    await store.insert([logAt(1000, "after")], { token: `${minute}-a` });
    await store.insert([logAt(500, "second"), logAt(500, "third")], { token: `${minute}-b` });
    await store.insert([logAt(0, "first")], { token: `${minute}-c` });
    expect(await readAll()).toEqual(["first", "second", "third"]);
    markFiles();
    expect(await readAll()).toEqual(["file first", "file second", "file third"]);
  });

  it("reads the same logs from files as from the engine, field by field", async () => {
    const given = logAt(0, "all", {
      src_port: 7,
      user: 'müßig\n\t"',
      attributes: { a: { b: [1, "x"] }, c: 1.5, d: true },
    });
    await open().insert([given], { token: `${minute}` });
    for (const store of [open(), logs.store]) {
      for await (const page of store.read({ from: at(0), to: at(1) })) expect(page).toEqual([given]);
    }
  });

  it("reads the engine if a file is missing, too old or incomplete for its instant", async () => {
    const store = open();
    await store.insert([logAt(1, "kept")], { token: `${minute}-a` });
    await store.insert([logAt(2, "gone")], { token: `${minute}-b` });
    await store.insert([logAt(3, "half")], { token: `${minute}-c` });
    await logs.store.insert([logAt(3, "other half")], { token: `${minute}-d` });
    await logs.store.insert([logAt(4, "elsewhere")], { token: `${minute}-e` });
    await store.insert([logAt(5, "last")], { token: `${minute}-f` });
    markFiles();
    const [gone = ""] = readdirSync(folder).filter((name) => name.startsWith(`${at(2).getTime()}-`));
    rmSync(join(folder, gone));
    expect(await readAll()).toEqual(["file kept", "gone", "half", "other half", "elsewhere", "file last"]);
  });

  it("reads the engine if a file is deleted between listing and reading", async () => {
    const store = open();
    await store.insert([logAt(1, "one")], { token: `${minute}-a` });
    await store.insert([logAt(2, "two")], { token: `${minute}-b` });
    const found: string[] = [];
    for await (const page of open().read({ from: at(0), to: at(1000) })) {
      found.push(...page.map(({ message }) => message));
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    }
    expect(found).toEqual(["one", "two"]);
  });

  it("reads the engine if a file is truncated on the disk", async () => {
    await open().insert([logAt(1, "whole")], { token: `${minute}` });
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "\0\0\0");
    expect(await readAll()).toEqual(["whole"]);
  });

  it("writes one file for a repeated batch and none for a refused one", async () => {
    const store = open();
    const batch = [logAt(1, "once")];
    await store.insert(batch, { token: `${minute}` });
    await store.insert(batch, { token: `${minute}` });
    expect(readdirSync(folder)).toHaveLength(1);
    await expect(store.insert([logAt(2, "bad", { src_port: 70_000 })], { token: `${minute}-bad` })).rejects.toThrow();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("keeps no files for the owner of a partition, which has already evaluated the logs", async () => {
    const store = open();
    await store.insert([logAt(1, "owned")], { token: `${minute}`, partition: 0 });
    expect(readdirSync(folder)).toEqual([]);
    expect(await readAll(store)).toEqual(["owned"]);
  });

  it("writes private files that are deleted after two minutes or above the size limit", async () => {
    const store = open({ keptBytes: 3000 });
    await store.insert([logAt(0, "old")], { token: `${minute}-a` });
    expect(statSync(join(folder, readdirSync(folder)[0] ?? "")).mode & 0o777).toBe(0o600);
    await store.insert([logAt(120_001, "new")], { token: `${minute}-b` });
    expect(readdirSync(folder).map((name) => name.split("-")[0])).toEqual([String(at(120_001).getTime())]);
    await store.insert([logAt(120_002, "long", { raw: "x".repeat(2500) })], { token: `${minute}-c` });
    expect(readdirSync(folder).map((name) => name.split("-")[0])).toEqual([String(at(120_002).getTime())]);
  });

  it("stores logs and logs a warning if their file cannot be written", async () => {
    const warn = vi.fn();
    renameSync(folder, `${folder}-moved`);
    writeFileSync(folder, "not a folder");
    const store = open({ warn });
    await store.insert([logAt(1, "stored")], { token: `${minute}` });
    expect(warn).toHaveBeenCalledOnce();
    expect(await readAll(store)).toEqual(["stored"]);
    rmSync(`${folder}-moved`, { recursive: true });
  });
});
