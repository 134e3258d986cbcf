import type { CheckedFinding } from "../investigations/checker.ts";
import type { InvestigationVerdict } from "../investigations/verdict.ts";

export interface VerdictClaim {
  verdict: InvestigationVerdict;
  confidence: number;
}

/** The statement of a model after the checker has verified its findings. */
export interface ModelStated extends VerdictClaim {
  findings: readonly Pick<CheckedFinding, "is_supported">[];
}

const RANK: Readonly<Record<InvestigationVerdict, number>> = { benign: 0, inconclusive: 1, malicious: 2 };

/** A model reads text of attackers, and its confidence is not calibrated: below this value a person still reviews. */
const MAX_RAISED_CONFIDENCE = 0.8;

/**
 * Joins the verdict of investigations with that of a model: benign < inconclusive < malicious. - A model never lowers
 * a verdict and never changes the confidence of a verdict that it shares or would lower. - It raises a verdict only
 * with a finding that its events support. The confidence is then the model's, at most 0.8.
 */
export function joinVerdicts(own: VerdictClaim, model: ModelStated | undefined): VerdictClaim {
  const { verdict, confidence } = own;
  if (!model || RANK[model.verdict] <= RANK[verdict]) return { verdict, confidence };
  if (!model.findings.some(({ is_supported }) => is_supported)) return { verdict, confidence };
  return { verdict: model.verdict, confidence: Math.min(model.confidence, MAX_RAISED_CONFIDENCE) };
}
