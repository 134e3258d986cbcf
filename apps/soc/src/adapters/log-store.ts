import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { LogStore } from "../ports/log-store.ts";
import { createClickhouseLogStore } from "./clickhouse/clickhouse.ts";
import type { MemberStore } from "./clickhouse/member.ts";
import { createRecentLogs, type RecentLogsDeps } from "./clickhouse/recent-logs.ts";
import { createFederatedLogStore } from "./federation/federated-log-store.ts";
import { agentOn, ENGINE_URL } from "./log-engine/log-engine.ts";

const UNIX = "unix:";

/** The same folder for all processes of this machine that share a data folder. */
export const toRecentFolder = (dataFolder: string) => join(dataFolder, "recent-logs");
export const toAddressFile = (dataFolder: string) => join(dataFolder, "log-engine.address");

export interface OpenBoxLogStore {
  /**
   * The socket of the log engine on this machine. It is read for every new connection, because the engine may change.
   */
  socketPath: () => string;
  retentionDays: number;
  /** The folder with the most recent batches of this machine. */
  recent: RecentLogsDeps;
}

/** The location of the logs. */
export interface LogAddress {
  /**
   * Either `chdb` alone, or `http(s)://…` for ClickHouse and `unix:…` for log engines on this machine. With several
   * addresses, their order decides which store receives a batch.
   */
  addresses: readonly string[];
  /** The name of the cluster whose replicas hold the logs of each store. */
  cluster?: string | undefined;
}

/** Whether the service has its own log engine. */
export function hasOwnEngine({ addresses }: Pick<LogAddress, "addresses">): boolean {
  return addresses[0] === "chdb";
}

export interface OpenLogStore extends Omit<OpenBoxLogStore, "socketPath">, LogAddress {
  clock: Pick<Clock, "sleep">;
}

export function openBoxLogStore({ socketPath, retentionDays, recent }: OpenBoxLogStore): MemberStore {
  const agent = agentOn(socketPath);
  return createClickhouseLogStore({ url: ENGINE_URL, agent, retentionDays, recent: createRecentLogs(recent) });
}

/** Opens the log store at these addresses: a single one, or a federation of several. */
export function openLogStore({ addresses, clock, ...options }: OpenLogStore): LogStore {
  const [first, ...others] = addresses;
  if (first === undefined) throw new Error("a log store has an address");
  if (others.length === 0) return openMember(first, options);
  const stores = addresses.map((address, place) => ({
    name: `log store ${place + 1} of ${addresses.length}`,
    // A file of another store at the same instant would be mistaken for one of this store.
    store: openMember(address, {
      ...options,
      recent: { ...options.recent, folder: toOwnFolder(options.recent, address) },
    }),
  }));
  return createFederatedLogStore({ stores, clock });
}

function openMember(address: string, options: Omit<OpenLogStore, "addresses" | "clock">): MemberStore {
  const { retentionDays, cluster, recent } = options;
  if (address.startsWith(UNIX)) {
    return openBoxLogStore({ retentionDays, recent, socketPath: () => address.slice(UNIX.length) });
  }
  return createClickhouseLogStore({ url: address, retentionDays, ...(cluster !== undefined && { cluster }) });
}

function toOwnFolder({ folder }: RecentLogsDeps, address: string): string {
  return join(folder, createHash("sha256").update(address).digest("hex").slice(0, 16));
}
