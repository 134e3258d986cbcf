/** The agents of the platform: their ids and names never change. */
export const AGENT_NAMES = {
  "agent-001": "TriageAgent",
  "agent-002": "EnrichmentAgent",
  "agent-003": "CorrelationAgent",
  "agent-004": "ThreatIntelAgent",
  "agent-005": "ThreatHuntAgent",
  "agent-006": "MalwareAgent",
  "agent-007": "PhishingAgent",
  "agent-008": "IdentityAgent",
  "agent-009": "NetworkAgent",
  "agent-010": "EndpointAgent",
  "agent-011": "CloudAgent",
  "agent-012": "CpsGuardAgent",
  "agent-013": "FirmwareAgent",
  "agent-014": "ResponseAgent",
  "agent-015": "ReportAgent",
  "agent-016": "SupervisorAgent",
} as const;

export type AgentId = keyof typeof AGENT_NAMES;
export type AgentName = (typeof AGENT_NAMES)[AgentId];
