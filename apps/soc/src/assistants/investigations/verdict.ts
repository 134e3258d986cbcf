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
}

/** From this probability an alert is malicious; at or below its complement it is benign. */
const MALICIOUS_FROM = 0.8;
const BENIGN_UP_TO = 0.2;

/** Adds up the signals. Only these values determine the result. */
export function judge(values: SignalValues): Judgement {
  const all = SIGNALS.map((signal): Contribution => {
    const { weight, words } = WEIGHTS[signal];
    return { signal, value: values[signal], log_odds: weight * values[signal], words };
  });
  const log_odds = all.reduce((sum, each) => sum + each.log_odds, BIAS);
  const probability = 1 / (1 + Math.exp(-log_odds));
  const verdict = verdictAt(probability);
  return {
    verdict,
    confidence: verdict === "benign" ? 1 - probability : Math.max(probability, 1 - probability),
    probability,
    log_odds,
    contributions: all
      .filter((each) => each.log_odds !== 0)
      .toSorted((a, b) => Math.abs(b.log_odds) - Math.abs(a.log_odds)),
  };
}

export function verdictAt(probability: number): InvestigationVerdict {
  if (probability >= MALICIOUS_FROM) return "malicious";
  return probability <= BENIGN_UP_TO ? "benign" : "inconclusive";
}
