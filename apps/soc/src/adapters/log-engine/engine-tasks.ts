import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from "@clickhouse/client";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import { agentOn, ENGINE_URL } from "./log-engine.ts";

export interface EngineTasksDeps {
  /** The socket of a log engine that responds. */
  socketPath: string;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  ids: Pick<Ids, "next">;
}

/** The operations of a log engine other than storing and reading logs. */
export interface EngineTasks {
  select<Row>(query: string, settings?: ClickHouseSettings): Promise<Row[]>;
  command(query: string): Promise<void>;
  /** Runs a `BACKUP` or a `RESTORE` to its end. Stops waiting when the signal aborts; the statement keeps running. */
  copy(statement: string, settings: readonly string[], signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 200;
const MAX_RUNNING_MS = 24 * 3_600_000;
const REQUEST_MS = 100_000;
const RUNNING = new Set(["CREATING_BACKUP", "RESTORING"]);
const DONE = new Set(["BACKUP_CREATED", "RESTORED"]);

export function createEngineTasks({ socketPath, clock, ids }: EngineTasksDeps): EngineTasks {
  const agent = agentOn(() => socketPath);
  const client = createClient({
    url: ENGINE_URL,
    http_agent: agent,
    request_timeout: REQUEST_MS,
    application: "manara-soc",
    log: { level: ClickHouseLogLevel.OFF },
  });

  async function select<Row>(query: string, settings: ClickHouseSettings = {}): Promise<Row[]> {
    const answer = await client.query({ query, format: "JSONEachRow", clickhouse_settings: settings });
    return answer.json<Row>();
  }

  async function command(query: string): Promise<void> {
    await client.command({ query });
  }

  return {
    select,
    command,

    /**
     * Runs in the background of the engine, because a long statement would occupy one of its few writing connections.
     */
    async copy(statement, settings, signal) {
      const id = ids.next();
      const all = [`id = ${quote(id)}`, ...settings];
      await command(`${statement} SETTINGS ${all.join(", ")} ASYNC`);
      const startMs = clock.monotonicMs();
      for (;;) {
        const [state] = await select<{ status: string; error: string }>(
          `SELECT status, error FROM system.backups WHERE id = ${quote(id)}`,
        );
        if (!state) throw new Problem("unavailable", "the log engine was restarted in the meantime; start again");
        if (DONE.has(state.status)) return;
        if (!RUNNING.has(state.status)) throw new Problem("failed", `logs: ${state.error || state.status}`);
        if (clock.monotonicMs() - startMs > MAX_RUNNING_MS)
          throw new Problem("failed", "logs: not finished within a day");
        await clock.sleep(POLL_MS, signal);
      }
    },

    async close() {
      await client.close();
      agent.destroy();
    },
  };
}

/** Formats the folder of a backup for a statement. */
export function toFile(folder: string): string {
  return `File(${quote(folder)})`;
}

export function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
