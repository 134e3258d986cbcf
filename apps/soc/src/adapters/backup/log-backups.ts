import { createEngineTasks, type EngineTasksDeps, quote, toFile } from "../log-engine/engine-tasks.ts";

/** Backups of the logs by the log engine, which itself writes and reads the folders. */
export interface LogBackups {
  /** The number of logs that were ingested before this instant. */
  count(before: Date): Promise<number>;
  /** How many of these logs exist. */
  countIds(ids: readonly string[]): Promise<number>;
  /** Copies all logs of one instant into a new folder; with a base, only those that the base lacks. */
  backup(folder: string, base?: string): Promise<void>;
  /** Creates the table of the logs from a backup. Expired logs remain until the service starts. */
  restore(folder: string, base?: string): Promise<void>;
  close(): Promise<void>;
}

const IDS_BATCH_SIZE = 1000;

export function createLogBackups(deps: EngineTasksDeps): LogBackups {
  const engine = createEngineTasks(deps);

  return {
    async count(before) {
      const to = `fromUnixTimestamp64Milli(${before.getTime()})`;
      const [row] = await engine.select<{ rows: string }>(`SELECT count() AS rows FROM logs WHERE ingested_at < ${to}`);
      return Number(row?.rows ?? 0);
    },

    async countIds(ids) {
      let found = 0;
      for (let at = 0; at < ids.length; at += IDS_BATCH_SIZE) {
        const some = ids
          .slice(at, at + IDS_BATCH_SIZE)
          .map(quote)
          .join(", ");
        const rows = await engine.select<{ found: string }>(
          `SELECT uniqExact(id) AS found FROM logs WHERE id IN (${some})`,
        );
        found += Number(rows[0]?.found ?? 0);
      }
      return found;
    },

    backup: (folder, base) => engine.copy(`BACKUP TABLE logs TO ${toFile(folder)}`, listBase(base)),

    async restore(folder, base) {
      const from = `RESTORE TABLE logs FROM ${toFile(folder)}`;
      await engine.copy(from, ["structure_only = 1", ...listBase(base)]);
      // A backup that is older than the retention would begin to expire before its logs are counted.
      await engine.command("SYSTEM STOP TTL MERGES logs");
      await engine.copy(from, ["allow_non_empty_tables = 1", ...listBase(base)]);
    },

    close: () => engine.close(),
  };
}

function listBase(base: string | undefined): string[] {
  return base === undefined ? [] : [`base_backup = ${toFile(base)}`];
}
