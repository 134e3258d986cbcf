import type { Clock } from "@kit/clock";
import type { Alert, AlertsService } from "../../alerts/module.ts";
import type { Case, CaseFilesService, CasesService, CaseTemplatesService } from "../../cases/module.ts";
import type { IocsService, RulesService } from "../../detection/module.ts";
import type { ActivityService } from "../../foundation/activity/activity.service.ts";
import { type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { unifyHost } from "../../foundation/records/entity-name.ts";
import { type LogsService, requireAllStores, toLogBody } from "../../logs/module.ts";
import type {
  ApprovalsService,
  EdrActionsService,
  EndpointsService,
  ExecutionsService,
} from "../../response/module.ts";
import type { ReportsService } from "../reports/reports.service.ts";
import { createPartReader, type PartAccess } from "./page-parts.ts";

export interface PagesServiceDeps {
  alerts: Pick<AlertsService, "get" | "list" | "context">;
  cases: Pick<CasesService, "get" | "filter">;
  caseFiles: Pick<CaseFilesService, "list">;
  caseTemplates: Pick<CaseTemplatesService, "get">;
  logs: Pick<LogsService, "list">;
  rules: Pick<RulesService, "get">;
  iocs: Pick<IocsService, "list">;
  endpoints: Pick<EndpointsService, "list">;
  edrActions: Pick<EdrActionsService, "list">;
  executions: Pick<ExecutionsService, "list">;
  approvals: Pick<ApprovalsService, "list">;
  reports: Pick<ReportsService, "list">;
  activity: Pick<ActivityService, "list">;
  clock: Pick<Clock, "deadline">;
}
export type PagesService = ReturnType<typeof createPagesService>;

const ACCESS = {
  alerts: { needs: ["alerts:read"], byKey: true, bySite: true },
  case: { needs: ["cases:read"], byKey: true, bySite: true },
  templates: { needs: ["cases:read"], byKey: false },
  rule: { needs: ["detections:read"], byKey: true },
  logs: { needs: ["siem:read"], byKey: true, bySite: true },
  iocs: { needs: ["iocs:read"], byKey: true },
  edr: { needs: ["edr:read"], byKey: true, bySite: true },
  executions: { needs: ["soar:read"], byKey: true },
  approvals: { needs: ["approvals:manage"], byKey: false, bySite: true },
  reports: { needs: ["reports:read"], byKey: true },
  history: { needs: [], byKey: false, bySite: true },
} as const satisfies Record<string, PartAccess>;

const MAX_LOGS = 50;
const MAX_RELATED = 5;
const MAX_NAMES = 5;
const MAX_ITEMS = 50;
/** The number of merged cases whose executions and reports are shown. */
const MAX_MERGED = 20;
/** Approvals and EDR actions have no filter by alert or case, so the newest ones are searched. */
const MAX_LOOKED_THROUGH = 200;
const DAY_MS = 24 * 60 * 60_000;

/** Collects everything that the page of an alert or case shows in one answer. */
export function createPagesService(deps: PagesServiceDeps) {
  const { caseFiles, caseTemplates } = deps;
  const { alerts, cases, logs, rules, iocs, endpoints, edrActions, executions, approvals, reports, activity, clock } =
    deps;

  async function listLogs(scope: Scope, alert: Alert, signal: AbortSignal) {
    const wanted = alert.log_ids.slice(0, MAX_LOGS).filter((id) => /^[\w-]+$/.test(id));
    if (wanted.length === 0) return [];
    const query = wanted.map((id) => `id:"${id}"`).join(" OR ");
    const found = await logs.list(scope, { query, ...spanLogs(alert), limit: MAX_LOGS }, signal);
    if (found.items.length < wanted.length) requireAllStores(found);
    return found.items.map(toLogBody);
  }

  async function listEndpoints(scope: Scope, { entities }: Alert) {
    const names = entities.hosts.slice(0, MAX_NAMES).map(({ name }) => name);
    const found = await Promise.all(names.map((q) => endpoints.list(scope, { q, limit: 10 })));
    const listed = found.flatMap(({ items }) => items).filter(({ hostname }) => names.includes(unifyHost(hostname)));
    return [...new Map(listed.map((endpoint) => [endpoint.id, endpoint])).values()];
  }

  async function listIocs(alert: Alert) {
    const found = await Promise.all(alert.iocs.slice(0, MAX_NAMES).map((value) => iocs.list({ value, limit: 1 })));
    return found.flatMap(({ items }) => items);
  }

  async function relate(scope: Scope, { id, rule_id }: Alert) {
    const { same_host, same_user, same_ioc } = await alerts.context(scope, id);
    const sameRule = rule_id === null ? undefined : { rule_id: [rule_id], limit: MAX_RELATED + 1 };
    const byRule = sameRule && (await alerts.list(scope, sameRule));
    const others = (byRule?.items ?? []).filter((other) => other.id !== id);
    return {
      same_host: cut(same_host),
      same_user: cut(same_user),
      same_ioc: cut(same_ioc),
      same_rule: { total: Math.max(0, (byRule?.total ?? 1) - 1), items: others.slice(0, MAX_RELATED) },
    };
  }

  async function listApprovals(
    scope: Scope,
    isWanted: (approval: { alert_id: string | null; case_id: string | null }) => boolean,
  ) {
    return (await approvals.list(scope, { limit: MAX_LOOKED_THROUGH })).items.filter(isWanted).slice(0, MAX_ITEMS);
  }

  /** Returns other cases with alerts on the same hosts and users. */
  async function relateCases(scope: Scope, case_id: string): Promise<Case[]> {
    const { items } = await alerts.list(scope, { case_id: [case_id], limit: MAX_ITEMS });
    const names = (kind: "hosts" | "users") =>
      [...new Set(items.flatMap(({ entities }) => entities[kind].map(({ name }) => name)))].slice(0, MAX_NAMES);
    const [host, user] = [names("hosts"), names("users")];
    const near = await Promise.all([
      ...(host.length > 0 ? [alerts.list(scope, { host, has_case: true, limit: MAX_ITEMS })] : []),
      ...(user.length > 0 ? [alerts.list(scope, { user, has_case: true, limit: MAX_ITEMS })] : []),
    ]);
    const ids = new Set(near.flatMap((page) => page.items.flatMap((alert) => alert.case_id ?? [])));
    ids.delete(case_id);
    const shown = await cases.filter(scope, [...ids]);
    const others = [...ids].filter((id) => shown.has(id)).slice(0, MAX_RELATED);
    return Promise.all(others.map((id) => cases.get(scope, id)));
  }

  /** Returns the same as `GET /activity`, for everyone who may read the record. */
  async function listHistory(caller: Caller, subject_type: string, subject_id: string) {
    return (await activity.list(caller, { subject_type, subject_id, limit: MAX_ITEMS })).items;
  }

  return {
    async alert(caller: Caller, alert_id: string) {
      const scope = toScope(caller);
      const alert = await alerts.get(scope, alert_id);
      const { rule_id, case_id } = alert;
      const parts = createPartReader(caller, clock);
      const [rule, logsOfAlert, found, known, opened, related, runs, asked, history] = await Promise.all([
        rule_id === null ? null : parts.read("rule", ACCESS.rule, () => rules.get(caller, rule_id)),
        parts.read("logs", ACCESS.logs, (signal) => listLogs(scope, alert, signal)),
        parts.read("endpoints", ACCESS.edr, () => listEndpoints(scope, alert)),
        parts.read("iocs", ACCESS.iocs, () => listIocs(alert)),
        case_id === null ? null : parts.read("case", ACCESS.case, () => cases.get(scope, case_id)),
        parts.read("related", ACCESS.alerts, () => relate(scope, alert)),
        parts.read("executions", ACCESS.executions, () => executions.list({ alert_id, limit: MAX_ITEMS })),
        parts.read("approvals", ACCESS.approvals, () => listApprovals(scope, (each) => each.alert_id === alert.id)),
        parts.read("history", ACCESS.history, () => listHistory(caller, "alert", alert.id)),
      ]);
      return {
        alert,
        entities: alert.entities,
        rule,
        logs: logsOfAlert,
        logs_total: alert.log_ids.length,
        endpoints: found,
        iocs: known,
        case: opened,
        related,
        executions: runs?.items ?? null,
        approvals: asked,
        history,
        ...parts.coverage(),
      };
    },

    async case(caller: Caller, case_id: string) {
      const scope = toScope(caller);
      const detail = await cases.get(scope, case_id);
      const { id, template_id, merged_from } = detail;
      // Executions, approvals, reports and commands keep the case that they were created for.
      const ids = [id, ...merged_from.slice(0, MAX_MERGED)];
      const parts = createPartReader(caller, clock);
      const [template, stored, linked, runs, asked, made, actions, related_cases, history] = await Promise.all([
        template_id === null ? null : parts.read("template", ACCESS.templates, () => caseTemplates.get(template_id)),
        parts.read("files", ACCESS.case, () => caseFiles.list(scope, id, { limit: MAX_ITEMS })),
        parts.read("alerts", ACCESS.alerts, () => alerts.list(scope, { case_id: [id], limit: MAX_ITEMS })),
        parts.read("executions", ACCESS.executions, () =>
          listOfAll(ids, (each) => executions.list({ case_id: each, limit: MAX_ITEMS })),
        ),
        parts.read("approvals", ACCESS.approvals, () =>
          listApprovals(scope, (each) => each.case_id !== null && ids.includes(each.case_id)),
        ),
        parts.read("reports", ACCESS.reports, () =>
          listOfAll(ids, (each) => reports.list({ case_id: each, limit: MAX_ITEMS })),
        ),
        parts.read("edr_actions", ACCESS.edr, () => edrActions.list(scope, { limit: MAX_LOOKED_THROUGH })),
        parts.read("related_cases", ACCESS.alerts, () => relateCases(scope, id)),
        parts.read("history", ACCESS.history, () => listHistory(caller, "case", id)),
      ]);
      return {
        case: detail,
        template,
        files: stored?.items ?? null,
        alerts: linked?.items ?? null,
        executions: runs?.items ?? null,
        approvals: asked,
        reports: made?.items ?? null,
        edr_actions:
          actions?.items.filter(({ case_id: of }) => of !== null && ids.includes(of)).slice(0, MAX_ITEMS) ?? null,
        related_cases,
        history,
        totals: {
          files: stored?.total ?? null,
          alerts: linked?.total ?? null,
          executions: runs?.total ?? null,
          reports: made?.total ?? null,
        },
        ...parts.coverage(),
      };
    },
  };
}

/** Returns the newest items of several lists. */
async function listOfAll<Item extends { created_at: Date }>(
  ids: readonly string[],
  list: (id: string) => Promise<Page<Item>>,
): Promise<{ items: Item[]; total: number }> {
  const pages = await Promise.all(ids.map(list));
  const items = pages.flatMap((page) => page.items).toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime());
  return { items: items.slice(0, MAX_ITEMS), total: pages.reduce((sum, { total }) => sum + total, 0) };
}

function cut(items: Alert[]) {
  return { total: items.length, items: items.slice(0, MAX_RELATED) };
}

/** Returns the period of the alert's events; if unknown, one day around the alert. */
function spanLogs({ event_first_at, event_last_at, first_seen, last_seen }: Alert): { from: string; to: string } {
  const from = event_first_at ?? new Date(first_seen.getTime() - DAY_MS);
  const to = event_last_at ? new Date(event_last_at.getTime() + 1) : new Date(last_seen.getTime() + DAY_MS);
  return { from: from.toISOString(), to: to.toISOString() };
}
