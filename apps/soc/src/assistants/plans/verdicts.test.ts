import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { buildSubject } from "../../../testing/situations/memory-tools.ts";
import type { NewAlert } from "../../alerts/alerts/alert.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { REPORT_PLAN, TRIAGE_PLAN } from "./case-plan.ts";
import { RESPONSE_PLAN } from "./response-plan.ts";
import type { JudgedSubject } from "./step.ts";

const CASE_ID = "018f0000-0000-7000-8000-00000000000c";
const OWN = sampleLog({ id: "log-1", host: "ws5", user: "ada", dst_ip: "203.0.113.9", src_ip: "10.0.0.5" });

function judged(given: Partial<JudgedSubject> = {}, alert: Partial<NewAlert> = {}, event: Partial<LogEvent> = {}) {
  const subject = buildSubject([{ ...OWN, ...event }], { title: "Files are encrypted", severity: "high", ...alert });
  return { ...subject, judgement: { verdict: "malicious", confidence: 0.934 }, case_id: CASE_ID, ...given } as const;
}

const BENIGN = { verdict: "benign", confidence: 0.9 } as const;
const INCONCLUSIVE = { verdict: "inconclusive", confidence: 0.79 } as const;

describe("TriageAgent", () => {
  it("opens a case for a malicious alert without one", () => {
    const subject = judged({ case_id: undefined });
    const description = `The investigation of alert ${subject.alert.id} ended malicious, with a confidence of 93 %.`;
    const input = { title: "Files are encrypted", severity: "high", alert_ids: [subject.alert.id], description };
    expect(TRIAGE_PLAN.calls(subject)).toEqual([{ tool: "create_case", input }]);
  });

  it("opens no case if the operator does not allow it", () => {
    const subject = judged({ case_id: undefined, opens_cases: false });
    expect([TRIAGE_PLAN.isTriggered(subject), TRIAGE_PLAN.calls(subject)]).toEqual([false, []]);
  });

  it.each([BENIGN, INCONCLUSIVE])("opens no case for an alert that is $verdict", (judgement) => {
    const subject = judged({ case_id: undefined, judgement });
    expect([TRIAGE_PLAN.isTriggered(subject), TRIAGE_PLAN.calls(subject)]).toEqual([false, []]);
  });

  it.each([BENIGN, INCONCLUSIVE])("adds to a case that the alert is $verdict", (judgement) => {
    const [call, ...others] = TRIAGE_PLAN.calls(judged({ judgement }));
    expect([call?.tool, others]).toEqual(["update_case", []]);
    expect(call?.input).toEqual({ case_id: CASE_ID, notes: expect.stringContaining(` ended ${judgement.verdict}, `) });
  });
});

describe("ReportAgent", () => {
  it("reports on the case of a malicious alert and on nothing else", () => {
    const input = { report_type: "investigation", case_id: CASE_ID, format: "markdown" };
    expect(REPORT_PLAN.calls(judged())).toEqual([{ tool: "generate_report", input }]);
    for (const other of [{ judgement: BENIGN }, { judgement: INCONCLUSIVE }, { case_id: undefined }]) {
      expect([REPORT_PLAN.isTriggered(judged(other)), REPORT_PLAN.calls(judged(other))]).toEqual([false, []]);
    }
  });
});

const attestation = { source: "cps-attestation", action: "attestation" };
const rejected = { ...attestation, attributes: { verdict: "untrusted", device_id: "gw-1", measurement: "ab" } };
const mail = { source: "email-gateway", attributes: { mail: { from: "a@b.example" }, url: "https://b.example/" } };

/** The techniques and the event, the playbook, and its parameters; without parameters a person must start it. */
const FITTING: [string[], Partial<LogEvent>, string, Record<string, string>?][] = [
  [[], rejected, "firmware-mismatch", { device_id: "gw-1", hash: "ab" }],
  [["T1486"], {}, "ransomware-host", {}],
  [["T1490"], {}, "ransomware-host", {}],
  [["T1048.003"], {}, "data-theft", {}],
  [["T1567.002"], {}, "data-theft", {}],
  [["T1552.001"], {}, "leaked-credential", {}],
  [["T1566.002"], mail, "phishing", { sender: "a@b.example" }],
  [["T1098"], {}, "suspicious-admin", {}],
  [["T1136.001"], {}, "suspicious-admin", {}],
  [["T1110.003"], {}, "brute-force"],
  [["T1071.001"], {}, "malicious-address"],
  [["T1200"], {}, "rogue-device"],
];

describe("ResponseAgent", () => {
  it.each(FITTING)("for %j, %j uses %s", (mitre_techniques, event, playbook_id, parameters) => {
    const subject = judged({}, { mitre_techniques }, event);
    const input = { playbook_id, alert_id: subject.alert.id, parameters, dry_run: false };
    expect(RESPONSE_PLAN.calls(subject)).toEqual(parameters ? [{ tool: "execute_playbook", input }] : []);
    const statements = RESPONSE_PLAN.conclude(subject, []).map(({ statement }) => statement);
    const proposal = expect.stringMatching(`^The playbook ${playbook_id} fits; a person must start it, because `);
    expect(statements).toEqual(parameters ? [] : [proposal]);
  });

  it("names existing playbooks and sets every required input", () => {
    const folder = join(import.meta.dirname, "../../../playbooks");
    expect(new Set(FITTING.map(([, , id]) => `${id}.yaml`))).toEqual(
      new Set(readdirSync(folder).filter((file) => file !== "lost-device.yaml")),
    );
    for (const [, , id, parameters] of FITTING) {
      const [, inputs = ""] = /^inputs:\n([\s\S]*?)^\w/m.exec(readFileSync(join(folder, `${id}.yaml`), "utf8")) ?? [];
      const missing = inputs
        .split(/^ {2}- name: /m)
        .slice(1)
        .filter((each) => !each.includes("from: alert.") && !each.includes("required: false"))
        .map((each) => each.split("\n", 1)[0] ?? "");
      if (parameters) expect([id, missing.filter((name) => !Object.hasOwn(parameters, name))]).toEqual([id, []]);
    }
  });

  it.each([{ judgement: BENIGN }, { judgement: INCONCLUSIVE }, { case_id: undefined }])(
    "does nothing for %j",
    (given) => {
      const subject = judged(given, { mitre_techniques: ["T1486", "T1110"] });
      expect([RESPONSE_PLAN.isTriggered(subject), RESPONSE_PLAN.calls(subject)]).toEqual([false, []]);
      expect(RESPONSE_PLAN.conclude(subject, [])).toEqual([]);
    },
  );

  it("does nothing if no playbook fits, or its host or device is unknown", () => {
    const nameless = judged({}, { mitre_techniques: ["T1486"] }, { host: "" });
    const twoDevices = judged({}, {}, { ...attestation, attributes: { verdict: "untrusted" } });
    for (const subject of [judged(), nameless, twoDevices]) {
      expect([RESPONSE_PLAN.calls(subject), RESPONSE_PLAN.conclude(subject, [])]).toEqual([[], []]);
    }
  });

  it.each([
    [{ status: "pending_approval", error_code: "approval_required", error: "wait" }, ["waits for a person's approval"]],
    [{ status: "queued", error_code: null, error: null }, ["was started"]],
    [{ status: "queued", error_code: null, error: null, dry_run: true }, []],
    [{ status: "error", error_code: "conflict", error: "disabled" }, []],
  ] as const)("explains %j", (answer, expected) => {
    const subject = judged({}, { mitre_techniques: ["T1486"] });
    const made = RESPONSE_PLAN.calls(subject).map((call) => ({ ...call, answer }));
    const findings = RESPONSE_PLAN.conclude(subject, made);
    expect(findings.map(({ statement }) => statement)).toEqual(
      expected.map((words) => `The playbook ransomware-host ${words}.`),
    );
    expect(findings.every(({ evidence_ids }) => evidence_ids.length > 0)).toBe(true);
  });
});
