import type { CheckedFinding } from "../investigations/checker.ts";
import type { InvestigationVerdict } from "../investigations/verdict.ts";

export interface Stated {
  verdict: InvestigationVerdict;
  confidence: number;
}

/** What a model says, after the checker has looked up its findings. */
export interface ModelStated extends Stated {
  findings: readonly Pick<CheckedFinding, "is_supported">[];
}

const RANK: Readonly<Record<InvestigationVerdict, number>> = { benign: 0, inconclusive: 1, malicious: 2 };

/** A model reads text of attackers and its confidence is not calibrated: below this a person still looks. */
const MAX_RAISED_CONFIDENCE = 0.8;

/**
 * The verdict of an investigation with a model: benign < inconclusive < malicious.
 *
 * - A model never lowers a verdict, and never changes the confidence of one that it shares or would lower.
 * - It raises a verdict only with a finding that its events support. The confidence is then its own, at most 0.8.
 */
export function joinVerdicts(own: Stated, model: ModelStated | undefined): Stated {
  const { verdict, confidence } = own;
  if (!model || RANK[model.verdict] <= RANK[verdict]) return { verdict, confidence };
  if (!model.findings.some(({ is_supported }) => is_supported)) return { verdict, confidence };
  return { verdict: model.verdict, confidence: Math.min(model.confidence, MAX_RAISED_CONFIDENCE) };
}
