import { describe, expect, it } from "vitest";
import { computeRisk, type RiskFact } from "./risk.ts";

const NOW = new Date("2026-06-30T12:00:00Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 24 * 60 * 60_000);
const fact = (changed: Partial<RiskFact> = {}): RiskFact => ({
  title: "Beacon",
  severity: "critical",
  status: "new",
  verdict: null,
  last_seen: NOW,
  ...changed,
});

describe("entity risk", () => {
  it.each<[string, RiskFact[], number, string]>([
    ["nothing", [], 0, "none"],
    ["a false positive", [fact({ status: "false_positive", verdict: "false_positive" })], 0, "none"],
    // 100 × (1 − e^(−40/60)) = 48.66
    ["a critical alert", [fact()], 49, "medium"],
    // 40 points are 20 after a week: 100 × (1 − e^(−20/60)) = 28.35
    ["a critical alert of a week ago", [fact({ last_seen: daysAgo(7) })], 28, "low"],
    ["a resolved critical alert", [fact({ status: "resolved" })], 28, "low"],
    ["a resolved true positive", [fact({ status: "resolved", verdict: "true_positive" })], 49, "medium"],
    // 80 points: 73.64
    ["two critical alerts", [fact(), fact()], 74, "high"],
    ["four critical alerts", [fact(), fact(), fact(), fact()], 93, "critical"],
  ])("computes the risk of %s", (_, facts, score, level) => {
    expect(computeRisk(facts, NOW)).toMatchObject({ score, level });
  });

  it("names the contributing alerts and sums up those beyond ten", () => {
    const facts = Array.from({ length: 13 }, (_, at) => fact({ title: `Alert ${at}`, last_seen: daysAgo(at) }));
    const { reasons } = computeRisk(facts, NOW);
    expect(reasons).toHaveLength(11);
    expect(reasons[0]).toEqual({ name: "Alert 0", points: 40, at: NOW, decayed: 40 });
    expect(reasons[7]).toMatchObject({ name: "Alert 7", points: 40, decayed: 20 });
    expect(reasons[10]).toMatchObject({ name: "3 other alerts", points: 120, at: daysAgo(10) });
  });
});
