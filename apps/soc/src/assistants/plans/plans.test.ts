import { describe, expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import {
  buildSubject,
  createMemoryTools,
  listPermissions,
  makeCall,
  runPlan,
} from "../../../testing/situations/memory-tools.ts";
import { SAMPLE_LOGS } from "../../../testing/situations/sample-intrusion.ts";
import { findMisfits } from "../../response/playbooks/schema-check.ts";
import { CATALOG } from "../agents/catalog.ts";
import { checkFindings } from "../investigations/checker.ts";
import type { Tool } from "../tools/tool.ts";
import { JUDGED_PLANS, PLANS } from "./plans.ts";
import { type JudgedSubject, MAX_CALLS, type PlannedCall, type Subject } from "./step.ts";

const CASE_ID = "018f0000-0000-7000-8000-00000000000c";
const TOOLS = createMemoryTools({ logs: [] });

/** An event that triggers every agent. */
const EVERYTHING = sampleLog({
  id: "log-1",
  source: "email-gateway",
  host: "gw-1",
  user: "CORP\\ada",
  process: "C:\\Users\\ada\\x.exe",
  src_ip: "192.0.2.1",
  dst_ip: "203.0.113.9",
  action: "attestation",
  attributes: {
    CommandLine: "x.exe -a",
    Hashes: `SHA256=${"ab".repeat(32)},MD5=${"cd".repeat(16)}`,
    mail: { from: "a@evil.example" },
    url: { domain: "evil.example" },
    eventSource: "iam.amazonaws.com",
    device_id: "gw-1",
    verdict: "untrusted",
    measurement: "ef".repeat(32),
  },
});
const SUBJECT = buildSubject([EVERYTHING], { iocs: ["evil.example"], mitre_techniques: ["T1486"] });

function judge(subject: Subject, given: Partial<JudgedSubject> = {}): JudgedSubject {
  return { ...subject, judgement: { verdict: "malicious", confidence: 0.93 }, case_id: CASE_ID, ...given };
}

function findTool({ tool }: PlannedCall): Tool {
  const found = TOOLS.get(tool);
  if (!found) throw new Error(`there is no tool ${tool}`);
  return found;
}

function planAll(subject: Subject): { agent: string; calls: readonly PlannedCall[] }[] {
  const withCase = judge(subject);
  return [
    ...PLANS.map((plan) => ({ agent: plan.agent, calls: plan.calls(subject) })),
    ...JUDGED_PLANS.map((plan) => ({ agent: plan.agent, calls: plan.calls(withCase) })),
    ...JUDGED_PLANS.map((plan) => ({ agent: plan.agent, calls: plan.calls({ ...withCase, case_id: undefined }) })),
  ];
}

function expectFit(subject: Subject): void {
  for (const { agent, calls } of planAll(subject)) {
    expect(calls.length).toBeLessThanOrEqual(MAX_CALLS);
    for (const call of calls) {
      const tool = findTool(call);
      expect(listPermissions(agent), `${agent} ${call.tool}`).toContain(tool.permission);
      expect(findMisfits(tool.input, call.input), `${agent} ${JSON.stringify(call)}`).toEqual([]);
    }
  }
}

describe("agent plans", () => {
  it("exist for each agent except the supervisor, which calls no tool", () => {
    const planned = [...PLANS, ...JUDGED_PLANS].map(({ agent }) => agent).toSorted();
    const others = CATALOG.filter(({ type }) => type !== "supervisor").map(({ id }) => id);
    expect(planned).toEqual(others);
  });

  it("contain only calls that match the tools and the permissions of the agent", () => {
    const empty = planAll(SUBJECT).filter(({ calls }) => calls.length === 0);
    // Without a case there is nothing to respond to or report.
    expect(empty.map(({ agent }) => agent)).toEqual(["agent-014", "agent-015"]);
    expectFit(SUBJECT);
    expectFit(buildSubject(SAMPLE_LOGS));
  });

  it("change nothing before the verdict and never request an approval", () => {
    const calls = PLANS.flatMap((plan) => plan.calls(SUBJECT));
    expect(calls.filter((call) => findTool(call).changes)).toEqual([]);
    const judged = JUDGED_PLANS.flatMap((plan) => plan.calls(judge(SUBJECT)));
    expect(judged.map(({ tool }) => tool)).toEqual(["update_case", "execute_playbook", "generate_report"]);
  });

  it("respect the limit of calls for an alert with many events", () => {
    const many = Array.from({ length: 100 }, (_, at) => ({
      ...EVERYTHING,
      ...{ id: `log-${at}`, host: `h${at}`, user: `u${at}`, process: `p${at}.exe`, source: `cloud-audit${at}` },
      ...{ src_ip: `192.0.2.${at}`, dst_ip: `203.0.113.${at}` },
      attributes: {
        ...EVERYTHING.attributes,
        mail: { from: `a@d${at}.example` },
        measurement: `m${at}`,
        CommandLine: `${at}`,
      },
    }));
    expectFit(buildSubject(many));
    const counts = planAll(buildSubject(many)).map(({ calls }) => calls.length);
    expect(Math.max(...counts)).toBe(MAX_CALLS);
  });

  it("search an hour before and after, or only further back", () => {
    const inputs = PLANS.flatMap((plan) => plan.calls(SUBJECT)).map(({ input }) => input);
    const windows = inputs.filter(({ to }) => to !== undefined);
    expect(new Set(windows.map(({ to }) => to))).toEqual(
      new Set(["2026-11-15T10:00:00.001Z", "2026-11-15T08:00:00.000Z"]),
    );
    expect(windows.every(({ from }) => String(from) <= "2026-11-15T08:00:00.000Z")).toBe(true);
  });

  it("search around the times that an alert without events names", () => {
    const at = new Date("2026-11-14T12:00:00.000Z");
    const subject = buildSubject([], { host: "ws5", user: "ada", event_first_at: at, event_last_at: at });
    const [call] = PLANS.find(({ agent }) => agent === "agent-010")?.calls(subject) ?? [];
    expect(call?.input).toMatchObject({ from: "2026-11-14T11:00:00.000Z", to: "2026-11-14T13:00:00.001Z" });
    expectFit(subject);
  });

  it("contain no calls for an alert that names nothing", () => {
    const subject = buildSubject([sampleLog({ id: "log-1" })]);
    expect(PLANS.filter((plan) => plan.isTriggered(subject) || plan.calls(subject).length > 0)).toEqual([]);
  });
});

describe("plans for the same alert", () => {
  const moved = SAMPLE_LOGS.map((log) => ({ ...log, id: `x-${log.id}` }));
  const restore = (id: string) => id.replace(/^x-/, "");

  it("contain the same calls with another order and other ids of events", () => {
    expect(planAll(buildSubject(moved.toReversed()))).toEqual(planAll(buildSubject(SAMPLE_LOGS)));
    expect(planAll(SUBJECT)).toEqual(planAll(SUBJECT));
  });

  it("contain the same findings with another order and other ids of events", async () => {
    const [before, after] = [createMemoryTools({ logs: SAMPLE_LOGS }), createMemoryTools({ logs: moved.toReversed() })];
    for (const plan of PLANS) {
      const { findings } = await runPlan(plan, buildSubject(SAMPLE_LOGS), before);
      const { findings: again } = await runPlan(plan, buildSubject(moved.toReversed()), after);
      const renamed = again.map(({ statement, evidence_ids }) => [statement, evidence_ids.map(restore).toSorted()]);
      expect(renamed).toEqual(findings.map(({ statement, evidence_ids }) => [statement, evidence_ids.toSorted()]));
    }
  });
});

describe("conclusions of plans", () => {
  const tools = createMemoryTools({ logs: SAMPLE_LOGS });
  const reader = { find: async (ids: readonly string[]) => SAMPLE_LOGS.filter(({ id }) => ids.includes(id)) };
  const subject = buildSubject(SAMPLE_LOGS);

  it("cite events that contain the claims", async () => {
    const findings = (await Promise.all(PLANS.map((plan) => runPlan(plan, subject, tools)))).flatMap(
      (run) => run.findings,
    );
    expect(findings.length).toBeGreaterThan(5);
    const checked = await checkFindings(reader, findings, { titles: [], techniques: [] });
    expect(checked.filter(({ is_supported }) => !is_supported)).toEqual([]);
  });

  it.each(["unavailable", "timeout", "forbidden", "invalid_input"] as const)("are empty after %s", (error_code) => {
    for (const plan of PLANS) {
      const answer = { status: "error", error_code, error: "no" };
      expect(
        plan.conclude(
          subject,
          plan.calls(subject).map((call) => ({ ...call, answer })),
        ),
      ).toEqual([]);
    }
    for (const plan of JUDGED_PLANS) {
      const answer = { status: "error", error_code, error: "no" };
      const judged = judge(SUBJECT);
      expect(
        plan.conclude(
          judged,
          plan.calls(judged).map((call) => ({ ...call, answer })),
        ),
      ).toEqual([]);
    }
  });

  it("are empty without answers, with empty answers, and with answers of another shape", async () => {
    const nothing = createMemoryTools({ logs: [] });
    for (const plan of PLANS) {
      expect(plan.conclude(subject, [])).toEqual([]);
      expect((await runPlan(plan, subject, nothing)).findings).toEqual([]);
      const odd = { status: "completed", error_code: null, error: null, logs: [{}], total: "many", hosts: 3 };
      expect(
        plan.conclude(
          subject,
          plan.calls(subject).map((call) => ({ ...call, answer: odd })),
        ),
      ).toEqual([]);
    }
  });

  it("are empty for an answer with an error, whatever else it contains", async () => {
    for (const plan of PLANS) {
      const { made } = await runPlan(plan, subject, tools);
      const failed = made.map((call) => ({ ...call, answer: { ...call.answer, error_code: "timeout" as const } }));
      expect(plan.conclude(subject, failed)).toEqual([]);
    }
  });

  it("use only the answers to the plan's own calls", async () => {
    for (const plan of PLANS) {
      const made = await Promise.all(plan.calls(subject).map((call) => makeCall(tools, call)));
      const foreign = made.map((call) => ({ ...call, input: { ...call.input, from: "2020-01-01T00:00:00.000Z" } }));
      expect(
        plan.conclude(
          subject,
          foreign.filter(({ tool }) => tool !== "lookup_ioc"),
        ),
      ).toEqual([]);
    }
  });
});
