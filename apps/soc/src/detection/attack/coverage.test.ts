import { describe, expect, it } from "vitest";
import { buildAttackDocument } from "../../../testing/fixtures/attack-document.ts";
import { readAttack } from "./attack.ts";
import { computeCoverage, summarize } from "./coverage.ts";
import { readShippedAttack } from "./shipped-attack.ts";

const SMALL = {
  "enterprise-attack": {
    tactics: [
      { id: "TA0002", name: "Execution", shortname: "execution" },
      { id: "TA0006", name: "Credential Access", shortname: "credential-access" },
    ],
    techniques: [
      { id: "T1059", name: "Command and Scripting Interpreter", tactics: ["execution"] },
      { id: "T1059.001", name: "PowerShell", tactics: ["execution"] },
      { id: "T1003", name: "OS Credential Dumping", tactics: ["credential-access"] },
    ],
  },
};

describe("ATT&CK coverage", () => {
  it("counts a rule for its technique, the parent technique and their tactic", () => {
    const { techniques, tactics } = computeCoverage([{ id: "r1", mitre_techniques: ["T1059.001"] }], readAttack(SMALL));
    expect(techniques.map(({ id, rule_ids }) => [id, rule_ids])).toEqual([
      ["T1059", ["r1"]],
      ["T1059.001", ["r1"]],
      ["T1003", []],
    ]);
    expect(tactics.map(({ id, techniques: all, covered }) => [id, all, covered])).toEqual([
      ["TA0002", 2, 2],
      ["TA0006", 1, 0],
    ]);
  });

  it("lists ids that no matrix contains separately, with the rules that name them", () => {
    const rules = [
      { id: "r1", mitre_techniques: ["T9999", "T1003"] },
      { id: "r2", mitre_techniques: ["T9999", "T1059.777"] },
    ];
    expect(computeCoverage(rules, readAttack(SMALL)).unknown).toEqual([
      { id: "T1059.777", rule_ids: ["r2"] },
      { id: "T9999", rule_ids: ["r1", "r2"] },
    ]);
  });

  it.each([
    [[], "attack: must be an object"],
    [{}, "attack: must contain a matrix"],
    [{ m: { tactics: {}, techniques: [] } }, "m.tactics: must be a list"],
    [{ m: { tactics: [{ id: "TA1", name: "x", shortname: "x" }], techniques: [] } }, /^m\.tactics\[0\]\.id: must be/],
    [
      { m: { tactics: [], techniques: [{ id: "T1059", name: "x", tactics: ["execution"] }] } },
      "m.techniques[0].tactics: 'execution' is not a tactic of this matrix",
    ],
  ])("refuses %j and names the position", (document, why) => {
    expect(() => readAttack(document)).toThrow(why);
  });

  it("ships version 18 with its names", () => {
    const shipped = readShippedAttack();
    const published = readAttack(buildAttackDocument());
    const toIds = (matrices: typeof shipped) =>
      matrices.map(({ name, tactics, techniques }) => ({
        name,
        tactics: tactics.map(({ id, shortname }) => `${id} ${shortname}`).toSorted(),
        techniques: techniques.map((each) => `${each.id} ${each.tactics.toSorted().join(" ")}`).toSorted(),
      }));
    expect(toIds(shipped)).toEqual(toIds(published));
    const names = new Map(shipped.flatMap(({ techniques }) => techniques.map(({ id, name }) => [id, name])));
    // The names on attack.mitre.org.
    expect(["T1059.001", "T1003", "T1218.011"].map((id) => names.get(id))).toEqual([
      "PowerShell",
      "OS Credential Dumping",
      "Rundll32",
    ]);
  });

  it("distinguishes rules that ran from waiting rules and from rules with a silent source", () => {
    const activity = new Map([
      ["ran", { hasRun: true, isSilent: true, alerts_30d: 2 }],
      ["silent", { hasRun: false, isSilent: true, alerts_30d: 0 }],
      ["new", { hasRun: false, isSilent: false, alerts_30d: 1 }],
    ]);
    expect(summarize(["ran", "new"], activity)).toEqual({ state: "ran", ran_count: 1, alerts_30d: 3 });
    expect(summarize(["silent", "new"], activity)).toMatchObject({ state: "silent", ran_count: 0 });
    expect(summarize(["new", "unknown"], activity)).toMatchObject({ state: "waiting" });
    expect(summarize([], activity)).toEqual({ state: "none", ran_count: 0, alerts_30d: 0 });
  });

  it("parses all tactics and techniques of version 18", () => {
    const matrices = readAttack(buildAttackDocument());
    // Counted in the published data: 14 tactics and 691 techniques for Enterprise, 12 and 83 for ICS.
    expect(matrices.map(({ name, tactics, techniques }) => [name, tactics.length, techniques.length])).toEqual([
      ["enterprise-attack", 14, 691],
      ["ics-attack", 12, 83],
    ]);
    const { tactics, unknown } = computeCoverage([{ id: "r1", mitre_techniques: ["T1003.001"] }], matrices);
    expect(tactics.filter(({ covered }) => covered > 0).map(({ id, covered }) => [id, covered])).toEqual([
      ["TA0006", 2],
    ]);
    expect(unknown).toEqual([]);
  });
});
