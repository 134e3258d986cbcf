import { SIGNALS, type Signal, type SignalValues } from "./signals.ts";
import { BIAS, WEIGHTS } from "./weights.ts";

export const VERDICTS = ["malicious", "benign", "inconclusive"] as const;
export type InvestigationVerdict = (typeof VERDICTS)[number];

/** What one signal added to the log-odds. */
export interface Contribution {
  signal: Signal;
  value: number;
  /** Positive: towards malicious. */
  log_odds: number;
  words: string;
}

export interface Judgement {
  verdict: InvestigationVerdict;
  /** The probability that the verdict is right; of an inconclusive one, the probability of its more likely side. */
  confidence: number;
  /** That the alert is part of an attack. */
  probability: number;
  log_odds: number;
  /** The largest first; signals that added nothing are left out. */
  contributions: Contribution[];
}

/** From this probability on an alert is malicious, and up to its counterpart it is benign. */
const MALICIOUS_FROM = 0.8;
const BENIGN_UP_TO = 0.2;

/** Adds up the signals. Nothing but these values decides. */
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
