import type { AlertSummary } from "@soc/service/contract/alerts/alert-summaries/alert-summaries";
import type { CaseBody } from "@soc/service/contract/cases/cases/cases";
import type { RuleHealthBody } from "@soc/service/contract/detection/runs/health";
import type { SourceBody } from "@soc/service/contract/logs/search/sources";
import type { DashboardBody } from "@soc/service/contract/reporting/stats/stats";
import type { ApprovalBody } from "@soc/service/contract/response/approvals/approvals";
import type { EdrActionRecord } from "@soc/service/contract/response/edr/edr";
import type { Static } from "typebox";
import type { ListResponse, Server, Wire } from "../../../app/server/server.ts";

export type Dashboard = Wire<DashboardBody>;
type RuleHealth = Wire<Static<typeof RuleHealthBody>>;
export type Source = Wire<SourceBody>;
export type InForce = Wire<EdrActionRecord>;
export type Case = Wire<Static<typeof CaseBody>>;
type Approval = Wire<Static<typeof ApprovalBody>>;

export const overviewKeys = {
  part: (name: string, ...rest: readonly string[]) => ["overview", name, ...rest] as const,
};

const OPEN_STATUSES = ["new", "triaged", "investigating"];
const OPEN_CASES = ["open", "investigating", "pending_approval", "contained"];
const MAX_ROWS = 200;

/** The eight requests of the overview. */
export function createOverviewClient(server: Server) {
  return {
    readDashboard: (signal: AbortSignal) => server.get<Dashboard>("/dashboard/stats", { signal }),
    countUrgent: (signal: AbortSignal) =>
      server.get<ListResponse<unknown>>("/alerts", {
        query: { severity: "critical", status: OPEN_STATUSES, assignee: "none", limit: 1 },
        signal,
      }),
    summarise: (from: string, to: string | undefined, signal: AbortSignal) =>
      server.get<Wire<AlertSummary>>("/alerts/summary", {
        query: { from, to, buckets: 48, fields: "severity" },
        signal,
      }),
    listApprovals: (signal: AbortSignal) =>
      server.get<ListResponse<Approval>>("/approvals", { query: { limit: 50 }, signal }),
    listMyCases: (signal: AbortSignal) =>
      server.get<ListResponse<Case>>("/cases", {
        query: { assignee: "me", status: OPEN_CASES, limit: MAX_ROWS },
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
