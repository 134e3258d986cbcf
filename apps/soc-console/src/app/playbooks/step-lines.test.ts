import { describe, expect, it } from "vitest";
import type { PlaybookStep, RunStep } from "./playbooks-client.ts";
import { buildRunLines, buildStepLines, findWithdrawal, stepDuration } from "./step-lines.ts";

const step = (id: string, action: string, undo?: string): PlaybookStep => ({
  id,
  name: id,
  action,
  params: {},
  when: null,
  timeout_s: 60,
  retries: 2,
  on_error: "compensate",
  compensate: undo === undefined ? null : { action: undo, params: {} },
});

const ran = (step_id: string, status: RunStep["status"], part: RunStep["part"] = "step"): RunStep => ({
  step_id,
  part,
  name: step_id,
  action: part === "step" ? step_id : `undo ${step_id}`,
  status,
  attempt: 1,
  approval_id: null,
  result: null,
  error: null,
  started_at: "2026-11-18T10:00:00Z",
  finished_at: null,
});

const STEPS = [
  step("a", "siem.search"),
  step("b", "edr.isolate", "edr.unisolate"),
  step("c", "wait"),
  step("d", "http"),
];
const ACTIONS = new Map([
  ["siem.search", { leaves_platform: false }],
  ["edr.isolate", { leaves_platform: true }],
  ["edr.unisolate", { leaves_platform: true }],
]);

describe("the steps of a playbook", () => {
  it("numbers the steps and marks those that leave the platform, also when undone", () => {
    const lines = buildStepLines(STEPS, ACTIONS);
    expect(lines.map(({ number, isLeaving, isUndoLeaving }) => [number, isLeaving, isUndoLeaving])).toEqual([
      [1, false, false],
      [2, true, true],
      [3, false, false],
      [4, false, false],
    ]);
    expect(lines[1]).toMatchObject({ undo: "edr.unisolate", maxAttempts: 3, run: undefined });
  });

  it("shows the undo path from where a run turned to the first step that it undoes", () => {
    const run = [ran("a", "completed"), ran("b", "completed"), ran("c", "completed"), ran("d", "failed")];
    expect(buildStepLines(STEPS, ACTIONS, run).map(({ back }) => back)).toEqual(["none", "none", "none", "none"]);
    const undone = buildStepLines(STEPS, ACTIONS, [...run, ran("b", "running", "compensation")]);
    expect(undone.map(({ back }) => back)).toEqual(["none", "ends", "passes", "begins"]);
    expect(undone[1]?.undoRun?.status).toBe("running");
  });

  it("shows only started steps when the version of the playbook is unknown", () => {
    const lines = buildRunLines(ACTIONS, [ran("b", "failed"), ran("b", "completed", "compensation")]);
    expect(lines).toMatchObject([{ number: 1, id: "b", undo: "undo b", back: "ends" }]);
  });
});

describe("cancelling a run", () => {
  it("withdraws waiting steps, starts no others, and undoes the last step first", () => {
    const steps = [
      step("a", "x", "undo-x"),
      step("b", "y", "undo-y"),
      step("c", "z"),
      step("d", "wait"),
      step("e", "q"),
    ];
    const run = [ran("a", "completed"), ran("b", "completed"), ran("c", "completed"), ran("d", "waiting")];
    const { notBegun, waiting, undone, stays } = findWithdrawal(buildStepLines(steps, ACTIONS, run));
    expect(notBegun.map(({ id }) => id)).toEqual(["e"]);
    expect(waiting?.id).toBe("d");
    expect(undone.map(({ id }) => id)).toEqual(["b", "a"]);
    expect(stays.map(({ id }) => id)).toEqual(["c"]);
  });
});

describe("the duration of a step", () => {
  const now = new Date("2026-11-18T10:00:12Z");
  it("measures a running step until now", () => {
    expect(stepDuration(ran("a", "running"), now)).toBe(12_000);
    expect(stepDuration({ ...ran("a", "completed"), finished_at: "2026-11-18T10:00:00.400Z" }, now)).toBe(400);
    expect(stepDuration(undefined, now)).toBeUndefined();
  });
});
