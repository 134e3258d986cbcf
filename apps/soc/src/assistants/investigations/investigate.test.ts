import { describe, expect, it } from "vitest";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { SAMPLE_ALERTS, SAMPLE_WORLD } from "../../../testing/situations/sample-intrusion.ts";
import { investigate } from "./investigate.ts";
import { recommendActions } from "./recommendations.ts";

const reader = createMemoryReader(SAMPLE_WORLD);

describe("investigation of an intrusion", () => {
  it("judges the alert malicious and lists the decisive signals", async () => {
    const result = await investigate(reader, SAMPLE_ALERTS.encoded);
    expect(result.verdict).toBe("malicious");
    expect(result.confidence).toBeGreaterThan(0.9);
    expect(result.contributions.map(({ signal }) => signal)).toEqual(
      expect.arrayContaining(["severity", "linked_rules", "script_host", "remote_contact"]),
    );
    expect(result.summary).toMatch(/^"Encoded PowerShell" is malicious, with a confidence of \d+ %\. For an attack: /);
  });

  it("follows parents, children and injections and stops at processes that serve all programs", async () => {
    const { evidence } = await investigate(reader, SAMPLE_ALERTS.encoded);
    expect(evidence.tree.processes.map(({ ref, link }) => [ref.pid, link])).toEqual([
      [4321, "own"],
      [100, "parent"],
      [4400, "child"],
      [700, "injection"],
    ]);
    expect(evidence.linked.map(({ alert, link }) => [alert.title, link])).toEqual([
      ["LSASS Dump", "tree"],
      ["Scheduled Task Created", "host"],
      ["Rare Program", "session"],
    ]);
  });

  it("describes the events in sentences that cite them", async () => {
    const { findings, mitre_techniques } = await investigate(reader, SAMPLE_ALERTS.encoded);
    const said = new Map(findings.map(({ statement, evidence_ids }) => [statement, evidence_ids]));
    expect(said.get('The rule "Encoded PowerShell" (high) matched one event on WS5.corp.example.')).toEqual(["log-2"]);
    expect(said.get("powershell.exe (pid 4321) on WS5.corp.example was started by winword.exe.")).toEqual(["log-2"]);
    expect(said.get("dump.exe (pid 4400) on WS5.corp.example started a thread in notepad.exe.")).toEqual(["log-5"]);
    expect(said.get("powershell.exe on WS5.corp.example has a connection from 10.0.0.5 to 203.0.113.9.")).toEqual([
      "log-3",
    ]);
    expect(said.get('In the same process tree the rule "LSASS Dump" (critical) matched.')).toEqual(["log-4"]);
    expect(mitre_techniques).toEqual(["T1059.001", "T1003.001", "T1055"]);
    expect(findings.filter(({ is_supported }) => !is_supported)).toEqual([]);
  });

  it("recommends actions that name the entities, with isolation only after approval", async () => {
    const { evidence, verdict } = await investigate(reader, SAMPLE_ALERTS.encoded);
    expect(recommendActions(evidence, verdict, false)[0]).toBe("Promote the alert to a case.");
    expect(recommendActions(evidence, verdict, true)).toEqual([
      "Isolate ws5, after approval.",
      "Stop powershell.exe (pid 4321) and collect its file.",
      "Reset the credentials of CORP\\ada and end the sessions.",
      "Review the process tree and the linked alerts on ws5.",
    ]);
  });
});

it("judges the routine work of a service benign", async () => {
  const result = await investigate(reader, SAMPLE_ALERTS.task);
  expect(result.verdict).toBe("benign");
  expect(result.confidence).toBeGreaterThan(0.9);
  expect(recommendActions(result.evidence, result.verdict, false)[0]).toMatch(/^Close the alert as a false positive/);
});

it.each(["info", "medium", "high", "critical"] as const)(
  "is inconclusive for a %s alert whose events do not exist, and recommends no containment",
  async (severity) => {
    const result = await investigate(reader, { ...SAMPLE_ALERTS.dump, severity, log_ids: ["missing"] });
    expect(result.verdict).toBe("inconclusive");
    expect(result.findings).toEqual([]);
    expect(result.summary).toBe('"LSASS Dump" is inconclusive: no evidence beyond the severity of its rule.');
    const actions = recommendActions(result.evidence, result.verdict, false);
    expect(actions.filter((each) => /isolate|stop|reset|promote/i.test(each))).toEqual([]);
  },
);
