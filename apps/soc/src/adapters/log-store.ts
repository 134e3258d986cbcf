import { join } from "node:path";
import type { LogStore } from "../logs/search/log-store.ts";
import { createClickhouseLogStore } from "./clickhouse.ts";
import { agentOn, ENGINE_URL } from "./log-engine.ts";
import { createRecentLogs, type RecentLogsDeps } from "./recent-logs.ts";

const UNIX = "unix:";

/** The same folder for all processes of this box that share a data folder. */
export const toRecentFolder = (dataFolder: string) => join(dataFolder, "recent-logs");
export const toAddressFile = (dataFolder: string) => join(dataFolder, "log-engine.address");

export interface OpenBoxLogStore {
  /** The socket of the log engine on this box. It is read for every new connection, because the engine may change. */
  socketPath: () => string;
  retentionDays: number;
  /** The folder in which this box keeps the most recent batches. */
  recent: RecentLogsDeps;
}

export interface OpenLogStore extends Omit<OpenBoxLogStore, "socketPath"> {
  address: string;
}

export function openBoxLogStore({ socketPath, retentionDays, recent }: OpenBoxLogStore): LogStore {
  const agent = agentOn(socketPath);
  return createClickhouseLogStore({ url: ENGINE_URL, agent, retentionDays, recent: createRecentLogs(recent) });
}

/** The log store at an address: `http(s)://…` of ClickHouse, or `unix:…` of the log engine on this box. */
export function openLogStore({ address, ...options }: OpenLogStore): LogStore {
  if (!address.startsWith(UNIX)) {
    return createClickhouseLogStore({ url: address, retentionDays: options.retentionDays });
  }
  return openBoxLogStore({ ...options, socketPath: () => address.slice(UNIX.length) });
}
