import type { Alert } from "../alerts/alert.ts";
import type { Severity } from "../alerts/alerts.schema.ts";
import type { Risk } from "./entities.schema.ts";

/** What an alert contributes to the risk of its entities. */
export type RiskFact = Pick<Alert, "title" | "severity" | "status" | "verdict" | "last_seen">;

const POINTS: Readonly<Record<Severity, number>> = { critical: 40, high: 20, medium: 8, low: 3, info: 1 };
const HALF_LIFE_DAYS = 7;
/** This many points give a score of 63 (1 − 1/e of 100). */
const SCALE = 60;
const MAX_REASONS = 10;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Returns the points of an alert when it was last seen. A false positive has none; a finished alert that was not
 * confirmed has half.
 */
export function countPoints({ severity, status, verdict }: Pick<RiskFact, "severity" | "status" | "verdict">): number {
  if (status === "false_positive" || verdict === "false_positive") return 0;
  const isFinished = status === "resolved" || status === "closed";
  return POINTS[severity] * (isFinished && verdict !== "true_positive" ? 0.5 : 1);
}

/** Returns the remaining points after whole days: they halve every week. */
export function decay(points: number, days: number): number {
  return points * 0.5 ** (Math.max(0, days) / HALF_LIFE_DAYS);
}

/** Uses whole days, so that it equals the risk in a list, which counts by days. */
export function countDays(at: Date, now: Date): number {
  return Math.floor((now.getTime() - at.getTime()) / DAY_MS);
}

/** More points never lower the score, and the score never exceeds 100. */
export function toScore(points: number): Pick<Risk, "score" | "level"> {
  const score = Math.round(100 * (1 - Math.exp(-points / SCALE)));
  return { score, level: toLevel(score) };
}

function toLevel(score: number): Risk["level"] {
  if (score >= 80) return "critical";
  if (score >= 60) return "high";
  if (score >= 30) return "medium";
  return score > 0 ? "low" : "none";
}

/** Computes the risk of an entity: each alert adds its points, halved every week. */
export function computeRisk(facts: readonly RiskFact[], now: Date): Risk {
  const reasons = facts
    .map((fact) => {
      const points = countPoints(fact);
      return { name: fact.title, points, at: fact.last_seen, decayed: decay(points, countDays(fact.last_seen, now)) };
    })
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.decayed - a.decayed || b.at.getTime() - a.at.getTime());
  const sum = reasons.reduce((total, { decayed }) => total + decayed, 0);
  const others = reasons.slice(MAX_REASONS);
  const shown = reasons.slice(0, MAX_REASONS);
  const [newest] = others.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  if (newest) {
    const add = (field: "points" | "decayed") => others.reduce((total, reason) => total + reason[field], 0);
    shown.push({
      name: `${others.length} other alerts`,
      points: add("points"),
      at: newest.at,
      decayed: add("decayed"),
    });
  }
  return { ...toScore(sum), reasons: shown.map((reason) => ({ ...reason, decayed: round(reason.decayed) })) };
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
