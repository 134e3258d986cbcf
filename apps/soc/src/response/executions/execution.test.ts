import { describe, expect, it } from "vitest";
import { responseRegistry } from "../../../testing/harness/response-registry.ts";
import type { Step } from "../playbooks/playbook.ts";
import { parseWhen } from "../playbooks/step-condition.ts";
import { fill, placeholdersIn, type Scope } from "../playbooks/step-template.ts";
import { completedCount, keyOf, nextMove, retryAfterMs, type StepRow } from "./execution.ts";

const actions = responseRegistry();
const step = (id: string, fields: Partial<Step> = {}): Step => ({
  id,
  name: id,
  action: "edr.scan",
  params: {},
  when: null,
  timeout_s: 60,
  retries: 2,
  on_error: "stop",
  compensate: null,
  ...fields,
});
const row = (step_id: string, status: StepRow["status"], part: StepRow["part"] = "step"): StepRow => ({
  execution_id: "e",
  step_id,
  part,
  iteration: 1,
  position: 0,
  action: "edr.scan",
  status,
  key: keyOf("e", step_id, part),
  attempt: 1,
  begun: 1,
  approval_id: null,
  result: null,
  error: status === "failed" ? "it failed" : null,
  started_at: new Date(0),
  finished_at: null,
});
const back = { action: "edr.unisolate", params: {} } as const;

describe("next move of an execution", () => {
  const steps = [step("a"), step("b"), step("c")];

  it.each([
    ["begins the first step when none has begun", [], "begin a"],
    ["begins the next step when one is completed", [row("a", "completed")], "begin b"],
    ["begins the next step when one was skipped", [row("a", "skipped")], "begin b"],
    ["resumes the step that was interrupted", [row("a", "completed"), row("b", "running")], "resume b"],
    ["resumes the step that must be retried", [row("a", "retrying")], "resume a"],
    ["finishes as failed when a step failed", [row("a", "failed")], "finish failed"],
    ["finishes as rejected when a step was rejected", [row("a", "completed"), row("b", "rejected")], "finish rejected"],
    ["finishes as timeout when a step timed out", [row("a", "timeout")], "finish timeout"],
    [
      "finishes as completed when all steps are completed",
      steps.map(({ id }) => row(id, "completed")),
      "finish completed",
    ],
  ])("%s", (_, rows, expected) => {
    const move = nextMove(steps, rows, actions);
    expect(`${move.move} ${move.move === "finish" ? move.status : move.step.id}`).toBe(expected);
  });

  it("compensates completed steps in reverse order, including a failed step with an outside effect", () => {
    const tried = [
      step("a", { compensate: back }),
      step("b"),
      step("c", { compensate: back, action: "case.task" }),
      step("d", { compensate: back, on_error: "compensate" }),
    ];
    const rows = [row("a", "completed"), row("b", "completed"), row("c", "completed"), row("d", "failed")];
    const compensated: string[] = [];
    for (;;) {
      const move = nextMove(tried, rows, actions);
      if (move.move === "finish") {
        expect(move).toEqual({ move: "finish", status: "compensated", error: "step 'd': it failed" });
        break;
      }
      expect(move.part).toBe("compensation");
      compensated.push(move.step.id);
      rows.push(row(move.step.id, "completed", "compensation"));
    }
    expect(compensated).toEqual(["d", "c", "a"]);
  });

  it("finishes as failed when a compensation fails", () => {
    const tried = [step("a", { compensate: back }), step("b", { on_error: "compensate", action: "case.task" })];
    const rows = [row("a", "completed"), row("b", "failed"), row("a", "failed", "compensation")];
    expect(nextMove(tried, rows, actions)).toEqual({
      move: "finish",
      status: "failed",
      error: "step 'b': it failed; step 'a' not compensated: it failed",
    });
  });

  it("has stable step keys, a count of finished steps and growing retry delays", () => {
    expect(completedCount([row("a", "completed"), row("b", "skipped"), row("c", "failed")])).toBe(2);
    expect([keyOf("e", "a", "step"), keyOf("e", "a", "compensation")]).toEqual(["e:a:1", "e:a:1:compensate"]);
    expect([1, 2, 3, 20].map(retryAfterMs)).toEqual([1000, 2000, 4000, 60_000]);
  });
});

const SCOPE: Scope = {
  alert: { host: "WS-1", severity: "high", iocs: ["a", "b"], user: null, title: 'x" OR *' },
  case: {},
  parameters: { hours: 4, nested: { deep: "{alert.host}" } },
  steps: { search: { total: 3, status: "completed", error: null } },
  execution: { id: "e" },
};

describe("step templates", () => {
  it("fill placeholders in one pass and keep the type of a single placeholder", () => {
    const filled = fill(
      {
        text: "{alert.host} and {parameters.nested.deep}, {unknown.x} {alert.user}{}",
        hours: "{parameters.hours}",
        list: ["{alert.iocs}", "c", "{alert.user}"],
        inner: { total: "{steps.search.total}", none: "{steps.other.total}" },
        gone: "{alert.user}",
        proto: "{parameters.__proto__}",
      },
      SCOPE,
    );
    expect(filled).toEqual({
      text: "WS-1 and {alert.host}, {unknown.x} {}",
      hours: 4,
      list: ["a", "b", "c"],
      inner: { total: 3 },
    });
  });

  it("list the placeholders that they contain", () => {
    expect(placeholdersIn({ a: ["x {alert.host}"], b: "{steps.s.t}", c: "{nothing}" })).toEqual([
      "alert.host",
      "steps.s.t",
    ]);
  });
});

describe("step conditions", () => {
  it.each([
    ["alert.severity:high", true],
    ["alert.severity:HIGH", true],
    ["alert.severity:(critical OR low)", false],
    ["steps.search.total:>2", true],
    ["steps.search.total:>3", false],
    ["NOT steps.other.total:>0", true],
    ["alert.user:*", false],
    ["alert.host:ws-* AND parameters.hours:[1 TO 4]", true],
    ["alert.iocs:b", true],
    ["steps.search.status:failed", false],
  ])("evaluates %s to %s", (when, expected) => {
    expect(parseWhen(when).holds(SCOPE)).toBe(expected);
  });
});
