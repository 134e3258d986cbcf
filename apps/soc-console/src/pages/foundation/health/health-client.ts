import type { LedgerStatusBody } from "@soc/service/contract/cases/ledger/ledger";
import type { SystemHealthBody } from "@soc/service/contract/foundation/health/health";
import type { TopologyBody } from "@soc/service/contract/identity/sites/topology";
import type { LogStatsBody } from "@soc/service/contract/logs/search/logs";
import type { Static } from "typebox";
import type { Server, Wire } from "../../../app/server/server.ts";

export type Health = Wire<SystemHealthBody>;
export type Topology = Wire<TopologyBody>;
export type LedgerStatus = Wire<Static<typeof LedgerStatusBody>>;
export type LogStats = Wire<Static<typeof LogStatsBody>>;

export const readHealth = (server: Server, signal?: AbortSignal) => server.get<Health>("/system/health", { signal });

export const readTopology = (server: Server, signal?: AbortSignal) =>
  server.get<Topology>("/system/topology", { signal });

export const readLedger = (server: Server, signal?: AbortSignal) =>
  server.get<LedgerStatus>("/ledger/status", { signal });

export const readLogStats = (server: Server, signal?: AbortSignal) => server.get<LogStats>("/siem/stats", { signal });
