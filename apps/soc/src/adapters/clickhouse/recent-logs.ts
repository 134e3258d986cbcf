import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "@kit/log";
import type { LogEvent } from "../../ports/log-event.ts";

/**
 * The batches of the last minutes as they were stored, in files beside the engine. The evaluation of new logs reads
 * these files, because parsing a line costs a tenth of what the engine needs to rebuild a log. The engine remains the
 * source of truth: it reports how many logs an instant has, and files with a different number are not used.
 */
export interface RecentLogs {
  /** Called when the batch is stored. A failed write is harmless, because those logs are read from the engine. */
  keep(batch: RecentBatch): Promise<void>;
  /** The files by the ingest time, in milliseconds, that all their logs share. */
  list(): Promise<ReadonlyMap<number, readonly RecentFile[]>>;
  /** Undefined if the file was deleted or is incomplete. */
  read(file: RecentFile): Promise<LogEvent[] | undefined>;
}

export interface RecentBatch {
  logs: readonly LogEvent[];
  /** The logs as JSON, as sent to the engine. */
  text: Uint8Array;
  token: string;
}

export interface RecentFile {
  name: string;
  atMs: number;
  logs: number;
  bytes: number;
}

export interface RecentLogsDeps {
  folder: string;
  log: Pick<Log, "warn">;
  keptBytes?: number;
}

const KEPT_MS = 120_000;
const KEPT_BYTES = 1024 ** 3;
const NAME = /^(\d+)-(\d+)-(\d+)-[0-9a-f]{64}\.json$/;
const UNFINISHED = ".part";

export function createRecentLogs({ folder, log, keptBytes = KEPT_BYTES }: RecentLogsDeps): RecentLogs {
  let hasFolder = false;

  async function write({ logs, text, token }: RecentBatch, atMs: number): Promise<void> {
    if (!hasFolder) await mkdir(folder, { recursive: true, mode: 0o700 });
    hasFolder = true;
    // A repeated batch has the same file name, so it is not stored twice.
    const name = `${atMs}-${logs.length}-${text.length}-${createHash("sha256").update(token).digest("hex")}.json`;
    const path = join(folder, name);
    await writeFile(path + UNFINISHED, text, { mode: 0o600 });
    await rename(path + UNFINISHED, path);
  }

  /** Deletes the oldest files and the unfinished files of a killed process. */
  async function makeRoom(nowMs: number): Promise<void> {
    const names = await readdir(folder);
    const oldestFirst = names.flatMap(parseFileName).toSorted((a, b) => a.atMs - b.atMs);
    let bytes = oldestFirst.reduce((sum, file) => sum + file.bytes, 0);
    const unfinished = names.filter((name) => name.endsWith(UNFINISHED) && Number.parseInt(name, 10) < nowMs - KEPT_MS);
    const expired = [...unfinished];
    for (const file of oldestFirst) {
      if (file.atMs >= nowMs - KEPT_MS && bytes <= keptBytes) break;
      bytes -= file.bytes;
      expired.push(file.name);
    }
    for (const name of expired) await rm(join(folder, name), { force: true });
  }

  return {
    async keep(batch) {
      const [first] = batch.logs;
      if (!first || batch.logs.some(({ ingested_at }) => ingested_at !== first.ingested_at)) return;
      const atMs = Date.parse(first.ingested_at);
      try {
        await write(batch, atMs);
        await makeRoom(atMs);
      } catch (error) {
        log.warn({ err: error }, "writing recent logs failed");
      }
    },

    async list() {
      const files = new Map<number, RecentFile[]>();
      const names = await readdir(folder).catch(() => []);
      for (const file of names.flatMap(parseFileName)) files.set(file.atMs, [...(files.get(file.atMs) ?? []), file]);
      return files;
    },

    async read({ name }) {
      try {
        const logs: unknown = JSON.parse(await readFile(join(folder, name), "utf8"));
        return isOurs(logs) ? logs : undefined;
      } catch {
        // Deleted in the meantime, or incomplete after a power failure. The engine still has the logs.
        return undefined;
      }
    },
  };
}

/** The folder is private, and only this module writes to it. */
function isOurs(logs: unknown): logs is LogEvent[] {
  return Array.isArray(logs);
}

function parseFileName(name: string): RecentFile[] {
  const [, at, logs, bytes] = NAME.exec(name) ?? [];
  return at === undefined ? [] : [{ name, atMs: Number(at), logs: Number(logs), bytes: Number(bytes) }];
}
