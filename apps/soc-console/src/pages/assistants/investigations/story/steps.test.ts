import { expect, it } from "vitest";
import { listCalls, measureRun, orderSteps } from "./steps.ts";

const step = (agent_id: string, sequence: number, at: string, kind: "tool" | "seed" | "clock" = "tool") => ({
  ...{ agent_id, sequence, at, kind, name: "search_logs", arguments: "null", result: "{}" },
  ...{ is_cut: false, error_code: null },
});
const AGENTS = [
  { agent_id: "agent-008", name: "IdentityAgent", run_id: null, status: "completed" as const, calls: [] },
];

it("merges the steps of all agents by time", () => {
  const ordered = orderSteps(
    [
      step("agent-008", 1, "2026-11-18T01:00:02.000Z"),
      step("agent-016", 1, "2026-11-18T01:00:01.000Z"),
      step("agent-008", 2, "2026-11-18T01:00:02.000Z"),
    ],
    { agents: [...AGENTS], started_at: "2026-11-18T01:00:00.500Z" },
  );
  expect(ordered.map(({ agent, sequence, offsetMs }) => [agent, sequence, offsetMs])).toEqual([
    ["agent-016", 1, 500],
    ["IdentityAgent", 1, 1500],
    ["IdentityAgent", 2, 1500],
  ]);
});

it("counts only calls that query external data", () => {
  expect(listCalls([step("a", 1, "t"), step("a", 2, "t", "seed"), step("a", 3, "t", "clock")])).toHaveLength(1);
});

it("measures a run to its end, or until now", () => {
  const now = new Date("2026-11-18T01:00:10Z");
  const started_at = "2026-11-18T01:00:04Z";
  expect(measureRun({ started_at, ended_at: null }, now)).toBe(6000);
  expect(measureRun({ started_at, ended_at: "2026-11-18T01:00:05Z" }, now)).toBe(1000);
  expect(measureRun({ started_at: null, ended_at: null }, now)).toBe(0);
});
