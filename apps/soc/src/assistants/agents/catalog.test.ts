import { describe, expect, it } from "vitest";
import { isAllowed } from "../../foundation/caller/permissions.ts";
import { AGENT_TYPES } from "./agents.schema.ts";
import { CATALOG, findDefinition } from "./catalog.ts";

// From the API document: "Agent and investigation".
const DOCUMENTED = [
  ["agent-001", "TriageAgent", "triage"],
  ["agent-002", "EnrichmentAgent", "enrichment"],
  ["agent-003", "CorrelationAgent", "correlation"],
  ["agent-004", "ThreatIntelAgent", "threat_intel"],
  ["agent-005", "ThreatHuntAgent", "threat_hunt"],
  ["agent-006", "MalwareAgent", "malware"],
  ["agent-007", "PhishingAgent", "phishing"],
  ["agent-008", "IdentityAgent", "identity"],
  ["agent-009", "NetworkAgent", "network"],
  ["agent-010", "EndpointAgent", "endpoint"],
  ["agent-011", "CloudAgent", "cloud"],
  ["agent-012", "CpsGuardAgent", "cps_guard"],
  ["agent-013", "FirmwareAgent", "firmware"],
  ["agent-014", "ResponseAgent", "response"],
  ["agent-015", "ReportAgent", "report"],
  ["agent-016", "SupervisorAgent", "supervisor"],
];

describe("agent catalog", () => {
  it("lists the documented agents in the order of their ids", () => {
    expect(CATALOG.map(({ id, name, type }) => [id, name, type])).toEqual(DOCUMENTED);
    expect(AGENT_TYPES).toEqual(DOCUMENTED.map(([, , type]) => type));
  });

  it("gives no agent a permission that the role agent lacks", () => {
    for (const { name, permissions } of CATALOG) {
      expect([name, permissions.filter((each) => !isAllowed("agent", [each]))]).toEqual([name, []]);
    }
  });

  it("lets only the response agent start playbooks and no agent decide an approval", () => {
    const withPermission = (permission: string) =>
      CATALOG.filter(({ permissions }) => permissions.some((each) => each === permission)).map(({ name }) => name);
    expect(withPermission("playbooks:execute")).toEqual(["ResponseAgent"]);
    expect(withPermission("approvals:manage")).toEqual([]);
  });

  it("describes the task and the trigger of each agent in one sentence", () => {
    for (const { task, trigger, capabilities, asset_classes } of CATALOG) {
      for (const sentence of [task, trigger]) expect(sentence).toMatch(/^[A-Z][^.]+\.$/);
      expect(capabilities.length).toBeGreaterThan(0);
      expect(asset_classes.length).toBeGreaterThan(0);
      expect(new Set(asset_classes).size).toBe(asset_classes.length);
    }
  });
});

describe("agent lookup", () => {
  it.each(["agent-012", "CpsGuardAgent"])("finds an agent by %s", (idOrName) => {
    expect(findDefinition(idOrName)?.type).toBe("cps_guard");
  });

  it.each([
    "AGENT-012",
    "Agent-012",
    "cpsguardagent",
    "CPSGuardAgent",
    "cps_guard",
    "agent-12",
    "agent-017",
    "",
    "toString",
  ])("does not find '%s' because ids and names must match exactly", (idOrName) => {
    expect(findDefinition(idOrName)).toBeUndefined();
  });
});
