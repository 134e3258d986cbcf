import { join } from "node:path";
import { createAlertChanges, createAlerts, createEventDelays } from "../alerts/module.ts";
import {
  countRuns,
  createAgents,
  createChat,
  createModels,
  createRuns,
  createTools,
  hasAgents,
  JUDGED_PLANS,
  PLANS,
} from "../assistants/module.ts";
import {
  createAuditRecords,
  createCaseFiles,
  createCaseMerges,
  createCaseSla,
  createCases,
  createCaseTemplates,
  createForwarding,
  createInbox,
  createLedger,
} from "../cases/module.ts";
import { SOAR_RULES } from "../demo/automations.ts";
import {
  createAttack,
  createBacktests,
  createDetections,
  createIocs,
  createScheduling,
  createVerdicts,
} from "../detection/module.ts";
import { createAttestation, createCorrelations, createDevices, createRelay, hasDevices } from "../devices/module.ts";
import { createActionRegistry } from "../foundation/actions/action-registry.ts";
import { createActivity } from "../foundation/activity/activity.feature.ts";
import { createAuditLog } from "../foundation/audit.feature.ts";
import type { Registrations } from "../foundation/base.ts";
import type { Caller } from "../foundation/caller/caller.ts";
import type { Tx } from "../foundation/database/tables.ts";
import { createEventHorizon, createEvents, createOutbox } from "../foundation/events/events.feature.ts";
import { createOutbound } from "../foundation/outbound/outbound.feature.ts";
import { createPlatformKeys } from "../foundation/platform-keys/platform-keys.feature.ts";
import { createRuntime } from "../foundation/runtime.feature.ts";
import { createSearch } from "../foundation/search.feature.ts";
import { createSites, findAccountLinks, leaveSite } from "../identity/module.ts";
import {
  compileAlertQuery,
  createHunts,
  createIntake,
  createLogs,
  createPromotions,
  createTail,
} from "../logs/module.ts";
import {
  createAttention,
  createEntities,
  createModeProof,
  createPages,
  createReports,
  createStats,
} from "../reporting/module.ts";
import {
  createApprovalGate,
  createApprovals,
  createAutomations,
  createEdr,
  createExecutionRecords,
  createExecutions,
  createNotifications,
  createPlaybooks,
  findOpenApproval,
  readBuiltInPlaybooks,
} from "../response/module.ts";
import { listConfigured } from "./files/operator-files.ts";
import type { PlatformNeeds } from "./platform-needs.ts";
import { requireAllActions } from "./require-actions.ts";
import { wireIdentity } from "./wire-identity.ts";

/** Creates every part of the platform and names its dependencies. Nothing runs yet. */
export function createPlatform(needs: PlatformNeeds) {
  const { base, files, logStore, machine, streams, publicUrl, fourEyes } = needs;
  const { sealing, ledgerKey, authority, endorsementTrust, signIn } = files;

  // Foundation
  const outbound = createOutbound(base, {
    start: needs.start,
    hasDatabase: needs.hasDatabase,
    httpAdapters: files.httpAdapters,
    configured: listConfigured({ signIn }),
    mailbox: files.mailbox,
    notifyPrivate: needs.notifyPrivate,
  });
  const { sendRecorded, mail, stores: outboundStores } = outbound.services;
  const proof = createModeProof(base, { stores: outboundStores, key: ledgerKey });
  const audit = createAuditLog(base);
  const { auditLog } = audit.services;
  const outbox = createOutbox(base);
  const { outbox: events, beginConsumer } = outbox.services;
  const { readEventDelay } = createEventHorizon(base).services;

  // Sites, cases and alerts
  const ledger = createLedger(base, {
    key: ledgerKey,
    checkpointFile: join(needs.dataFolder, "ledger-checkpoints.ndjson"),
    witness: `${machine.hostname}:${needs.dataFolder}`,
  });
  const evidenceLedger = ledger.services.ledger;
  const alertChanges = createAlertChanges(base);
  const casework = createCases(base, { alerts: alertChanges, ledger: evidenceLedger, findOpenApproval });
  const { caseBody, cases, items, evidence, decisions, listDue } = casework.services;
  const fileRecords = createCaseFiles(base, { cases, evidence, storage: files.storage });
  const { caseFiles } = fileRecords.services;
  const sla = createCaseSla(base);
  const templates = createCaseTemplates(base);
  const { caseTemplates } = templates.services;
  const merges = createCaseMerges(base, { alerts: alertChanges, ledger: evidenceLedger, findOpenApproval });
  const alerting = createAlerts(base, {
    changes: alertChanges,
    cases,
    caseBody,
    verdicts: createVerdicts(base),
    compileQuery: compileAlertQuery,
  });
  const { alerts, summaries, entities } = alerting.services;
  const eventDelays = createEventDelays(base, { readEventDelay, alerts });
  const forwarding = createForwarding(base, {
    settings: files.auditReceivers,
    hostname: machine.hostname,
    outbound: outbound.services.outbound,
    sendSyslog: outbound.services.sendSyslog,
  });
  const auditRecords = createAuditRecords(base, {
    ledger: evidenceLedger,
    auditLog,
    alerts,
    listReceivers: forwarding.services.listReceivers,
    key: ledgerKey,
  });
  const isInUse = async (tx: Tx, id: string) => (await hasAgents(tx, id)) || hasDevices(tx, id);
  const siteRecords = createSites(base, { machine, isInUse, leaveSite });
  const { sites, findSites } = siteRecords.services;

  // Identity
  const identity = wireIdentity(needs, { alerts, outbound: outbound.services.outbound, findSites });
  const { users, auth, findKeyPeople } = identity.services;
  const refreshCallers = (callers: readonly Caller[]) => auth.callers.refresh(callers);

  // Logs
  const intaking = createIntake(base, { logStore, alerts, machine, streams: streams?.logs, syslog: needs.syslog });
  const { intake, bodies, writers, partitions, counters, settings, findSources } = intaking.services;
  const searching = createLogs(base, { logStore, alerts, counters, settings });
  const { logs } = searching.services;
  const hunts = createHunts(base, { logs });
  const tail = createTail(base, { logStore, refreshCallers });

  const gating = createApprovalGate(base, { fourEyes });
  const { gate, holdChange } = gating.services;

  // Detection
  const indicators = createIocs(base, { alerts, logStore, bodies });
  const { iocs, hits, createWatch } = indicators.services;
  const detecting = createDetections(base, { logStore, alerts, iocs: hits, holdChange });
  const { detections } = detecting.services;
  const { rules, suppressions, exceptions, promotedMatches, workerRules } = detections;
  const attack = createAttack(base, { rules, health: detections.health, findSources });
  const promotions = createPromotions(base, {
    logs,
    rules: promotedMatches,
    suppressions,
    exceptions,
    alerts,
    matches: promotedMatches,
    stored: alertChanges,
  });
  const scheduling = createScheduling(base, { logStore, writers, rules: workerRules, createWatch, partitions, alerts });
  const backtests = createBacktests(base, { logStore, detections, outbox: events });

  // Response
  const sender = outbound.services.outbound;
  const edr = createEdr(base, { settings: files.edr, outbound: sender, gate, fourEyes });
  const { endpoints, edrActions } = edr.services;
  const notifications = createNotifications(base, {
    outbound: sender,
    mail,
    outbox: events,
    users,
    sealing,
    holdChange,
  });

  // Devices
  const { broker } = needs;
  const registry = createDevices(base, {
    devices: needs.devices,
    dataFolder: needs.dataFolder,
    authority,
    broker,
    endorsementTrust,
    sites,
    intake,
    sendRecorded,
    gate,
    fourEyes,
  });
  const { devices } = registry.services;
  const attesting = createAttestation(base, { alerts, ledger: evidenceLedger, broker, holdChange });
  const { attestation, catalog } = attesting.services;
  const relay = createRelay(base, { attestation, authority, broker, sendRecorded });
  const correlations = createCorrelations(base, { alerts, cases, devices, outbox: events });

  // Reporting
  const managed = createAgents(base, { sites, countRuns });
  const { agents } = managed.services;
  const executionRecords = createExecutionRecords(base);
  const statistics = createStats(base, {
    topRules: detecting.services.topRules,
    counts: {
      approvals_pending: gating.services.count,
      endpoints: edr.services.count,
      detections: detecting.services.count,
      agents: managed.services.count,
      devices: registry.services.count,
    },
  });
  const executionStores = executionRecords.services.stores;
  const reporting = createReports(base, {
    cases,
    alerts,
    ledger: evidenceLedger,
    stats: statistics.services.stats,
    audit: auditLog,
    responses: (case_id) => executionRecords.services.listResponses(case_id),
  });
  const { reports, reportTool } = reporting.services;

  // Playbooks
  const acting: readonly { registrations: Registrations }[] = [
    ...[casework, alerting, searching, indicators, outbound, executionRecords],
    ...[edr, notifications, gating, reporting, registry],
  ];
  const actions = createActionRegistry(acting.flatMap(({ registrations }) => registrations.actions ?? []));
  const builtIns = () => readBuiltInPlaybooks(needs.playbooksFolder, actions);
  const library = createPlaybooks(base, { alerts, actions, builtIns });
  const { playbooks } = library.services;
  const executing = createExecutions(base, {
    stores: executionStores,
    gate,
    actions,
    playbooks,
    alerts,
    alertChanges,
    cases,
    sites,
    findSites,
  });
  const { executions, describeDemo } = executing.services;
  const approving = createApprovals(base, {
    executions,
    decisions,
    findKeyPeople,
    findAccountLinks,
    held: [exceptions, catalog, notifications.services.channels],
    describeDemo,
    fourEyes,
  });
  const { approvals } = approving.services;
  const automations = createAutomations(base, {
    playbooks,
    actions,
    executions,
    alerts,
    auditLog,
    outbox: events,
    soarRules: SOAR_RULES,
  });
  const inbox = createInbox(base, {
    alerts,
    cases,
    listDue,
    listNear: sla.services.listNear,
    outbox: events,
    beginConsumer,
  });

  // Assistants
  const toolbox = createTools(base, {
    agents,
    publicUrl,
    machine,
    gate,
    approvals,
    alerts,
    cases,
    items,
    logs,
    executions,
    iocs,
    devices,
    reportTool,
  });
  const { tools } = toolbox.services;
  const models = createModels(base, { outbound: sender, settings: files.model });
  const { model } = models.services;
  const chat = createChat(base, { tools, alerts, cases, endpoints, model, refreshCallers });
  const investigating = createRuns(base, {
    alerts,
    sites,
    agents,
    tools,
    model,
    plans: { evidence: PLANS, judged: JUDGED_PLANS },
    detections,
    hits,
    logStore,
    outbox: events,
    beginConsumer,
    opensCases: needs.agentCases,
  });

  // Demo data is stored in this order, so that a record comes after the records that it names. Keys are compared before
  // any write.
  const recorded: readonly Registrations[] = [
    createPlatformKeys(files.keys).registrations,
    ...identity.registrations,
    createRuntime(base).registrations,
    ...[proof, outbound, siteRecords, casework, fileRecords, sla, templates, merges].map(toRegistrations),
    ...[alerting, eventDelays, ledger, audit, auditRecords, forwarding].map(toRegistrations),
    ...intaking.registrations,
    ...[managed, searching, hunts, promotions, detecting, attack, indicators, scheduling].map(toRegistrations),
    ...[registry, attesting, relay, correlations].map(toRegistrations),
    ...[edr, library, executing, automations, approving, notifications, reporting].map(toRegistrations),
    ...[statistics, outbox, inbox, backtests, toolbox, chat, models, investigating].map(toRegistrations),
  ];

  requireAllActions(actions, recorded);

  // The parts that span all features: their events, activity and search, and pages with records of several features.
  const feed = createEvents(base, recorded, { refreshCallers, source: streams?.events });
  const history = createActivity(recorded, { auditLog });
  const { activity } = history.services;
  const pages = createPages(base, {
    alerts,
    cases,
    caseFiles,
    caseTemplates,
    logs,
    detections,
    iocs,
    endpoints,
    edrActions,
    executions,
    approvals,
    reports,
    activity,
  });
  const attention = createAttention(base, { summaries, cases, approvals, inbox: inbox.services.inbox });
  const entityPages = createEntities(base, { entities, cases, logs, iocs, endpoints, devices });
  const spanning = [feed, tail, history, createSearch(base, recorded), pages, attention, entityPages].map(
    toRegistrations,
  );

  return {
    services: {
      auth,
      agents,
      alerts,
      cases,
      sites,
      logs,
      iocs,
      hits,
      detections,
      outbox: events,
      beginConsumer,
      correlations: correlations.services.correlations,
      runs: investigating.services,
      tools,
      actions,
    },
    registrations: [...recorded, ...spanning],
    health: {
      stream: scheduling.services.streamHealth,
      eventDelay: readEventDelay,
      ledger: () => evidenceLedger.status(),
      audit: auditRecords.services.auditStatus,
      devices: registry.services.health,
    },
    ensureShowcaseAdmin: () => identity.services.ensureShowcaseAdmin(),
  };
}

function toRegistrations({ registrations }: { registrations: Registrations }): Registrations {
  return registrations;
}
