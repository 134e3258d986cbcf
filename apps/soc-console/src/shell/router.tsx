import { createRootRoute, createRoute, createRouter, Navigate } from "@tanstack/react-router";
import { type ComponentType, lazy } from "react";
import { formatSearch, parseSearch } from "../app/address/search.ts";
import type { Need } from "../app/session/session.ts";
import { Frame } from "./frame.tsx";
import { FailedPage, Guarded, LoadingPage, NotFoundPage } from "./page-states.tsx";

/** `/cases/$id/{-$tab}`: a path parameter and an optional one. */
function toPattern(path: string): RegExp {
  const parts = path.replaceAll(/\/\{-\$\w+\}/g, "(?:/[^/]+)?").replaceAll(/\/\$\w+/g, "/[^/]+");
  return new RegExp(`^${parts.replace(/\/\$$/, "/.+")}/?$`);
}

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFoundPage, errorComponent: FailedPage });

type Load = () => Promise<ComponentType>;

const PRELOADS: { pattern: RegExp; preload: () => Promise<void> }[] = [];

/** Each page is its own bundle, loaded on first use. */
function page(path: string, needs: readonly Need[], load: Load) {
  let Preloaded: ComponentType | undefined;
  PRELOADS.push({
    pattern: toPattern(path),
    preload: async () => {
      Preloaded = await load();
    },
  });
  const Lazy = lazy(async () => ({ default: await load() }));
  // React keeps the fallback of a lazy component for at least 300 ms, even if its file has arrived.
  const component = () => <Guarded needs={needs}>{Preloaded ? <Preloaded /> : <Lazy />}</Guarded>;
  return createRoute({ getParentRoute: () => rootRoute, path, component, errorComponent: FailedPage });
}

const loadHunt = async () => (await import("../pages/logs/search/hunt/hunt-page.tsx")).HuntPage;
const loadApprovals = async () => (await import("../pages/response/approvals/approvals-page.tsx")).ApprovalsPage;

const loadRuleEditor = async () =>
  (await import("../pages/detection/rules/editor/rule-editor-page.tsx")).RuleEditorPage;

/** The default settings tab. It needs no permission. */
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  component: () => <Navigate to="/settings/me" replace />,
});

/** Every page of the console: address, required permissions, component. */
const PAGES = [
  page("/", [], async () => (await import("../pages/reporting/overview/overview-page.tsx")).OverviewPage),
  page("/wall", [], async () => (await import("../pages/reporting/wall/wall-page.tsx")).WallPage),
  page("/inbox", [], async () => (await import("../pages/casework/inbox/inbox-page.tsx")).InboxPage),
  page(
    "/alerts",
    ["alerts:read"],
    async () => (await import("../pages/casework/alerts/list/alerts-page.tsx")).AlertsPage,
  ),
  page(
    "/alerts/$alert_id",
    ["alerts:read"],
    async () => (await import("../pages/casework/alerts/details/alert-page.tsx")).AlertPage,
  ),
  page("/cases", ["cases:read"], async () => (await import("../pages/casework/cases/list/cases-page.tsx")).CasesPage),
  page(
    "/cases/$id/{-$tab}",
    ["cases:read"],
    async () => (await import("../pages/casework/cases/case/case-page.tsx")).CasePage,
  ),
  page("/approvals", [], loadApprovals),
  page("/approvals/$id", [], loadApprovals),
  page("/hunt", ["siem:read"], loadHunt),
  page("/hunt/saved/$id", ["siem:read"], loadHunt),
  page("/hunt/log/$id", ["siem:read"], async () => (await import("../pages/logs/search/log/log-page.tsx")).LogPage),
  page(
    "/playbooks",
    ["soar:read"],
    async () => (await import("../pages/response/playbooks/playbooks-page.tsx")).PlaybooksPage,
  ),
  page(
    "/playbooks/$id/{-$tab}",
    ["soar:read"],
    async () => (await import("../pages/response/playbooks/playbook/playbook-page.tsx")).PlaybookPage,
  ),
  page("/runs", ["soar:read"], async () => (await import("../pages/response/runs/runs-page.tsx")).RunsPage),
  page("/runs/$id", ["soar:read"], async () => (await import("../pages/response/runs/run-page.tsx")).RunPage),
  page(
    "/detections",
    ["detections:read"],
    async () => (await import("../pages/detection/rules/list/rules-page.tsx")).RulesPage,
  ),
  page("/detections/new", ["detections:write"], loadRuleEditor),
  page(
    "/detections/import",
    ["detections:write"],
    async () => (await import("../pages/detection/rules/import/import-page.tsx")).ImportPage,
  ),
  page("/detections/$id/edit", ["detections:read"], loadRuleEditor),
  page(
    "/detections/$id/{-$tab}",
    ["detections:read"],
    async () => (await import("../pages/detection/rules/rule/rule-page.tsx")).RulePage,
  ),
  page(
    "/attack",
    ["detections:read"],
    async () => (await import("../pages/detection/attack/attack-page.tsx")).AttackPage,
  ),
  page("/indicators", ["iocs:read"], async () => (await import("../pages/detection/iocs/iocs-page.tsx")).IocsPage),
  page("/indicators/$id", ["iocs:read"], async () => (await import("../pages/detection/iocs/ioc-page.tsx")).IocPage),
  page(
    "/endpoints",
    ["edr:read"],
    async () => (await import("../pages/response/edr/endpoints-page.tsx")).EndpointsPage,
  ),
  page(
    "/endpoints/$id",
    ["edr:read"],
    async () => (await import("../pages/response/edr/endpoint-page.tsx")).EndpointPage,
  ),
  page("/devices", ["cps:read"], async () => (await import("../pages/devices/registry/devices-page.tsx")).DevicesPage),
  page(
    "/devices/firmware",
    ["cps:read"],
    async () => (await import("../pages/devices/firmware/firmware-page.tsx")).FirmwarePage,
  ),
  page(
    "/devices/$id",
    ["cps:read"],
    async () => (await import("../pages/devices/registry/device-page.tsx")).DevicePage,
  ),
  page(
    "/correlations",
    ["cps:read"],
    async () => (await import("../pages/devices/correlations/correlations-page.tsx")).CorrelationsPage,
  ),
  page(
    "/entity/$kind/$",
    ["alerts:read"],
    async () => (await import("../pages/reporting/entities/entity-page.tsx")).EntityPage,
  ),
  page(
    "/reports",
    ["reports:read"],
    async () => (await import("../pages/reporting/reports/reports-page.tsx")).ReportsPage,
  ),
  page(
    "/reports/$id",
    ["reports:read"],
    async () => (await import("../pages/reporting/reports/report-page.tsx")).ReportPage,
  ),
  page("/ledger", ["cases:read"], async () => (await import("../pages/casework/ledger/ledger-page.tsx")).LedgerPage),
  page("/audit", ["audit:read"], async () => (await import("../pages/foundation/audit/audit-page.tsx")).AuditPage),
  page("/agents", ["agents:read"], async () => (await import("../pages/assistants/agents/agents-page.tsx")).AgentsPage),
  page(
    "/agents/investigations",
    ["agents:read"],
    async () => (await import("../pages/assistants/investigations/list/investigations-page.tsx")).InvestigationsPage,
  ),
  page(
    "/agents/investigations/$id",
    ["agents:read"],
    async () => (await import("../pages/assistants/investigations/story/investigation-page.tsx")).InvestigationPage,
  ),
  page("/settings/me", [], async () => (await import("../pages/identity/factors/me-page.tsx")).MePage),
  page(
    "/settings/users",
    ["role:admin", "all-sites"],
    async () => (await import("../pages/identity/users/users-page.tsx")).UsersPage,
  ),
  page("/settings/roles", [], async () => (await import("../pages/identity/roles/roles-page.tsx")).RolesPage),
  page(
    "/settings/keys",
    ["role:admin", "all-sites"],
    async () => (await import("../pages/identity/api-keys/api-keys-page.tsx")).ApiKeysPage,
  ),
  page(
    "/settings/sites",
    ["sites:read"],
    async () => (await import("../pages/casework/sites/sites-page.tsx")).SitesPage,
  ),
  page(
    "/settings/sources",
    ["siem:read", "all-sites"],
    async () => (await import("../pages/logs/sources/sources-page.tsx")).SourcesPage,
  ),
  page(
    "/settings/dead-letters",
    ["siem:read", "all-sites"],
    async () => (await import("../pages/logs/dead-letters/dead-letters-page.tsx")).DeadLettersPage,
  ),
  page(
    "/settings/channels",
    ["soar:manage", "all-sites"],
    async () => (await import("../pages/response/notifications/channels-page.tsx")).ChannelsPage,
  ),
  page(
    "/settings/system",
    ["all-sites"],
    async () => (await import("../pages/foundation/health/health-page.tsx")).HealthPage,
  ),
  page("/settings/runtime", [], async () => (await import("../pages/foundation/runtime/runtime-page.tsx")).RuntimePage),
];

/** Preloads the bundle of this page while the session request is in flight. */
export function preloadPage(pathname: string): void {
  // Ignored here: the same failure occurs again, and is shown, when the page renders.
  void PRELOADS.find(({ pattern }) => pattern.test(pathname))
    ?.preload()
    .catch(() => undefined);
}

export function createConsoleRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([...PAGES, settingsRoute]),
    parseSearch,
    stringifySearch: formatSearch,
    defaultPendingComponent: LoadingPage,
    defaultPendingMs: 150,
    scrollRestoration: true,
  });
}
