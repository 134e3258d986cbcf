import { SIGNALS, type Signal, type SignalValues } from "./signals.ts";
import { BIAS, WEIGHTS } from "./weights.ts";

export const VERDICTS = ["malicious", "benign", "inconclusive"] as const;
export type InvestigationVerdict = (typeof VERDICTS)[number];

/** The contribution of one signal to the log-odds. */
export interface Contribution {
  signal: Signal;
  value: number;
  /** Positive: towards malicious. */
  log_odds: number;
  words: string;
}

export interface Judgement {
  verdict: InvestigationVerdict;
  /**
   * The probability that the verdict is right; for an inconclusive verdict, the probability of its more likely side.
   */
  confidence: number;
  /** The probability that the alert is part of an attack. */
  probability: number;
  log_odds: number;
  /** Largest first, without signals that contributed nothing. */
  contributions: Contribution[];
  /** Whether facts support a verdict; without them it is inconclusive. */
  has_evidence: boolean;
}

/** From this probability an alert is malicious; at or below its complement it is benign. */
const MALICIOUS_FROM = 0.8;
const BENIGN_UP_TO = 0.2;

/** The confidence of a verdict that no fact supports: either side is possible. */
const NO_CONFIDENCE = 0.5;

/**
 * Adds up the signals. Only these values and the number of facts, which are statements that cited events support,
 * determine the result. Without a number of facts, a verdict needs no evidence.
 */
export function judge(values: SignalValues, facts: number | undefined): Judgement {
  const all = SIGNALS.map((signal): Contribution => {
    const { weight, words } = WEIGHTS[signal];
    return { signal, value: values[signal], log_odds: weight * values[signal], words };
  });
  const log_odds = all.reduce((sum, each) => sum + each.log_odds, BIAS);
  const probability = 1 / (1 + Math.exp(-log_odds));
  const contributions = all
    .filter((each) => each.log_odds !== 0)
    .toSorted((a, b) => Math.abs(b.log_odds) - Math.abs(a.log_odds));
  const verdict = verdictAt(probability);
  const has_evidence = facts === undefined || hasEvidence(verdict, contributions, facts);
  return {
    verdict: has_evidence ? verdict : "inconclusive",
    confidence: has_evidence ? Math.max(probability, 1 - probability) : NO_CONFIDENCE,
    probability,
    log_odds,
    contributions,
    has_evidence,
  };
}

/** The severity is what the rule expects, not evidence. A verdict needs a fact, and another signal on its side. */
function hasEvidence(verdict: InvestigationVerdict, contributions: readonly Contribution[], facts: number): boolean {
  const others = contributions.filter(({ signal }) => signal !== "severity");
  if (facts === 0) return false;
  if (verdict === "inconclusive") return others.length > 0;
  return others.some(({ log_odds }) => log_odds > 0 === (verdict === "malicious"));
}

export function verdictAt(probability: number): InvestigationVerdict {
  if (probability >= MALICIOUS_FROM) return "malicious";
  return probability <= BENIGN_UP_TO ? "benign" : "inconclusive";
}
