import type { Investigation } from "../../src/assistants/investigations/investigate.ts";
import { investigate } from "../../src/assistants/investigations/investigate.ts";
import { SIGNALS, type Signal } from "../../src/assistants/investigations/signals.ts";
import { isSameTechnique, toWholeTechnique } from "../../src/assistants/investigations/techniques.ts";
import { type InvestigationVerdict, verdictAt } from "../../src/assistants/investigations/verdict.ts";
import { WEIGHTS } from "../../src/assistants/investigations/weights.ts";
import type { SigmaRule } from "../../src/detection/sigma/sigma.ts";
import { type Example, type Fit, fitWeights } from "./fit.ts";
import { createMemoryReader } from "./memory-reader.ts";
import type { Expected, Situation } from "./situations.ts";

/** The investigation of one alert of a situation. */
export interface InvestigatedAlert {
  situation: Situation;
  expected: Expected | undefined;
  title: string;
  process: string;
  result: Investigation;
}

/** A probability fitted without the family of the situation. */
export interface JudgedAlert extends InvestigatedAlert {
  probability: number;
  verdict: InvestigationVerdict;
}

export interface Figures {
  situations: number;
  attacks: number;
  background: number;
  auc: number;
  severityAuc: number;
  attackBenign: number;
  backgroundMalicious: number;
  /** The simulations with at least one labelled attack alert, judged by their highest alert. */
  simulations: { count: number; malicious: number; benign: number };
  /** The simulations without a labelled attack alert. */
  others: { count: number; malicious: number; benign: number };
  /** The mean confidence and the share of correct verdicts, by verdict. */
  calibration: { verdict: InvestigationVerdict; count: number; confidence: number; right: number }[];
  /** The simulations with a known technique, and those that name it, exactly or by the parent technique. */
  techniques: { count: number; named: number; exact: number };
  findings: { count: number; supported: number };
}

type SameTechnique = (a: string, b: string) => boolean;

const PENALTY = 0.01;
/** The allowed sign of each fitted weight; a signal without examples is excluded from the fit. */
const SIGNS: Readonly<Record<Signal, 1 | -1>> = {
  ...{ severity: 1, feedback: 1, rule_common: -1, process_common: -1, linked_rules: 1, tactics: 1 },
  ...{ ioc_hits: 1, user_path: 1, device: 1, system_process: -1, script_host: 1, remote_contact: 1 },
};
const FITTED = SIGNALS.filter((signal) => WEIGHTS[signal].origin === "fitted");

/**
 * Investigates every alert. Its history comes from other families: a tool known from the past would make the future too
 * easy.
 */
export async function investigateAll(
  situations: readonly Situation[],
  past: readonly Situation[],
  rules: ReadonlyMap<string, SigmaRule>,
): Promise<InvestigatedAlert[]> {
  const all: InvestigatedAlert[] = [];
  for (const situation of situations) {
    const history = past.filter(({ family }) => family !== situation.family).map(({ day }) => day);
    const alerts = situation.alerts.map(({ alert }) => alert);
    const reader = createMemoryReader({ logs: situation.logs, alerts, history });
    for (const { alert, expected } of situation.alerts) {
      const result = await investigate(reader, alert, rules.get(alert.rule_id ?? "")?.condition);
      all.push({ situation, expected, title: alert.title, process: result.evidence.events[0]?.process ?? "", result });
    }
  }
  return all;
}

export function fitTable(examples: readonly InvestigatedAlert[]): Fit & { signals: readonly Signal[] } {
  const fit = fitWeights(
    examples.flatMap(toExample),
    FITTED.map((signal) => SIGNS[signal]),
    PENALTY,
  );
  return { ...fit, signals: FITTED };
}

function toExample({ expected, result }: InvestigatedAlert): Example[] {
  if (expected === undefined) return [];
  return [{ values: FITTED.map((signal) => result.signals[signal]), isAttack: expected === "malicious" }];
}

/** Judges every alert with weights that were fitted to labelled alerts of other families. */
export function crossValidate(
  all: readonly InvestigatedAlert[],
  training: readonly InvestigatedAlert[],
): JudgedAlert[] {
  const families = [...new Set(all.map(({ situation }) => situation.family))];
  return families.flatMap((family) => {
    const fit = fitTable(training.filter(({ situation }) => situation.family !== family));
    return all.filter(({ situation }) => situation.family === family).map((each) => judgeBy(fit, each));
  });
}

/** Judges every alert with the product's weights. */
export function judgeByProduct(all: readonly InvestigatedAlert[]): JudgedAlert[] {
  return all.map((each) => ({ ...each, probability: each.result.probability, verdict: each.result.verdict }));
}

function judgeBy({ bias, weights, signals }: ReturnType<typeof fitTable>, each: InvestigatedAlert): JudgedAlert {
  const sum = signals.reduce((at, signal, index) => at + (weights[index] ?? 0) * each.result.signals[signal], bias);
  const probability = 1 / (1 + Math.exp(-sum));
  return { ...each, probability, verdict: each.result.has_evidence ? verdictAt(probability) : "inconclusive" };
}

export function measure(judged: readonly JudgedAlert[]): Figures {
  const labelled = judged.filter(({ expected }) => expected !== undefined);
  const attacks = labelled.filter(({ expected }) => expected === "malicious");
  const background = labelled.filter(({ expected }) => expected === "benign");
  const names = [...new Set(judged.map(({ situation }) => situation.name))];
  const simulated = names.map((name) => judged.filter(({ situation }) => situation.name === name));
  const hasAttack = (of: readonly JudgedAlert[]) => of.some(({ expected }) => expected === "malicious");
  const withTechniques = simulated.filter(([first]) => (first?.situation.techniques.length ?? 0) > 0);
  const countNaming = (isSame: SameTechnique) => withTechniques.filter((of) => namesTechnique(of, isSame)).length;
  const findings = judged.flatMap(({ result }) => result.findings);
  return {
    situations: names.length,
    attacks: attacks.length,
    background: background.length,
    auc: areaUnderCurve(labelled.map((each) => [each.probability, each.expected === "malicious"])),
    severityAuc: areaUnderCurve(labelled.map((each) => [each.result.signals.severity, each.expected === "malicious"])),
    attackBenign: shareOf(attacks, ({ verdict }) => verdict === "benign"),
    backgroundMalicious: shareOf(background, ({ verdict }) => verdict === "malicious"),
    simulations: countVerdicts(simulated.filter(hasAttack)),
    others: countVerdicts(simulated.filter((of) => !hasAttack(of))),
    calibration: calibrate(labelled),
    techniques: {
      count: withTechniques.length,
      named: countNaming((a, b) => toWholeTechnique(a) === toWholeTechnique(b)),
      exact: countNaming(isSameTechnique),
    },
    findings: { count: findings.length, supported: findings.filter(({ is_supported }) => is_supported).length },
  };
}

const RANK: Readonly<Record<InvestigationVerdict, number>> = { benign: 0, inconclusive: 1, malicious: 2 };

/** A simulation is judged by its most suspicious alert. */
function countVerdicts(simulations: readonly (readonly JudgedAlert[])[]): {
  count: number;
  malicious: number;
  benign: number;
} {
  const verdicts = simulations.map(
    ([...of]) => of.toSorted((a, b) => RANK[b.verdict] - RANK[a.verdict] || b.probability - a.probability)[0]?.verdict,
  );
  return {
    count: verdicts.length,
    malicious: verdicts.filter((verdict) => verdict === "malicious").length,
    benign: verdicts.filter((verdict) => verdict === "benign").length,
  };
}

/** Whether an investigation that does not call the alert benign names one of the simulated techniques. */
function namesTechnique(of: readonly JudgedAlert[], isSame: SameTechnique): boolean {
  const named = of.filter(({ verdict }) => verdict !== "benign").flatMap(({ result }) => result.mitre_techniques);
  return of[0]?.situation.techniques.some((wanted) => named.some((id) => isSame(wanted, id))) ?? false;
}

function calibrate(labelled: readonly JudgedAlert[]): Figures["calibration"] {
  return (["malicious", "benign", "inconclusive"] as const).map((verdict) => {
    const of = labelled.filter((each) => each.verdict === verdict);
    return {
      verdict,
      count: of.length,
      confidence: computeMean(of.map(({ probability }) => Math.max(probability, 1 - probability))),
      right: shareOf(of, ({ probability, expected }) => probability >= 0.5 === (expected === "malicious")),
    };
  });
}

/** The probability that an attack has a higher score than background; equal scores count half. */
function areaUnderCurve(scored: readonly (readonly [score: number, isAttack: boolean])[]): number {
  const attacks = scored.filter(([, isAttack]) => isAttack);
  const others = scored.filter(([, isAttack]) => !isAttack);
  let wins = 0;
  for (const [score] of attacks) {
    for (const [other] of others) wins += score > other ? 1 : Number(score === other) / 2;
  }
  return wins / (attacks.length * others.length);
}

function shareOf<Item>(items: readonly Item[], isMet: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(isMet).length / items.length;
}

function computeMean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
