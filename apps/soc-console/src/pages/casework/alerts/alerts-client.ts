import type { AlertGroups, AlertSummary } from "@soc/service/contract/alerts/alert-summaries/alert-summaries";
import type { AlertBody, UpdateAlertRequest } from "@soc/service/contract/alerts/alerts/alerts";
import type { BulkUpdateBody, UndoBody } from "@soc/service/contract/alerts/bulk-changes/bulk-changes";
import type { CaseBody } from "@soc/service/contract/cases/cases/cases";
import type { RuleVersionBody } from "@soc/service/contract/detection/rules/rules";
import type { ViewBody } from "@soc/service/contract/identity/me/views";
import type { AlertPageBody } from "@soc/service/contract/reporting/pages/pages";
import type { PlaybookBody } from "@soc/service/contract/response/playbooks/playbooks";
import type { Static } from "typebox";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";
import type { Bucket } from "../../../design/charts/bars.ts";
import type { Severity } from "../../../design/severity.tsx";
import type { AlertParameters } from "./alert-filter.ts";

export type Alert = Wire<Static<typeof AlertBody>>;
export type AlertFull = Wire<Static<typeof AlertPageBody>>;
export type AlertPatch = UpdateAlertRequest;
export type AlertGroup = Wire<AlertGroups>["items"][number];
export type Grouping = "rule_id" | "host" | "user" | "case_id" | "technique";
export type Log = NonNullable<AlertFull["logs"]>[number];
export type SavedView = Wire<Static<typeof ViewBody>>;
export type RuleVersion = Wire<Static<typeof RuleVersionBody>>;
type Summary = Wire<AlertSummary>;
type Case = Wire<Static<typeof CaseBody>>;
type Playbook = Wire<Static<typeof PlaybookBody>>;

export const alertKeys = {
  full: (id: string) => ["alerts", "one", id] as const,
  playbooks: (id: string) => ["alerts", "playbooks", id] as const,
  summary: (key: string) => ["alerts", "summary", key] as const,
  count: (key: string) => ["alerts", "count", key] as const,
  groups: (key: string) => ["alerts", "groups", key] as const,
  views: ["alerts", "views"] as const,
};

const MAX_SUGGESTED = 3;

function toQuery(parameters: AlertParameters): Record<string, QueryValue> {
  return { ...parameters };
}

export interface ListAsked {
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface AlertSelection {
  filter: AlertParameters;
  except_ids: readonly string[];
  expected_total: number;
}

/** One function per route of the alert pages. */
export function createAlertsClient(server: Server) {
  return {
    list: (parameters: AlertParameters, asked: ListAsked, signal?: AbortSignal) =>
      server.get<ListResponse<Alert>>("/alerts", { query: { ...toQuery(parameters), ...asked }, signal }),

    count: (parameters: AlertParameters, signal?: AbortSignal, isPrefetch = false) =>
      server.get<ListResponse<Alert>>("/alerts", {
        query: { ...toQuery(parameters), limit: 1 },
        signal,
        priority: isPrefetch ? "prefetch" : "visible",
      }),

    listByIds: (parameters: AlertParameters, ids: readonly string[]) =>
      server.get<ListResponse<Alert>>("/alerts", {
        query: { ...toQuery(parameters), ids, limit: ids.length },
        priority: "prefetch",
      }),

    summarise: (parameters: AlertParameters, buckets: number, signal?: AbortSignal) =>
      server.get<Summary>("/alerts/summary", {
        query: { ...toQuery(parameters), buckets, fields: "severity" },
        signal,
      }),

    group: (parameters: AlertParameters, by: Grouping, signal?: AbortSignal) =>
      server.get<Wire<AlertGroups>>("/alerts/groups", { query: { ...toQuery(parameters), by, limit: 200 }, signal }),

    readFull: (id: string, signal?: AbortSignal, isPrefetch = false) =>
      server.get<AlertFull>(`/alerts/${id}/full`, { signal, priority: isPrefetch ? "prefetch" : "visible" }),

    listPlaybooks: (id: string, signal?: AbortSignal) =>
      server.get<ListResponse<Playbook>>("/soar/playbooks", {
        query: { for_alert: id, limit: MAX_SUGGESTED },
        signal,
        priority: "prefetch",
      }),

    read: (id: string) => server.get<Alert>(`/alerts/${id}`, { priority: "user" }),

    /** Changes this version of the alert, and is refused if the version is outdated. */
    change: ({ id, updated_at }: Pick<Alert, "id" | "updated_at">, patch: AlertPatch) =>
      server.send<ChangeResult<Alert>>("PATCH", `/alerts/${id}`, { body: patch, ifMatch: `"${updated_at}"` }),

    changeMany: (ids: readonly string[], patch: AlertPatch) =>
      server.post<ChangeResult<Wire<BulkUpdateBody>>>("/alerts/bulk", { ids, ...patch }),

    changeSelected: (selected: AlertSelection, patch: AlertPatch) =>
      server.post<ChangeResult<Wire<BulkUpdateBody>>>("/alerts/bulk", { ...selected, ...patch }),

    undo: (change_id: string) => server.post<UndoBody>("/alerts/undo", { change_id }),

    promote: (id: string, body: { description?: string; assignee?: string }) =>
      server.post<ChangeResult<Case>>(`/alerts/${id}/promote`, body),

    linkToCase: (case_id: string, alert_ids: readonly string[]) =>
      server.post<ChangeResult<{ linked: number; moved: number }>>(`/cases/${case_id}/alerts`, { alert_ids }),

    findCases: (q: string, signal?: AbortSignal) =>
      server.get<ListResponse<Case>>("/cases", {
        query: { q: q || undefined, status: ["open", "investigating", "pending_approval", "contained"], limit: 8 },
        signal,
        priority: "user",
      }),

    findUsers: (q: string, signal?: AbortSignal) =>
      server.get<ListResponse<{ username: string; role: string; email: string | null }>>("/directory/users", {
        query: { q: q || undefined, limit: 8 },
        signal,
        priority: "user",
      }),

    investigate: ({ id, severity }: Alert) =>
      server.post<ChangeResult<{ id: string; status: string }>>("/agents/investigate", {
        alert_context: { alert_id: id },
        severity,
      }),

    listViews: (signal?: AbortSignal) =>
      server.get<ListResponse<SavedView>>("/views", { query: { page: "alerts", limit: 50 }, signal }),

    saveView: (name: string, state: Readonly<Record<string, string>>, sharing_mode: "private" | "team") =>
      server.post<ChangeResult<SavedView>>("/views", { page: "alerts", name, state, sharing_mode }),

    removeView: (id: string) => server.remove<unknown>(`/views/${id}`),

    listRuleVersions: (rule_id: string, signal?: AbortSignal) =>
      server.get<ListResponse<RuleVersion>>(`/detections/rules/${rule_id}/versions`, { query: { limit: 100 }, signal }),
  };
}

export type AlertsClient = ReturnType<typeof createAlertsClient>;

/** From the bottom of a bar to its top. */
const STACKED: readonly Severity[] = ["info", "low", "medium", "high", "critical"];

type BucketCounts = Readonly<Record<Severity, number>> & { at: string };

/** All buckets of the span. The service omits empty ones. */
export function fillBuckets(buckets: readonly BucketCounts[], from: string, to: string, intervalS: number): Bucket[] {
  const step = intervalS * 1000;
  const known = new Map(buckets.map((bucket) => [Date.parse(bucket.at), bucket]));
  const start = buckets[0] ? Date.parse(buckets[0].at) % step : 0;
  const first = Math.floor((Date.parse(from) - start) / step) * step + start;
  const filled: Bucket[] = [];
  for (let at = first; at < Date.parse(to); at += step) {
    const bucket = known.get(at);
    const parts = STACKED.map((key) => ({ key, value: bucket?.[key] ?? 0, fill: `var(--fill-${key})` }));
    filled.push({ at: new Date(at).toISOString(), parts });
  }
  return filled;
}
