import type { CaseBody } from "@soc/service/contract/cases/cases/cases";
import type { EntityPageBody } from "@soc/service/contract/reporting/entities/entity-pages";
import type {
  EdrActionBody,
  EdrActionName,
  EdrActionRecord,
  EdrPendingAnswer,
  EdrStatsBody,
  EndpointBody,
} from "@soc/service/contract/response/edr/edr";
import type { Static } from "typebox";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Endpoint = Wire<EndpointBody>;
export type EdrStats = Wire<EdrStatsBody>;
export type EdrAction = Wire<EdrActionRecord>;
export type Verb = EdrActionName;
export type HostRecords = Wire<EntityPageBody>;
export type Case = Wire<Static<typeof CaseBody>>;
export type EdrActionResult = Wire<Static<typeof EdrActionBody>> | Wire<EdrPendingAnswer>;

export interface Order {
  reason?: string;
  case_id?: string;
  /** Null: until a user releases it. */
  release_after_minutes?: number | null;
}

export const EDR = "edr";
const MAX_ACTIONS = 200;
const MAX_CASES = 100;
const OPEN_CASES = ["open", "investigating", "pending_approval", "contained"];

export const readEndpoints = (server: Server, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal) =>
  server.get<ListResponse<Endpoint>>("/edr/endpoints", { query, signal });

export const readEndpoint = (server: Server, id: string, signal: AbortSignal) =>
  server.get<Endpoint>(`/edr/endpoints/${encodeURIComponent(id)}`, { signal });

export const readStats = (server: Server, signal: AbortSignal) => server.get<EdrStats>("/edr/stats", { signal });

/** The most recent actions of all endpoints. */
export const readActions = (server: Server, query: { in_force?: boolean }, signal: AbortSignal) =>
  server.get<ListResponse<EdrAction>>("/edr/actions", { query: { ...query, limit: MAX_ACTIONS }, signal });

export const readEndpointActions = (server: Server, id: string, signal: AbortSignal) =>
  server.get<ListResponse<EdrAction>>(`/edr/endpoints/${encodeURIComponent(id)}/actions`, {
    query: { limit: MAX_ACTIONS },
    signal,
  });

/** Alerts, cases and logs of the host. */
export const readHost = (server: Server, hostname: string, signal: AbortSignal) =>
  server.get<HostRecords>(`/entities/host/${encodeURIComponent(hostname)}`, { signal });

export const readOpenCases = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Case>>("/cases", { query: { status: OPEN_CASES, limit: MAX_CASES }, signal });

export const sendAction = (server: Server, id: string, verb: Verb, order: Order) =>
  server.post<ChangeResult<EdrActionResult>>(`/edr/endpoints/${encodeURIComponent(id)}/${verb}`, order);
