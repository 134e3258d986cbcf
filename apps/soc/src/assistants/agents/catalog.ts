import type { Permission } from "../../foundation/caller/permissions.ts";
import type { AssetClass } from "../../identity/sites/sites.schema.ts";
import { AGENT_NAMES, type AgentId, type AgentName } from "./agent-names.ts";
import type { AgentType } from "./agents.schema.ts";

/** The fixed part of an agent, the same on every platform with this release. */
export interface AgentDefinition {
  id: AgentId;
  name: AgentName;
  type: AgentType;
  /** The task in one sentence. */
  task: string;
  capabilities: readonly string[];
  /** It can be deployed to a site that declares one of these classes. */
  asset_classes: readonly AssetClass[];
  /** What starts a run. */
  trigger: string;
  /** The maximum permissions; a run has the subset that its caller also has. */
  permissions: readonly Permission[];
}

const EVERYWHERE: readonly AssetClass[] = ["it", "cloud", "identity", "ot", "iot", "medical", "building", "mobile"];
const PHYSICAL: readonly AssetClass[] = ["ot", "iot", "medical", "building"];

/** Every agent reads alerts and cases and adds its findings to a case. */
const NOTES: readonly Permission[] = ["alerts:read", "cases:read", "cases:write"];
const LOGS: readonly Permission[] = ["siem:read", "siem:search"];

const ROWS: readonly Omit<AgentDefinition, "name">[] = [
  {
    id: "agent-001",
    type: "triage",
    task: "Rates a new alert, links related alerts and opens a case if needed.",
    capabilities: ["alert_triage", "severity_rating", "case_opening"],
    asset_classes: EVERYWHERE,
    trigger: "An investigation ends malicious, or its alert has a case.",
    permissions: [...NOTES, ...LOGS, "alerts:write", "iocs:read", "detections:read", "sites:read"],
  },
  {
    id: "agent-002",
    type: "enrichment",
    task: "Adds what the platform knows about the hosts, users and addresses of an alert.",
    capabilities: ["entity_lookup", "log_context", "indicator_lookup"],
    asset_classes: EVERYWHERE,
    trigger: "An alert names a host, a user or an address.",
    permissions: [...NOTES, ...LOGS, "iocs:read", "edr:read", "sites:read"],
  },
  {
    id: "agent-003",
    type: "correlation",
    task: "Finds alerts and cases that share a host, user, device or indicator within a period.",
    capabilities: ["alert_correlation", "case_linking", "timeline_building"],
    asset_classes: EVERYWHERE,
    trigger: "An alert has a case or an indicator, or names a host or a user.",
    permissions: [...NOTES, ...LOGS, "alerts:write", "iocs:read", "cps:read"],
  },
  {
    id: "agent-004",
    type: "threat_intel",
    task: "Compares the observables of a case with the known indicators and records new ones.",
    capabilities: ["indicator_matching", "indicator_recording"],
    asset_classes: EVERYWHERE,
    trigger: "An alert names an address, a domain, a URL or a sender.",
    permissions: [...NOTES, ...LOGS, "iocs:read", "iocs:write"],
  },
  {
    id: "agent-005",
    type: "threat_hunt",
    task: "Searches the logs for earlier traces of a case's findings.",
    capabilities: ["log_hunting", "technique_coverage"],
    asset_classes: EVERYWHERE,
    trigger: "An alert names an address, an indicator or a command line.",
    permissions: [...NOTES, ...LOGS, "detections:read", "iocs:read"],
  },
  {
    id: "agent-006",
    type: "malware",
    task: "Judges files and processes by their hashes, origins and behaviour in the logs.",
    capabilities: ["file_reputation", "process_analysis"],
    asset_classes: ["it", "cloud", "mobile"],
    trigger: "An alert names a file hash, or a process that does not run on every machine.",
    permissions: [...NOTES, ...LOGS, "iocs:read", "edr:read"],
  },
  {
    id: "agent-007",
    type: "phishing",
    task: "Examines reported mails, their senders and links, and finds other recipients.",
    capabilities: ["mail_analysis", "link_analysis", "recipient_search"],
    asset_classes: ["it", "cloud", "identity", "mobile"],
    trigger: "An alert comes from a mail gateway, or names the sender of a mail.",
    permissions: [...NOTES, ...LOGS, "iocs:read", "iocs:write"],
  },
  {
    id: "agent-008",
    type: "identity",
    task: "Looks for stolen accounts: unusual sign-ins, new factors, new consents and new privileges.",
    capabilities: ["sign_in_analysis", "privilege_review"],
    asset_classes: ["it", "cloud", "identity"],
    trigger: "An alert names a user who is not the system itself.",
    permissions: [...NOTES, ...LOGS, "iocs:read"],
  },
  {
    id: "agent-009",
    type: "network",
    task: "Examines the connections of a host: destinations, volumes, intervals and lateral movement.",
    capabilities: ["connection_analysis", "beacon_detection", "lateral_movement"],
    asset_classes: ["it", "cloud", ...PHYSICAL],
    trigger: "An alert names the address of another machine.",
    permissions: [...NOTES, ...LOGS, "iocs:read", "edr:read"],
  },
  {
    id: "agent-010",
    type: "endpoint",
    task: "Examines what happened on an endpoint and whether it is isolated.",
    capabilities: ["endpoint_timeline", "isolation_status"],
    asset_classes: ["it", "mobile"],
    trigger: "An alert names a host.",
    permissions: [...NOTES, ...LOGS, "edr:read", "iocs:read"],
  },
  {
    id: "agent-011",
    type: "cloud",
    task: "Examines changes in cloud tenants: roles, keys, public resources and audit settings.",
    capabilities: ["cloud_audit_analysis", "exposure_review"],
    asset_classes: ["cloud", "identity"],
    trigger: "An alert comes from the audit log of a cloud tenant.",
    permissions: [...NOTES, ...LOGS, "iocs:read"],
  },
  {
    id: "agent-012",
    type: "cps_guard",
    task: "Judges what an event means for physical processes and which devices are concerned.",
    capabilities: ["device_context", "process_safety", "attestation_review"],
    asset_classes: PHYSICAL,
    trigger: "An alert concerns a device, or an investigation has CPS assets.",
    permissions: [...NOTES, ...LOGS, "cps:read", "sites:read"],
  },
  {
    id: "agent-013",
    type: "firmware",
    task: "Compares attested measurements with the firmware catalog and finds devices with the same unknown one.",
    capabilities: ["measurement_comparison", "firmware_inventory"],
    asset_classes: PHYSICAL,
    trigger: "The attestation of a device is untrusted or fails.",
    permissions: [...NOTES, ...LOGS, "alerts:write", "cps:read"],
  },
  {
    id: "agent-014",
    type: "response",
    task: "Proposes and starts the playbook that fits a case; critical ones wait for a person's approval.",
    capabilities: ["playbook_selection", "playbook_execution", "approval_request"],
    asset_classes: EVERYWHERE,
    trigger: "An investigation ends malicious, and its alert has a case.",
    permissions: [...NOTES, "playbooks:read", "playbooks:execute", "soar:read", "edr:read", "cps:read"],
  },
  {
    id: "agent-015",
    type: "report",
    task: "Writes the report of a case from its facts, each sentence with its evidence.",
    capabilities: ["case_report", "executive_summary"],
    asset_classes: EVERYWHERE,
    trigger: "An investigation ends malicious, and its alert has a case.",
    permissions: [...NOTES, "reports:read", "stats:read"],
  },
  {
    id: "agent-016",
    type: "supervisor",
    task: "Plans an investigation, selects its agents and joins their findings into one verdict.",
    capabilities: ["investigation_planning", "agent_selection", "verdict"],
    asset_classes: EVERYWHERE,
    trigger: "A person or an API client starts an investigation.",
    permissions: [...NOTES, ...LOGS, "iocs:read", "agents:read", "investigation:trigger", "sites:read", "stats:read"],
  },
];

export const CATALOG: readonly AgentDefinition[] = ROWS.map((row) => ({ ...row, name: AGENT_NAMES[row.id] }));

/** Finds an agent by exact id or name, so that audit entries and links always use one id. */
export function findDefinition(idOrName: string): AgentDefinition | undefined {
  return CATALOG.find(({ id, name }) => id === idOrName || name === idOrName);
}
