import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createFrame, type Frame, type FrameOptions } from "@kit/http/frame";
import { createFixedWindows } from "@kit/http/limits";
import { serveOpenApi } from "@kit/http/openapi";
import type { Log } from "@kit/log";
import { alertsRoutes } from "./alerts/alerts.routes.ts";
import type { AlertsService } from "./alerts/alerts.service.ts";
import { apiKeysRoutes } from "./api-keys/api-keys.routes.ts";
import type { ApiKeysService } from "./api-keys/api-keys.service.ts";
import { approvalsRoutes } from "./approvals/approvals.routes.ts";
import { attackRoutes } from "./attack/attack.routes.ts";
import type { AttackService } from "./attack/attack.service.ts";
import { auditRoutes } from "./audit/audit.routes.ts";
import type { AuditService, Journal } from "./audit/audit.service.ts";
import { authRoutes } from "./auth/auth.routes.ts";
import { createAuthService } from "./auth/auth.service.ts";
import { createCallersService } from "./auth/callers.service.ts";
import { type Counters, countersBySource } from "./auth/counters.ts";
import { requireCaller } from "./auth/require-caller.ts";
import type { SessionsService } from "./auth/sessions.service.ts";
import type { SigningKeysService } from "./auth/signing-keys.service.ts";
import { createTokens } from "./auth/tokens.ts";
import { caseItemsRoutes } from "./cases/case-items.routes.ts";
import type { CaseItemsService } from "./cases/case-items.service.ts";
import { casesRoutes } from "./cases/cases.routes.ts";
import type { CasesService } from "./cases/cases.service.ts";
import { evidenceRoutes } from "./cases/evidence.routes.ts";
import type { EvidenceService } from "./cases/evidence.service.ts";
import { detectionsRoutes } from "./detections/detections.routes.ts";
import type { Detections } from "./detections/detections.service.ts";
import { edrRoutes } from "./edr/edr.routes.ts";
import { eventsRoutes } from "./events/events.routes.ts";
import type { EventsService } from "./events/events.service.ts";
import { healthRoutes } from "./health/health.routes.ts";
import { deadLettersRoutes } from "./intake/dead-letters.routes.ts";
import { intakeRoutes } from "./intake/intake.routes.ts";
import type { IntakeParts } from "./intake/intake-parts.worker.ts";
import { otherIntakesRoutes } from "./intake/other-intakes.routes.ts";
import { iocsRoutes } from "./iocs/iocs.routes.ts";
import { ledgerRoutes } from "./ledger/ledger.routes.ts";
import type { LedgerService } from "./ledger/ledger.service.ts";
import { notificationsRoutes } from "./notifications/notifications.routes.ts";
import { SOC_OPENAPI } from "./openapi.ts";
import { outboundRoutes } from "./outbound/outbound.routes.ts";
import type { ProofService } from "./outbound/proof.service.ts";
import type { Response } from "./platform-response.ts";
import { reportsRoutes } from "./reports/reports.routes.ts";
import type { ChangesService } from "./runtime/changes.service.ts";
import { requireMode } from "./runtime/require-mode.ts";
import { runtimeRoutes } from "./runtime/runtime.routes.ts";
import type { RuntimeService } from "./runtime/runtime.service.ts";
import { topologyRoutes } from "./runtime/topology.routes.ts";
import type { TopologyService } from "./runtime/topology.service.ts";
import { huntsRoutes } from "./siem/hunts.routes.ts";
import type { HuntsService } from "./siem/hunts.service.ts";
import { logsRoutes } from "./siem/logs.routes.ts";
import type { LogsService } from "./siem/logs.service.ts";
import { promoteRoutes } from "./siem/promote.routes.ts";
import type { PromoteService } from "./siem/promote.service.ts";
import { sourcesRoutes } from "./siem/sources.routes.ts";
import type { SourcesService } from "./siem/sources.service.ts";
import { sitesRoutes } from "./sites/sites.routes.ts";
import type { SitesService } from "./sites/sites.service.ts";
import { automationsRoutes } from "./soar/automations.routes.ts";
import { executionsRoutes } from "./soar/executions.routes.ts";
import { playbooksRoutes } from "./soar/playbooks.routes.ts";
import { soarRulesRoutes } from "./soar/soar-rules.routes.ts";
import { statsRoutes } from "./stats/stats.routes.ts";
import { usersRoutes } from "./users/users.routes.ts";
import type { UsersService } from "./users/users.service.ts";

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
