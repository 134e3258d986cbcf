import { join } from "node:path";
import type { LogStore } from "../logs/search/log-store.ts";
import { createClickhouseLogStore } from "./clickhouse.ts";
import { agentOn, ENGINE_URL } from "./log-engine.ts";
import { createRecentLogs, type RecentLogsDeps } from "./recent-logs.ts";

const UNIX = "unix:";

/** The same folder for all processes of this box that share a data folder. */
export const toRecentFolder = (dataFolder: string) => join(dataFolder, "recent-logs");

export interface OpenLogStore {
  address: string;
  retentionDays: number;
  /** The folder in which this box keeps the most recent batches. */
  recent: RecentLogsDeps;
}

/** The log store at an address: `http(s)://…` of ClickHouse, or `unix:…` of the log engine on this box. */
export function openLogStore({ address, retentionDays, recent }: OpenLogStore): LogStore {
  if (!address.startsWith(UNIX)) return createClickhouseLogStore({ url: address, retentionDays });
  const agent = agentOn(() => address.slice(UNIX.length));
  return createClickhouseLogStore({ url: ENGINE_URL, agent, retentionDays, recent: createRecentLogs(recent) });
}
