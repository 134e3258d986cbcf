import type { LogStore } from "../siem/log-store.ts";
import { createClickhouseLogStore } from "./clickhouse.ts";
import { agentOn, ENGINE_URL } from "./log-engine.ts";

const UNIX = "unix:";

/** The log store at an address: `http(s)://…` of ClickHouse, or `unix:…` of the log engine on this box. */
export function openLogStore(address: string, retentionDays: number): LogStore {
  if (!address.startsWith(UNIX)) return createClickhouseLogStore({ url: address, retentionDays });
  const agent = agentOn(() => address.slice(UNIX.length));
  return createClickhouseLogStore({ url: ENGINE_URL, agent, retentionDays });
}
