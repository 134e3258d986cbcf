import type { CaseBody } from "@soc/service/contract/cases/cases/cases";
import type { CorrelationBody } from "@soc/service/contract/devices/correlations/correlations";
import type { Static } from "typebox";
import type { Changed } from "../../../app/server/changed.ts";
import type { QueryValue, Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type Correlation = Wire<CorrelationBody>;
export type Entity = Correlation["entities"][number];
export type Member = Correlation["members"][number];

export const readCorrelations = (server: Server, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal) =>
  server.get<Listed<Correlation>>("/correlations", { query, signal });

/** The oldest open case of its alerts, or a new one. */
export const openCorrelationCase = (server: Server, id: string) =>
  server.post<Changed<Wire<Static<typeof CaseBody>>>>(`/correlations/${encodeURIComponent(id)}/case`);
