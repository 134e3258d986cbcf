import type { CaseBody } from "@soc/service/contract/cases/cases/cases";
import type { CorrelationBody } from "@soc/service/contract/devices/correlations/correlations";
import type { Static } from "typebox";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Correlation = Wire<CorrelationBody>;
export type Entity = Correlation["entities"][number];
export type Member = Correlation["members"][number];

export const readCorrelations = (server: Server, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal) =>
  server.get<ListResponse<Correlation>>("/correlations", { query, signal });

/** Opens the oldest open case of its alerts, or creates a case. */
export const openCorrelationCase = (server: Server, id: string) =>
  server.post<ChangeResult<Wire<Static<typeof CaseBody>>>>(`/correlations/${encodeURIComponent(id)}/case`);
