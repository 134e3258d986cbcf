import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createFrame, type Frame, type FrameOptions } from "@kit/http/frame";
import { createFixedWindows } from "@kit/http/limits";
import { serveOpenApi } from "@kit/http/openapi";
import type { Log } from "@kit/log";
import { alertsRoutes } from "../casework/alerts/alerts.routes.ts";
import type { AlertsService } from "../casework/alerts/alerts.service.ts";
import { caseItemsRoutes } from "../casework/cases/case-items.routes.ts";
import type { CaseItemsService } from "../casework/cases/case-items.service.ts";
import { casesRoutes } from "../casework/cases/cases.routes.ts";
import type { CasesService } from "../casework/cases/cases.service.ts";
import { evidenceRoutes } from "../casework/cases/evidence.routes.ts";
import type { EvidenceService } from "../casework/cases/evidence.service.ts";
import { ledgerRoutes } from "../casework/ledger/ledger.routes.ts";
import type { LedgerService } from "../casework/ledger/ledger.service.ts";
import { sitesRoutes } from "../casework/sites/sites.routes.ts";
import type { SitesService } from "../casework/sites/sites.service.ts";
import { topologyRoutes } from "../casework/sites/topology.routes.ts";
import type { TopologyService } from "../casework/sites/topology.service.ts";
import { attackRoutes } from "../detection/attack/attack.routes.ts";
import type { AttackService } from "../detection/attack/attack.service.ts";
import { iocsRoutes } from "../detection/iocs/iocs.routes.ts";
import { detectionsRoutes } from "../detection/rules/detections.routes.ts";
import type { Detections } from "../detection/rules/detections.service.ts";
import { auditRoutes } from "../foundation/audit/audit.routes.ts";
import type { AuditService, Journal } from "../foundation/audit/audit.service.ts";
import { eventsRoutes } from "../foundation/events/events.routes.ts";
import type { EventsService } from "../foundation/events/events.service.ts";
import { healthRoutes } from "../foundation/health/health.routes.ts";
import type { ChangesService } from "../foundation/runtime/changes.service.ts";
import { requireMode } from "../foundation/runtime/require-mode.ts";
import { runtimeRoutes } from "../foundation/runtime/runtime.routes.ts";
import type { RuntimeService } from "../foundation/runtime/runtime.service.ts";
import { apiKeysRoutes } from "../identity/api-keys/api-keys.routes.ts";
import type { ApiKeysService } from "../identity/api-keys/api-keys.service.ts";
import { authRoutes } from "../identity/auth/auth.routes.ts";
import { createAuthService } from "../identity/auth/auth.service.ts";
import { createCallersService } from "../identity/auth/callers.service.ts";
import { type Counters, countersBySource } from "../identity/auth/counters.ts";
import { requireCaller } from "../identity/auth/require-caller.ts";
import type { SessionsService } from "../identity/auth/sessions.service.ts";
import type { SigningKeysService } from "../identity/auth/signing-keys.service.ts";
import { createTokens } from "../identity/auth/tokens.ts";
import { usersRoutes } from "../identity/users/users.routes.ts";
import type { UsersService } from "../identity/users/users.service.ts";
import { deadLettersRoutes } from "../logs/intake/dead-letters.routes.ts";
import { intakeRoutes } from "../logs/intake/intake.routes.ts";
import type { IntakeParts } from "../logs/intake/intake-parts.worker.ts";
import { otherIntakesRoutes } from "../logs/intake/other-intakes.routes.ts";
import { huntsRoutes } from "../logs/search/hunts.routes.ts";
import type { HuntsService } from "../logs/search/hunts.service.ts";
import { logsRoutes } from "../logs/search/logs.routes.ts";
import type { LogsService } from "../logs/search/logs.service.ts";
import { promoteRoutes } from "../logs/search/promote.routes.ts";
import type { PromoteService } from "../logs/search/promote.service.ts";
import { sourcesRoutes } from "../logs/search/sources.routes.ts";
import type { SourcesService } from "../logs/search/sources.service.ts";
import { outboundRoutes } from "../reporting/mode-proof/mode-proof.routes.ts";
import type { ProofService } from "../reporting/mode-proof/mode-proof.service.ts";
import { reportsRoutes } from "../reporting/reports/reports.routes.ts";
import { statsRoutes } from "../reporting/stats/stats.routes.ts";
import { approvalsRoutes } from "../response/approvals/approvals.routes.ts";
import { automationsRoutes } from "../response/automations/automations.routes.ts";
import { soarRulesRoutes } from "../response/automations/soar-rules.routes.ts";
import { edrRoutes } from "../response/edr/edr.routes.ts";
import { executionsRoutes } from "../response/executions/executions.routes.ts";
import { notificationsRoutes } from "../response/notifications/notifications.routes.ts";
import { playbooksRoutes } from "../response/playbooks/playbooks.routes.ts";
import { SOC_OPENAPI } from "./openapi.ts";
import type { Response } from "./platform-response.ts";

type ResponseService =
  | "edr"
  | "iocs"
  | "iocsExchange"
  | "stats"
  | "reports"
  | "channels"
  | "playbooks"
  | "executions"
  | "approvals"
  | "automations"
  | "soarRules";

export interface SocAppDeps {
  clock: Clock;
  ids: Ids;
  log: Log;
  tls: FrameOptions["tls"];
  version: string;
  consoleFolder: string;
  addressLimitPerMinute: number;
  generalLimitPerMinute: number;
  intakeLimitPerMinute: number;
  playbookLimitPerMinute: number;
  runtime: RuntimeService;
  changes: ChangesService;
  requestCounts: Counters;
  signingKeys: SigningKeysService;
  sessions: SessionsService;
  /** Where sign-ins are written down. */
  journal: Journal;
  users: UsersService;
  apiKeys: ApiKeysService;
  proofs: ProofService;
  topology: TopologyService;
  alerts: AlertsService;
  cases: CasesService;
  caseItems: CaseItemsService;
  evidence: EvidenceService;
  sites: SitesService;
  logs: LogsService;
  hunts: HuntsService;
  promotions: PromoteService;
  logSources: SourcesService;
  intake: Pick<IntakeParts, "intake" | "bodies" | "deadLetters">;
  detections: Detections;
  attack: AttackService;
  response: Pick<Response, ResponseService>;
  ledger: LedgerService;
  audit: AuditService;
  events: EventsService;
}

/** Puts the features together, in the order of the API document. */
export async function createSocApp(deps: SocAppDeps): Promise<Frame> {
  const { clock, ids, log, tls, version, consoleFolder, runtime, changes } = deps;
  const { signingKeys, sessions, users, apiKeys, response } = deps;
  const windows = createFixedWindows({ clock });
  const perAddress = { name: "address", limit: deps.addressLimitPerMinute, windowMs: 60_000 };
  const general = { name: "general", limit: deps.generalLimitPerMinute, windowMs: 60_000 };
  const intake = { name: "intake", limit: deps.intakeLimitPerMinute, windowMs: 60_000 };
  const playbooks = { name: "playbooks", limit: deps.playbookLimitPerMinute, windowMs: 60_000 };
  const app = createFrame({
    errorBody: (detail) => ({ detail }),
    ids,
    log,
    tls,
    bodyBytes: 1024 * 1024,
    bodyDepth: 32,
    pages: { folder: consoleFolder, api: "/api" },
    // Health is asked by machines that would be locked out otherwise, and costs nothing.
    limits: {
      windows,
      budgetOf: ({ routeOptions: { url, config } }) =>
        url === "/health" || config.isCountedApart ? undefined : perAddress,
    },
  });
  const tokens = createTokens({ clock, ids, keys: signingKeys });
  const counters = countersBySource(deps.requestCounts, windows);
  const callers = createCallersService({ tokens, sessions, apiKeys, users });
  requireCaller(app, { callers, counters, general, intake, playbooks });
  requireMode(app, () => runtime.truth());
  await app.register(healthRoutes(version, clock));
  await app.register(otherIntakesRoutes(deps.intake.intake, deps.intake.bodies, clock));
  await app.register(
    async (api) => {
      await api.register(
        authRoutes(
          createAuthService({ runtime, users, tokens, sessions, counters, journal: deps.journal }),
          signingKeys,
        ),
      );
      await api.register(usersRoutes(users, changes));
      await api.register(apiKeysRoutes(apiKeys, changes));
      await api.register(runtimeRoutes(runtime));
      await api.register(outboundRoutes(deps.proofs));
      await api.register(topologyRoutes(deps.topology));
      await api.register(alertsRoutes(deps.alerts, changes));
      await api.register(casesRoutes(deps.cases, changes));
      await api.register(caseItemsRoutes(deps.caseItems, changes));
      await api.register(evidenceRoutes(deps.evidence, changes));
      await api.register(sitesRoutes(deps.sites, changes));
      await api.register(logsRoutes(deps.logs));
      await api.register(huntsRoutes(deps.hunts, changes));
      await api.register(promoteRoutes(deps.promotions, changes));
      await api.register(sourcesRoutes(deps.logSources));
      await api.register(intakeRoutes(deps.intake.intake, deps.intake.bodies));
      await api.register(deadLettersRoutes(deps.intake.deadLetters));
      await api.register(detectionsRoutes(deps.detections, changes));
      await api.register(attackRoutes(deps.attack, changes));
      await api.register(edrRoutes(response.edr, changes));
      await api.register(playbooksRoutes(response.playbooks, changes));
      await api.register(executionsRoutes(response.executions, changes));
      await api.register(soarRulesRoutes(response.soarRules));
      await api.register(automationsRoutes(response.automations, changes));
      await api.register(approvalsRoutes(response.approvals, changes));
      await api.register(notificationsRoutes(response.channels, changes));
      await api.register(reportsRoutes(response.reports, changes));
      await api.register(
        iocsRoutes({ iocs: response.iocs, exchange: response.iocsExchange, bodies: deps.intake.bodies, changes }),
      );
      await api.register(statsRoutes(response.stats));
      await api.register(ledgerRoutes(deps.ledger));
      await api.register(auditRoutes(deps.audit));
      await api.register(eventsRoutes(deps.events));
    },
    { prefix: "/api/v1" },
  );
  serveOpenApi(app, "/api/v1/openapi.json", { needs: "authenticated", worksOffline: true }, SOC_OPENAPI);
  return app;
}
