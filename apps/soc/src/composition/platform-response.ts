import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { createAlertChanges } from "../casework/alerts/alert-changes.service.ts";
import { createAlertActions } from "../casework/alerts/alerts.actions.ts";
import type { AlertsService } from "../casework/alerts/alerts.service.ts";
import type { CaseItemsService } from "../casework/cases/case-items.service.ts";
import { createCaseActions } from "../casework/cases/cases.actions.ts";
import type { CasesService } from "../casework/cases/cases.service.ts";
import type { LedgerService } from "../casework/ledger/ledger.service.ts";
import type { IocHitsService } from "../detection/iocs/ioc-hits.service.ts";
import { createChangedIocsStore, createSearchesStore } from "../detection/iocs/ioc-hits.store.ts";
import { createIocWatch } from "../detection/iocs/ioc-watch.service.ts";
import { createIocActions } from "../detection/iocs/iocs.actions.ts";
import { createIocsService } from "../detection/iocs/iocs.service.ts";
import { createIocsStore, createShowcaseIocsStore } from "../detection/iocs/iocs.store.ts";
import { createIocsWorker } from "../detection/iocs/iocs.worker.ts";
import { createIocsExchange } from "../detection/iocs/iocs-exchange.service.ts";
import type { Detections } from "../detection/rules/detections.service.ts";
import { createActionRegistry } from "../foundation/actions/action-registry.ts";
import type { AuditService, Recorder } from "../foundation/audit/audit.service.ts";
import type { Tables } from "../foundation/database/tables.ts";
import { createEventStream } from "../foundation/events/event-stream.service.ts";
import type { Consumption } from "../foundation/events/event-stream.ts";
import { createOutboxSource } from "../foundation/events/outbox-stream.store.ts";
import { readHttpAdapters, readKey } from "../foundation/outbound/http-adapters.store.ts";
import { createMailService } from "../foundation/outbound/mail.service.ts";
import { mailboxOf } from "../foundation/outbound/mail.ts";
import type { OutboundServiceDeps } from "../foundation/outbound/outbound.service.ts";
import { createOutbound } from "../foundation/outbound/outbound-parts.ts";
import { beside } from "../foundation/runtime/beside.ts";
import type { ChangesService } from "../foundation/runtime/changes.service.ts";
import type { RuntimeService } from "../foundation/runtime/runtime.service.ts";
import type { WorkflowEngine } from "../foundation/workflows/workflow-engine.ts";
import type { UsersService } from "../identity/users/users.service.ts";
import type { LogStore } from "../logs/search/log-store.ts";
import { createSearchAction } from "../logs/search/logs.actions.ts";
import type { LogsService } from "../logs/search/logs.service.ts";
import { createReportMaker } from "../reporting/reports/report-maker.service.ts";
import { createReportActions } from "../reporting/reports/reports.actions.ts";
import { createReportsService } from "../reporting/reports/reports.service.ts";
import { createReportsStore, createShowcaseReportsStore } from "../reporting/reports/reports.store.ts";
import { createStatsService } from "../reporting/stats/stats.service.ts";
import { createShowcaseStatsStore, createStatsStore } from "../reporting/stats/stats.store.ts";
import { createApprovalActions } from "../response/approvals/approvals.actions.ts";
import { createApprovalsService } from "../response/approvals/approvals.service.ts";
import { createApprovalsStore, createShowcaseApprovalsStore } from "../response/approvals/approvals.store.ts";
import { createApprovalsWorker } from "../response/approvals/approvals.worker.ts";
import { createDeadlinesService } from "../response/approvals/deadlines.service.ts";
import { createGate } from "../response/approvals/gate.service.ts";
import { createAutomationFirings } from "../response/automations/automation-firings.service.ts";
import { createAutomationsService } from "../response/automations/automations.service.ts";
import { createAutomationsStore, createShowcaseAutomationsStore } from "../response/automations/automations.store.ts";
import { consumeAlerts } from "../response/automations/automations.worker.ts";
import { createSoarRulesService } from "../response/automations/soar-rules.service.ts";
import { createActionsStore } from "../response/edr/actions.store.ts";
import { createCircuitStore } from "../response/edr/circuit.store.ts";
import { createEdrActions } from "../response/edr/edr.actions.ts";
import { createShowcaseActionsStore, createShowcaseEndpointsStore } from "../response/edr/edr.showcase.ts";
import { createEdrWorker } from "../response/edr/edr.worker.ts";
import { createEdrActionsService } from "../response/edr/edr-actions.service.ts";
import { createEdrAdapter, type EdrAdapterSettings } from "../response/edr/edr-adapter.service.ts";
import { createEndpointsService } from "../response/edr/endpoints.service.ts";
import { createEndpointsStore } from "../response/edr/endpoints.store.ts";
import { createDeviceAction } from "../response/executions/device.actions.ts";
import { createEffectsService } from "../response/executions/effects.service.ts";
import { createExecutionWork } from "../response/executions/execution-work.store.ts";
import { createExecutionsService } from "../response/executions/executions.service.ts";
import { createExecutionsStore, createShowcaseExecutionsStore } from "../response/executions/executions.store.ts";
import { createExecutionsWorker, createPlaybooksLane } from "../response/executions/executions.worker.ts";
import { createInterpreterService } from "../response/executions/interpreter.service.ts";
import { createStepScopes } from "../response/executions/step-scope.service.ts";
import { createWaitAction } from "../response/executions/wait.actions.ts";
import { createChannelsService } from "../response/notifications/channels.service.ts";
import { createChannelsStore, createShowcaseChannelsStore } from "../response/notifications/channels.store.ts";
import { createDeliveriesService } from "../response/notifications/deliveries.service.ts";
import { createDeliveriesStore, createShowcaseDeliveriesStore } from "../response/notifications/deliveries.store.ts";
import { createNotificationActions } from "../response/notifications/notifications.actions.ts";
import { createNotificationsWorker } from "../response/notifications/notifications.worker.ts";
import type { Sealing } from "../response/notifications/sealing.ts";
import { createSendingService } from "../response/notifications/sending.service.ts";
import { playbooksOf, readBuiltInPlaybooks } from "../response/playbooks/built-in-playbooks.store.ts";
import { createPlaybooksService } from "../response/playbooks/playbooks.service.ts";
import { createPlaybooksStore, createShowcasePlaybooksStore } from "../response/playbooks/playbooks.store.ts";
import { createPlaybooksWorker } from "../response/playbooks/playbooks.worker.ts";
import type { Retelling } from "../showcase/retelling.ts";
import { SOAR_RULES } from "../showcase/showcase-automations.ts";
import { countOthers, otherCountsOf } from "./platform-counts.ts";

/** What an operator has configured for the way out, and for those who decide. */
export interface ResponseSettings {
  fourEyes: boolean;
  edrUrl: string | undefined;
  edrKeyFile: string | undefined;
  httpAdaptersFile: string | undefined;
  smtpUrl: string | undefined;
  smtpFrom: string | undefined;
}

export interface ResponseParts {
  settings: ResponseSettings;
  db: Kysely<Tables>;
  runtime: RuntimeService;
  changes: ChangesService;
  retell: Retelling;
  outboundStores: OutboundServiceDeps["stores"];
  logStore: LogStore;
  playbooksFolder: string;
  /** Of the secrets of channels. */
  sealing: Sealing;
  audit: Recorder;
  auditLog: AuditService;
  alerts: AlertsService;
  alertChanges: ReturnType<typeof createAlertChanges>;
  cases: CasesService;
  caseItems: CaseItemsService;
  ledger: LedgerService;
  logs: LogsService;
  detections: Detections;
  iocHits: IocHitsService;
  users: UsersService;
  clock: Clock;
  ids: Ids;
  log: Log;
}
export type Response = Awaited<ReturnType<typeof createResponse>>;

/** What is done about what was found: playbooks, approvals, endpoints, indicators, reports, and who is told. */
export async function createResponse(parts: ResponseParts) {
  const { db, runtime, changes, retell, audit, alerts, alertChanges, cases, caseItems, logs } = parts;
  const { clock, ids, log, detections, iocHits, outboundStores } = parts;
  const isAllowed = async () => (await runtime.truth()).is_internal_workflows_allowed;

  const { settings } = parts;
  const httpAdapters = await readHttpAdapters(settings.httpAdaptersFile);
  const out = { runtime, stores: outboundStores, clock, ids, log };
  const { outbound, actions: httpActions } = createOutbound({
    ...out,
    httpAdapters,
    configured: ["edr"],
  });
  const mail = createMailService({ ...out, mailbox: mailboxOf(settings.smtpUrl, settings.smtpFrom) });

  const adapter = createEdrAdapter({
    settings: await readEdrSettings(settings),
    outbound,
    circuit: createCircuitStore(db),
    clock,
  });
  const endpointStores = beside(
    createEndpointsStore(db),
    retell((showcase) => createShowcaseEndpointsStore(showcase.edr, clock)),
  );
  const endpoints = createEndpointsService({
    runtime,
    stores: endpointStores,
    adapters: { database: adapter, showcase: { state: async () => ({ configured: false, state: "none" }) } },
    audit,
    clock,
  });
  const edrActions = createEdrActionsService({
    runtime,
    changes,
    db,
    stores: beside(
      createActionsStore(db),
      retell((showcase) => createShowcaseActionsStore(showcase.edr)),
    ),
    endpoints: endpointStores,
    adapter,
    audit,
    clock,
    ids,
    log,
  });

  const iocs = createIocsService({
    runtime,
    stores: beside(
      createIocsStore(db),
      retell((showcase) => createShowcaseIocsStore(showcase.iocs)),
    ),
    audit,
    clock,
  });

  const stats = createStatsService({
    runtime,
    stores: beside(
      createStatsStore(db, countOthers),
      retell((showcase) => createShowcaseStatsStore(showcase, otherCountsOf(showcase, clock.now()))),
    ),
    topRules: async (caller) => (await detections.metrics.read(caller)).top_rules_by_matches,
    clock,
  });

  const channelsStore = createChannelsStore(db, parts.sealing);
  const sending = createSendingService({ outbound, mail, clock });
  const channels = createChannelsService({
    runtime,
    stores: beside(
      channelsStore,
      retell((showcase) => createShowcaseChannelsStore(showcase.notifications.channels)),
    ),
    deliveries: beside(
      createDeliveriesStore(db),
      retell((showcase) => createShowcaseDeliveriesStore(showcase.notifications.deliveries)),
    ),
    sealing: parts.sealing,
    audit,
    clock,
    ids,
  });

  const executionStores = beside(
    createExecutionsStore(db),
    retell((showcase) => createShowcaseExecutionsStore(showcase.executions)),
  );
  const maker = createReportMaker({
    cases,
    alerts,
    ledger: parts.ledger,
    stats,
    audit: parts.auditLog,
    responses: async (case_id) => {
      const { items } = await (await runtime.choose(executionStores)).list({ case_id, limit: 100 });
      return items.map(({ created_at, playbook_name, status, requested_by }) => ({
        at: created_at,
        kind: "playbook",
        what: playbook_name,
        status,
        by: requested_by,
      }));
    },
    clock,
  });
  const reports = createReportsService({
    runtime,
    stores: beside(
      createReportsStore(db),
      retell((showcase) => createShowcaseReportsStore(showcase.reports, (report) => maker.retell(report))),
    ),
    maker,
    audit,
    ids,
  });

  const gate = createGate({ db, audit, ids, fourEyes: settings.fourEyes });
  const actions = createActionRegistry([
    ...createCaseActions({ alerts: alertChanges, cases, items: caseItems }),
    ...createAlertActions({ alerts }),
    createSearchAction({ logs, clock }),
    createWaitAction(clock),
    createDeviceAction(),
    ...createEdrActions(edrActions),
    ...httpActions,
    ...createIocActions({ iocs, clock }),
    ...createNotificationActions({ channels: channelsStore, sending, clock }),
    ...createApprovalActions(gate),
    ...createReportActions({ reports }),
  ]);
  const builtIns = await readBuiltInPlaybooks(parts.playbooksFolder, actions);
  const playbooks = createPlaybooksService({
    runtime,
    stores: {
      database: createPlaybooksStore(db),
      showcase: createShowcasePlaybooksStore(playbooksOf(builtIns, clock.now())),
    },
    actions,
    audit,
    clock,
    ids,
  });
  const executions = createExecutionsService({
    runtime,
    stores: executionStores,
    gate,
    playbooks,
    effects: createEffectsService({
      actions,
      subjects: { alert: (id) => alerts.get(id), case: (id) => cases.look(id, async (_, found) => found) },
    }),
    audit,
    clock,
    ids,
  });
  const approvals = createApprovalsService({
    runtime,
    stores: beside(
      createApprovalsStore(db),
      retell((showcase) => createShowcaseApprovalsStore(showcase.approvals)),
    ),
    executions,
    audit,
  });
  const automations = createAutomationsService({
    runtime,
    stores: beside(
      createAutomationsStore(db),
      retell((showcase) => createShowcaseAutomationsStore(showcase.automations)),
    ),
    playbooks,
    audit,
    clock,
    ids,
  });
  const seeding = createPlaybooksWorker({
    db,
    playbooks,
    builtIns: async () => builtIns,
    isAvailable: async () => (await runtime.truth()).is_database_available,
    clock,
    log,
  });
  const firings = createAutomationFirings({ db, alerts, executions, audit, clock, log });

  /** What the worker's process does of it. */
  function createWork() {
    const work = createExecutionWork(db);
    const scopes = createStepScopes({
      alert: (tx, id) => alertChanges.lockOne(tx, id),
      case: (tx, id) => cases.find(tx, id),
    });
    const interpreter = createInterpreterService({ work, actions, scopes, audit, clock, ids, log });
    const outbox = createEventStream({ source: createOutboxSource({ db, clock }), db, runtime, clock, log });
    const deliveries = createDeliveriesService({ db, channels: channelsStore, sending, users: parts.users, ids, log });
    const workers = [
      createEdrWorker({ runtime, actions: edrActions, clock, log }),
      createIocsWorker({
        searches: createSearchesStore(db),
        hits: iocHits,
        logStore: parts.logStore,
        isAllowed,
        clock,
        log,
      }),
      createApprovalsWorker({ db, deadlines: createDeadlinesService({ executions, audit }), isAllowed, clock, log }),
      createNotificationsWorker({ events: outbox, deliveries, isAllowed, clock, log }),
    ];
    let dispatching: ReturnType<typeof createExecutionsWorker> | undefined;
    let firing: Consumption | undefined;
    return {
      lane: createPlaybooksLane(interpreter),
      watch: createIocWatch({ changed: createChangedIocsStore(db), hits: iocHits, clock, log }),

      run(workflows: WorkflowEngine): void {
        dispatching ??= createExecutionsWorker({ work, workflows, audit, isAllowed, clock, log });
        dispatching.run();
        firing ??= consumeAlerts({ outbox, firings, log });
        for (const worker of workers) worker.run();
      },

      async close(): Promise<void> {
        await Promise.all([dispatching?.close(), firing?.close(), ...workers.map((worker) => worker.close())]);
        await outbox.close();
      },
    };
  }

  return {
    edr: { endpoints, actions: edrActions },
    iocs,
    iocsExchange: createIocsExchange({ iocs, clock, ids }),
    stats,
    reports,
    channels,
    playbooks,
    executions,
    approvals,
    automations,
    soarRules: createSoarRulesService({ runtime, rules: SOAR_RULES }),
    createWork,

    /** Brings the playbooks of the platform into the database. */
    start: () => seeding.run(),

    /** Forgets what is old. */
    async sweep(): Promise<void> {
      await firings.sweep();
      await iocHits.sweep();
    },

    close: () => seeding.close(),
  };
}

async function readEdrSettings({ edrUrl: url, edrKeyFile }: ResponseSettings): Promise<EdrAdapterSettings | undefined> {
  if (url === undefined && edrKeyFile === undefined) return undefined;
  if (url === undefined) throw new Problem("invalid", "SOC_EDR_ADAPTER_URL: is required, too");
  if (edrKeyFile === undefined) throw new Problem("invalid", "SOC_EDR_ADAPTER_KEY_FILE: is required, too");
  return { url, key: await readKey("SOC_EDR_ADAPTER_KEY_FILE", edrKeyFile) };
}
