import type { Condition } from "@kit/query/condition";
import { type CheckedFinding, checkFindings } from "./checker.ts";
import type { EventReader, InvestigatedAlert } from "./event-reader.ts";
import { buildFindings } from "./findings.ts";
import { type Evidence, gather } from "./gather.ts";
import { measureSignals, type SignalValues } from "./signals.ts";
import { nameTechniques } from "./techniques.ts";
import { type Contribution, type Judgement, judge } from "./verdict.ts";

/** The result of an investigation without a model. */
export interface Investigation extends Judgement {
  summary: string;
  findings: CheckedFinding[];
  mitre_techniques: string[];
  signals: SignalValues;
  evidence: Evidence;
}

const MAX_REASONS = 3;

/** Gathers, measures, judges and describes. Reads only through the reader and changes nothing. */
export async function investigate(
  reader: EventReader,
  alert: InvestigatedAlert,
  condition?: Condition,
  requiresEvidence = true,
): Promise<Investigation> {
  const evidence = await gather(reader, alert);
  const signals = measureSignals(evidence);
  const mitre_techniques = nameTechniques(evidence).map(({ id }) => id);
  const known = {
    titles: [alert.title, ...evidence.linked.map((linked) => linked.alert.title)],
    techniques: mitre_techniques,
  };
  const findings = await checkFindings(reader, buildFindings(evidence, condition), known);
  const facts = findings.filter(({ is_supported }) => is_supported).length;
  const judgement = judge(signals, requiresEvidence ? facts : undefined);
  return {
    ...judgement,
    summary: summarise(alert, judgement),
    findings,
    mitre_techniques,
    signals,
    evidence,
  };
}

function summarise(
  { title }: InvestigatedAlert,
  { verdict, confidence, contributions, has_evidence }: Judgement,
): string {
  if (!has_evidence) return `"${title}" is inconclusive: no evidence beyond the severity of its rule.`;
  const main = contributions.slice(0, MAX_REASONS);
  return [
    `"${title}" is ${verdict}, with a confidence of ${Math.round(confidence * 100)} %.`,
    ...listReasons(
      "For an attack",
      main.filter(({ log_odds }) => log_odds > 0),
    ),
    ...listReasons(
      "Against",
      main.filter(({ log_odds }) => log_odds < 0),
    ),
  ].join(" ");
}

function listReasons(side: string, contributions: readonly Contribution[]): string[] {
  return contributions.length === 0 ? [] : [`${side}: ${contributions.map(({ words }) => words).join("; ")}.`];
}
