import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import { agentOn, ENGINE_URL } from "../log-engine.ts";

export interface LogBackupsDeps {
  /** The socket of a log engine that answers. */
  socketPath: string;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  ids: Pick<Ids, "next">;
}

/** Backups of the logs by the log engine itself, which writes and reads the folders. */
export interface LogBackups {
  /** How many logs came in before this instant. */
  count(before: Date): Promise<number>;
  /** How many of these logs there are. */
  countIds(ids: readonly string[]): Promise<number>;
  /** Copies all logs of one instant into a new folder; with a base, only what the base does not have. */
  backup(folder: string, base?: string): Promise<void>;
  /** Creates the table of the logs from a backup. Expired logs stay until the service starts. */
  restore(folder: string, base?: string): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 200;
const MAX_RUNNING_MS = 24 * 3_600_000;
const REQUEST_MS = 60_000;
const IDS_BATCH_SIZE = 1000;
const RUNNING = new Set(["CREATING_BACKUP", "RESTORING"]);
const DONE = new Set(["BACKUP_CREATED", "RESTORED"]);

export function createLogBackups({ socketPath, clock, ids }: LogBackupsDeps): LogBackups {
  const agent = agentOn(() => socketPath);
  const client = createClient({
    url: ENGINE_URL,
    http_agent: agent,
    request_timeout: REQUEST_MS,
    application: "manara-soc",
    log: { level: ClickHouseLogLevel.OFF },
  });

  async function select<Row>(query: string): Promise<Row[]> {
    const answer = await client.query({ query, format: "JSONEachRow" });
    return answer.json<Row>();
  }

  /** In the background of the engine: a statement that takes long would keep one of its few writing connections. */
  async function runAsync(statement: string, settings: readonly string[]): Promise<void> {
    const id = ids.next();
    const all = [`id = ${quote(id)}`, ...settings];
    await client.command({ query: `${statement} SETTINGS ${all.join(", ")} ASYNC` });
    const startMs = clock.monotonicMs();
    for (;;) {
      const [state] = await select<{ status: string; error: string }>(
        `SELECT status, error FROM system.backups WHERE id = ${quote(id)}`,
      );
      if (!state) throw new Problem("unavailable", "the log engine was restarted meanwhile; start again");
      if (DONE.has(state.status)) return;
      if (!RUNNING.has(state.status)) throw new Problem("failed", `logs: ${state.error || state.status}`);
      if (clock.monotonicMs() - startMs > MAX_RUNNING_MS) throw new Problem("failed", "logs: not done within a day");
      await clock.sleep(POLL_MS);
    }
  }

  return {
    async count(before) {
      const to = `fromUnixTimestamp64Milli(${before.getTime()})`;
      const [row] = await select<{ rows: string }>(`SELECT count() AS rows FROM logs WHERE ingested_at < ${to}`);
      return Number(row?.rows ?? 0);
    },

    async countIds(ids) {
      let found = 0;
      for (let at = 0; at < ids.length; at += IDS_BATCH_SIZE) {
        const some = ids
          .slice(at, at + IDS_BATCH_SIZE)
          .map(quote)
          .join(", ");
        const [row] = await select<{ rows: string }>(`SELECT uniqExact(id) AS rows FROM logs WHERE id IN (${some})`);
        found += Number(row?.rows ?? 0);
      }
      return found;
    },

    backup: (folder, base) => runAsync(`BACKUP TABLE logs TO ${toFile(folder)}`, listBase(base)),

    async restore(folder, base) {
      const from = `RESTORE TABLE logs FROM ${toFile(folder)}`;
      await runAsync(from, ["structure_only = 1", ...listBase(base)]);
      // A backup that is older than the retention would begin to expire before its logs are counted.
      await client.command({ query: "SYSTEM STOP TTL MERGES logs" });
      await runAsync(from, ["allow_non_empty_tables = 1", ...listBase(base)]);
    },

    async close() {
      await client.close();
      agent.destroy();
    },
  };
}

function listBase(base: string | undefined): string[] {
  return base === undefined ? [] : [`base_backup = ${toFile(base)}`];
}

function toFile(folder: string): string {
  return `File(${quote(folder)})`;
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
