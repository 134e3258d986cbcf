import type { TECHNIQUE_STATES } from "./attack.schema.ts";
import type { Matrix, Tactic, Technique } from "./attack.ts";

export interface CoveringRule {
  id: string;
  mitre_techniques: readonly string[];
  /** The only source that the rule reads; null or empty means all of them. */
  source?: string | null;
}

/** When a source last sent, and since when it has been silent. */
export interface SeenSource {
  source: string;
  last_seen: Date;
  silent_since: Date | null;
}

export interface TechniqueCoverage extends Technique {
  /** The rules that name this technique or one of its sub-techniques. */
  rule_ids: string[];
}

export interface TacticCoverage extends Tactic {
  matrix: string;
  techniques: number;
  covered: number;
}

export interface Coverage {
  techniques: TechniqueCoverage[];
  tactics: TacticCoverage[];
  /** Ids that no matrix contains: revoked, newer than the data, or misspelled. */
  unknown: { id: string; rule_ids: string[] }[];
}

/** The sources that rules read, with the number of these rules. */
export function countRulesBySource(rules: readonly CoveringRule[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { source } of rules) if (source) counts.set(source, (counts.get(source) ?? 0) + 1);
  return counts;
}

/** The activity of a rule. */
export interface RuleActivity {
  hasRun: boolean;
  isSilent: boolean;
  alerts_30d: number;
}

/** Combines the activity of the rules of a technique. */
export function summarize(rule_ids: readonly string[], activity: ReadonlyMap<string, RuleActivity>) {
  const known = rule_ids.flatMap((id) => activity.get(id) ?? []);
  const ran_count = known.filter(({ hasRun }) => hasRun).length;
  const alerts_30d = known.reduce((sum, each) => sum + each.alerts_30d, 0);
  return { state: toState(rule_ids.length, ran_count, known), ran_count, alerts_30d };
}

function toState(rules: number, ran: number, known: readonly RuleActivity[]): (typeof TECHNIQUE_STATES)[number] {
  if (rules === 0) return "none";
  if (ran > 0) return "ran";
  return known.some(({ isSilent }) => isSilent) ? "silent" : "waiting";
}

/**
 * Computes which techniques and tactics the rules detect. A rule for a sub-technique also counts for its parent
 * technique.
 */
export function computeCoverage(rules: readonly CoveringRule[], matrices: readonly Matrix[]): Coverage {
  const rulesPerTechnique = rulesByTechnique(rules);
  const techniques = new Map<string, TechniqueCoverage>();
  for (const technique of matrices.flatMap((matrix) => matrix.techniques)) {
    const known = techniques.get(technique.id);
    const tactics = [...new Set([...(known?.tactics ?? []), ...technique.tactics])];
    techniques.set(technique.id, { ...technique, tactics, rule_ids: [...(rulesPerTechnique.get(technique.id) ?? [])] });
  }
  const named = new Set(rules.flatMap(({ mitre_techniques }) => mitre_techniques));
  return {
    techniques: [...techniques.values()],
    tactics: matrices.flatMap((matrix) => coverTactics(matrix, rulesPerTechnique)),
    unknown: [...named]
      .filter((id) => !techniques.has(id))
      .toSorted()
      .map((id) => ({ id, rule_ids: [...(rulesPerTechnique.get(id) ?? [])] })),
  };
}

function rulesByTechnique(rules: readonly CoveringRule[]): Map<string, Set<string>> {
  const rulesPerTechnique = new Map<string, Set<string>>();
  for (const { id, mitre_techniques } of rules) {
    for (const technique of mitre_techniques.flatMap(withParent)) {
      rulesPerTechnique.set(technique, (rulesPerTechnique.get(technique) ?? new Set()).add(id));
    }
  }
  return rulesPerTechnique;
}

function withParent(id: string): string[] {
  const [parent = id] = id.split(".");
  return parent === id ? [id] : [id, parent];
}

function coverTactics(matrix: Matrix, rulesPerTechnique: ReadonlyMap<string, ReadonlySet<string>>): TacticCoverage[] {
  return matrix.tactics.map((tactic) => {
    const own = matrix.techniques.filter(({ tactics }) => tactics.includes(tactic.shortname));
    const covered = own.filter(({ id }) => rulesPerTechnique.has(id)).length;
    return { ...tactic, matrix: matrix.name, techniques: own.length, covered };
  });
}
