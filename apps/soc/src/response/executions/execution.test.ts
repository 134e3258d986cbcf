import { describe, expect, it } from "vitest";
import type { Step } from "../playbooks/playbook.ts";
import { completedCount, keyOf, nextMove, retryAfterMs, type StepRow } from "./execution.ts";
import { parseWhen } from "./step-condition.ts";
import { fill, placeholdersIn, type Scope } from "./step-template.ts";

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
  error: status === "failed" ? "it broke" : null,
  started_at: new Date(0),
  finished_at: null,
});
const back = { action: "edr.unisolate", params: {} } as const;

describe("what comes next", () => {
  const steps = [step("a"), step("b"), step("c")];

  it.each([
    ["the first, when nothing was begun", [], "begin a"],
    ["the next, when one is completed", [row("a", "completed")], "begin b"],
    ["the next, when one was skipped", [row("a", "skipped")], "begin b"],
    ["the same, when it was cut off", [row("a", "completed"), row("b", "running")], "resume b"],
    ["the same, when it is to be tried again", [row("a", "retrying")], "resume a"],
    ["the end, when one failed", [row("a", "failed")], "finish failed"],
    ["the end, when somebody rejected", [row("a", "completed"), row("b", "rejected")], "finish rejected"],
    ["the end, when nobody decided", [row("a", "timeout")], "finish timeout"],
    ["the end, when all are over", steps.map(({ id }) => row(id, "completed")), "finish completed"],
  ])("is %s", (_, rows, expected) => {
    const move = nextMove(steps, rows);
    expect(`${move.move} ${move.move === "finish" ? move.status : move.step.id}`).toBe(expected);
  });

  it("takes back what was done, the last first, and what failed outside as well", () => {
    const tried = [
      step("a", { compensate: back }),
      step("b"),
      step("c", { compensate: back, action: "case.task" }),
      step("d", { compensate: back, on_error: "compensate" }),
    ];
    const rows = [row("a", "completed"), row("b", "completed"), row("c", "completed"), row("d", "failed")];
    const taken: string[] = [];
    for (;;) {
      const move = nextMove(tried, rows);
      if (move.move === "finish") {
        expect(move).toEqual({ move: "finish", status: "compensated", error: "step 'd': it broke" });
        break;
      }
      expect(move.part).toBe("compensation");
      taken.push(move.step.id);
      rows.push(row(move.step.id, "completed", "compensation"));
    }
    expect(taken).toEqual(["d", "c", "a"]);
  });

  it("has failed when something could not be taken back", () => {
    const tried = [step("a", { compensate: back }), step("b", { on_error: "compensate", action: "case.task" })];
    const rows = [row("a", "completed"), row("b", "failed"), row("a", "failed", "compensation")];
    expect(nextMove(tried, rows)).toEqual({
      move: "finish",
      status: "failed",
      error: "step 'b': it broke; step 'a' not taken back: it broke",
    });
  });

  it("counts what is over, and names keys that never change", () => {
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

describe("templates", () => {
  it("are filled in one pass, and a lone placeholder keeps its kind", () => {
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

  it("tells which places they name", () => {
    expect(placeholdersIn({ a: ["x {alert.host}"], b: "{steps.s.t}", c: "{nothing}" })).toEqual([
      "alert.host",
      "steps.s.t",
    ]);
  });
});

describe("conditions", () => {
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
  ])("%s is %s", (when, expected) => {
    expect(parseWhen(when).holds(SCOPE)).toBe(expected);
  });
});
