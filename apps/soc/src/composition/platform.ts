import { join } from "node:path";
import { createAgents, hasAgents } from "../assistants/agents/agents.feature.ts";
import { countRuns } from "../assistants/runs/runs.feature.ts";
import { createAlertChanges } from "../casework/alerts/alert-changes.ts";
import { createAlerts } from "../casework/alerts/alerts.feature.ts";
import { createEventDelays } from "../casework/event-delays/event-delays.feature.ts";
import { createInbox } from "../casework/inbox/inbox.feature.ts";
import { createLedger } from "../casework/ledger/ledger.feature.ts";
import { createSites } from "../casework/sites/sites.feature.ts";
import { createAttack } from "../detection/attack/attack.feature.ts";
import { createBacktests } from "../detection/backtests/backtests.feature.ts";
import { createIocs } from "../detection/iocs/iocs.feature.ts";
import { createVerdicts } from "../detection/matches/verdicts.feature.ts";
import { createDetections } from "../detection/rules/detections.feature.ts";
import { createScheduling } from "../detection/scheduling/scheduling.feature.ts";
import { hasDevices } from "../devices/registry/devices.feature.ts";
import { createActionRegistry } from "../foundation/actions/action-registry.ts";
import { createAuditLog } from "../foundation/audit/audit.feature.ts";
import type { Caller } from "../foundation/caller/caller.ts";
import type { Tx } from "../foundation/database/tables.ts";
import { createEventHorizon, createOutbox } from "../foundation/events/events.feature.ts";
import type { Feature } from "../foundation/feature.ts";
import { createOutbound } from "../foundation/outbound/outbound.feature.ts";
import { createPlatformKeys } from "../foundation/platform-keys/platform-keys.feature.ts";
import { createRuntime } from "../foundation/runtime/runtime.feature.ts";
import { leaveSite } from "../identity/users/users.feature.ts";
import { createHunts } from "../logs/hunts/hunts.feature.ts";
import { createIntake } from "../logs/intake/intake.feature.ts";
import { compileAlertQuery } from "../logs/query/alert-query.ts";
import { createLogs } from "../logs/search/logs.feature.ts";
import { createPromotions } from "../logs/search/promote.feature.ts";
import { createModeProof } from "../reporting/mode-proof/mode-proof.feature.ts";
import { createReports } from "../reporting/reports/reports.feature.ts";
import { createStats } from "../reporting/stats/stats.feature.ts";
import { createApprovalGate, createApprovals, findOpenApproval } from "../response/approvals/approvals.feature.ts";
import { createAutomations } from "../response/automations/automations.feature.ts";
import { createEdr } from "../response/edr/edr.feature.ts";
import { createExecutionRecords, createExecutions } from "../response/executions/executions.feature.ts";
import { createNotifications } from "../response/notifications/notifications.feature.ts";
import { readBuiltInPlaybooks } from "../response/playbooks/built-in-playbooks.ts";
import { createPlaybooks } from "../response/playbooks/playbooks.feature.ts";
import { SOAR_RULES } from "../showcase/showcase-automations.ts";
import { createAcrossFeatures } from "./across-features.ts";
import { createAssistantFeatures } from "./assistant-features.ts";
import { createCaseFeatures } from "./case-features.ts";
import { createDeviceFeatures } from "./device-features.ts";
import { listConfigured } from "./files/operator-files.ts";
import { createIdentityFeatures } from "./identity-features.ts";
import type { PlatformNeeds } from "./platform-needs.ts";

/** Checks each feature: an array literal would reduce their types to what all of them have in common. */
const checked = (...features: Feature[]) => features;

/** Creates all features of the platform and connects them. Nothing runs yet. */
export function createPlatform(needs: PlatformNeeds) {
  const records = createRecords(needs);
  const { auth, users, ledger, scheduling, eventDelays, refreshCallers } = records;
  const response = createResponse(needs, records);
  const listed: readonly Feature[] = [...records.features, ...response.features];
  const given = { ...response.known, ...records.audit, refreshCallers };
  const features: readonly Feature[] = [...listed, ...createAcrossFeatures(needs, listed, given)];
  const lags = { stream: scheduling.streamHealth, eventDelay: eventDelays.readEventDelay };
  const health = { ...lags, ledger: () => ledger.ledger.status(), devices: response.devices.health };
  return { features, auth, health, actions: response.actions, ensureShowcaseAdmin: () => users.ensureShowcaseAdmin() };
}

/** Creates the features for identity, casework, logs and detection. */
function createRecords(needs: PlatformNeeds) {
  const { base, files, logStore, machine } = needs;
  const outbound = createOutbound(base, { ...needs, ...files, configured: listConfigured(files) });
  const proof = createModeProof(base, { stores: outbound.stores, key: files.ledgerKey });
  const audit = createAuditLog(base);
  const checkpointFile = join(needs.dataFolder, "ledger-checkpoints.ndjson");
  const witness = `${machine.hostname}:${needs.dataFolder}`;
  const ledger = createLedger(base, { key: files.ledgerKey, checkpointFile, witness });
  const alertChanges = createAlertChanges(base);
  const cases = createCaseFeatures(base, { ...ledger, ...files, alerts: alertChanges, findOpenApproval });
  const judging = { verdicts: createVerdicts(base), compileQuery: compileAlertQuery };
  const alerts = createAlerts(base, { ...cases, ...judging, changes: alertChanges });
  const eventDelays = createEventDelays(base, { ...alerts, ...createEventHorizon(base) });
  const isInUse = async (tx: Tx, id: string) => (await hasAgents(tx, id)) || hasDevices(tx, id);
  const sites = createSites(base, { machine, isInUse, leaveSite });
  const { users, auth, findKeyOwners, ...identity } = createIdentityFeatures(needs, {
    ...alerts,
    ...outbound,
    ...sites,
  });
  const agents = createAgents(base, { ...sites, countRuns });
  const intake = createIntake(base, { ...needs, ...alerts, streams: needs.streams?.logs });
  const logs = createLogs(base, { ...intake, ...alerts, logStore });
  const iocs = createIocs(base, { ...alerts, ...intake, logStore });
  const rules = createDetections(base, { ...alerts, iocs: iocs.hits, logStore });
  const { detections } = rules;
  const attack = createAttack(base, { ...detections, ...intake });
  const found = { ...logs, ...detections, matches: detections.promotedMatches };
  const promotions = createPromotions(base, { ...found, ...alerts, stored: alertChanges });
  const scheduling = createScheduling(base, { ...alerts, ...intake, ...iocs, rules: detections.workerRules, logStore });
  return {
    ...{ users, auth, findKeyOwners, outbound, audit, ledger, alertChanges, cases, alerts, sites },
    refreshCallers: (callers: readonly Caller[]) => auth.callers.refresh(callers),
    ...{ agents, logs, intake, iocs, rules, scheduling, eventDelays },
    // A record is stored after the records that it names: demo data follow this order.
    features: [
      // The keys are compared before any feature writes.
      ...checked(createPlatformKeys(files.keys), ...identity.features, createRuntime(base), proof, outbound),
      ...checked(sites, cases, ...cases.besides, alerts, eventDelays, ledger, audit),
      ...checked(intake.storing, intake.receiving),
      ...checked(agents, logs, createHunts(base, logs), promotions, intake, rules, attack, iocs, scheduling),
    ],
  };
}

/** Creates the features for response, reporting and assistants. */
function createResponse(needs: PlatformNeeds, records: ReturnType<typeof createRecords>) {
  const { base, files } = needs;
  const { users, findKeyOwners, outbound, audit, ledger, alertChanges, cases, alerts, sites, agents, logs } = records;
  const { intake, iocs, rules } = records;
  const outbox = createOutbox(base);
  const approvalGate = createApprovalGate(base, needs);
  const edr = createEdr(base, { ...needs, ...outbound, ...approvalGate, settings: files.edr });
  const notifications = createNotifications(base, { ...outbound, ...outbox, ...users, sealing: files.sealing });
  const enrolling = { ...outbound, ...approvalGate, ...sites, ...intake, ...alerts, ...cases, ...ledger, ...outbox };
  const { devices, ...watching } = createDeviceFeatures(needs, enrolling);
  const executionRecords = createExecutionRecords(base);
  const counts = { approvals_pending: approvalGate.count, endpoints: edr.count, detections: rules.count };
  const counted = { ...counts, agents: agents.count, devices: devices.count };
  const stats = createStats(base, { topRules: rules.topRules, counts: counted });
  const responses = (case_id: string) => executionRecords.listResponses(case_id);
  const reports = createReports(base, { ...cases, ...alerts, ...ledger, ...stats, audit: audit.auditLog, responses });

  const acting = [cases, alerts, logs, iocs, outbound, executionRecords, edr, notifications, approvalGate, reports];
  const actions = createActionRegistry([...acting, devices].flatMap((feature) => feature.actions));
  const builtIns = () => readBuiltInPlaybooks(needs.playbooksFolder, actions);
  const playbooks = createPlaybooks(base, { ...alerts, actions, builtIns });
  const steps = { ...alerts, ...cases, alertChanges, ...executionRecords, ...approvalGate, ...playbooks, actions };
  const executions = createExecutions(base, steps);
  const approvals = createApprovals(base, { ...needs, ...executions, decisions: cases.decisions, findKeyOwners });
  const begun = { ...playbooks, ...executions, ...alerts, ...audit, ...outbox };
  const automations = createAutomations(base, { ...begun, actions, soarRules: SOAR_RULES });
  const facts = { ...cases, ...alerts, ...logs, ...iocs, ...agents, ...devices, ...sites, ...rules, ...edr };
  const known = { ...facts, ...executions, ...approvalGate, ...approvals, ...reports, ...outbox, ...outbound };
  const assistants = createAssistantFeatures(needs, { ...known, refreshCallers: records.refreshCallers });
  const responding = checked(devices, ...watching.others, edr, playbooks, executions, automations, approvals);
  const inbox = createInbox(base, { ...alerts, ...cases, ...outbox });
  const backtests = createBacktests(base, { ...needs, ...rules, ...outbox });
  const others = checked(notifications, reports, stats, outbox, inbox, backtests, ...assistants);
  return { actions, devices, known, features: [...responding, ...others] };
}
