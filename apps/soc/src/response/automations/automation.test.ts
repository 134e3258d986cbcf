import { describe, expect, it } from "vitest";
import { buildAlert, type NewAlert } from "../../alerts/alerts/alert.ts";
import { buildAutomation, isCoolingDown, toConditionPredicate } from "./automation.ts";

const NOW = new Date("2026-06-01T12:00:00Z");
const AMINA = { username: "amina", permissions: [] };
const ID = "019a0000-0000-7000-8000-000000000001";
const REPORT: NewAlert = {
  title: "A process reads the memory that holds passwords",
  source: "edr",
  severity: "critical",
  host: "FIN-LT-014",
  site: "Head office",
  iocs: ["198.51.100.77"],
  mitre_techniques: ["T1003.001"],
  tags: ["intrusion"],
  risk_score: 97,
};
const ALERT = buildAlert(REPORT, ID, NOW);

describe("automation conditions", () => {
  it.each([
    ["severity:critical", true],
    ["severity:high", false],
    ["source:edr AND mitre_techniques:T1003*", true],
    ["mitre_techniques:T1566*", false],
    ["title:*passwords*", true],
    ["memory passwords", true],
    ["memory nothing", false],
    ["tags:(phishing OR intrusion) NOT host:DC-01", true],
    ["risk_score:>=90", true],
    ["risk_score:>97", false],
    ["iocs:198.51.100.0/24", true],
    ['site:"Head office" AND host:fin-*', true],
    ["user:*", false],
  ])("evaluates %s to %s", (condition, isMatch) => {
    expect(toConditionPredicate(condition)(ALERT)).toBe(isMatch);
  });

  it.each([
    ["severity:critical AND", /^condition: something to look for is missing/],
    ["tittle:x", /^condition: there is no field 'tittle' \(the closest is 'title'\), at character 1$/],
    ["process:cmd.exe", /^condition: there is no field 'process'/],
    ["attributes.title:x", /^condition: there is no field 'attributes.title'/],
    ["   ", /^condition: must select alerts/],
  ])("refuses a condition with the position of the error: %j", (condition, why) => {
    expect(() => buildAutomation({ name: "a", condition, playbook_id: "p" }, ID, AMINA, NOW)).toThrow(why);
  });
});

describe("automation rules", () => {
  const automation = buildAutomation(
    { name: "a", condition: "x", playbook_id: "p", cooldown_minutes: 10 },
    ID,
    AMINA,
    NOW,
  );

  it("enables a new automation that has never fired", () => {
    expect(automation).toMatchObject({ enabled: true, last_fired_at: null, parameters: {} });
    expect(isCoolingDown(automation, undefined, NOW)).toBe(false);
  });

  it("does not fire again during the cooldown", () => {
    expect(isCoolingDown(automation, NOW, new Date(NOW.getTime() + 599_999))).toBe(true);
    expect(isCoolingDown(automation, NOW, new Date(NOW.getTime() + 600_000))).toBe(false);
  });

  it("refuses parameters that are too large", () => {
    const parameters = { text: "x".repeat(70_000) };
    const request = { name: "a", condition: "x", playbook_id: "p", parameters };
    expect(() => buildAutomation(request, ID, AMINA, NOW)).toThrow("parameters: must be at most 65536 bytes");
  });
});
