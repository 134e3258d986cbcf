import type { AlertSummary } from "@soc/service/contract/alerts/alert-summaries/alert-summaries";
import type { CaseBody } from "@soc/service/contract/cases/cases/cases";
import type { RuleHealthBody } from "@soc/service/contract/detection/runs/health";
import type { SourceBody } from "@soc/service/contract/logs/search/sources";
import { OPEN_CASES } from "@soc/service/contract/reporting/attention/attention-filter";
import type { DashboardBody } from "@soc/service/contract/reporting/stats/stats";
import type { EdrActionRecord } from "@soc/service/contract/response/edr/edr";
import type { Static } from "typebox";
import type { ListResponse, Server, Wire } from "../../../app/server/server.ts";

export type Dashboard = Wire<DashboardBody>;
type RuleHealth = Wire<Static<typeof RuleHealthBody>>;
export type Source = Wire<SourceBody>;
export type InForce = Wire<EdrActionRecord>;
export type Case = Wire<Static<typeof CaseBody>>;

export const overviewKeys = {
  part: (name: string, ...rest: readonly string[]) => ["overview", name, ...rest] as const,
};

const MAX_ROWS = 200;

/** The reads of the overview, besides what needs attention. */
export function createOverviewClient(server: Server) {
  return {
    readDashboard: (signal: AbortSignal) => server.get<Dashboard>("/dashboard/stats", { signal }),
    summarise: (from: string, to: string | undefined, signal: AbortSignal) =>
      server.get<Wire<AlertSummary>>("/alerts/summary", {
        query: { from, to, buckets: 48, fields: "severity" },
        signal,
      }),
    listMyCases: (signal: AbortSignal) =>
      server.get<ListResponse<Case>>("/cases", {
        query: { assignee: "me", status: [...OPEN_CASES], limit: MAX_ROWS },
        signal,
      }),
    listInForce: (signal: AbortSignal) =>
      server.get<ListResponse<InForce>>("/edr/actions", { query: { in_force: true, limit: 20 }, signal }),
    listSources: (signal: AbortSignal) =>
      server.get<ListResponse<Source>>("/siem/sources", { query: { limit: MAX_ROWS }, signal }),
    listHealth: (signal: AbortSignal) =>
      server.get<ListResponse<RuleHealth>>("/detections/health", { query: { enabled: true, limit: MAX_ROWS }, signal }),
    release: (endpointId: string) => server.post<object>(`/edr/endpoints/${endpointId}/unisolate`, {}),
  };
}

export type OverviewClient = ReturnType<typeof createOverviewClient>;
