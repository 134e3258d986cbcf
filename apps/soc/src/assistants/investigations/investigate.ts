import type { Condition } from "@kit/query/condition";
import { type CheckedFinding, checkFindings } from "./checker.ts";
import type { EventReader, InvestigatedAlert } from "./event-reader.ts";
import { buildFindings } from "./findings.ts";
import { type Evidence, gather } from "./gather.ts";
import { measureSignals, type SignalValues } from "./signals.ts";
import { nameTechniques } from "./techniques.ts";
import { type Judgement, judge } from "./verdict.ts";

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
): Promise<Investigation> {
  const evidence = await gather(reader, alert);
  const signals = measureSignals(evidence);
  const judgement = judge(signals);
  const mitre_techniques = nameTechniques(evidence).map(({ id }) => id);
  const known = {
    titles: [alert.title, ...evidence.linked.map((linked) => linked.alert.title)],
    techniques: mitre_techniques,
  };
  return {
    ...judgement,
    summary: summarise(alert, judgement),
    findings: await checkFindings(reader, buildFindings(evidence, condition), known),
    mitre_techniques,
    signals,
    evidence,
  };
}

function summarise({ title }: InvestigatedAlert, { verdict, confidence, contributions }: Judgement): string {
  const reasons = contributions.slice(0, MAX_REASONS).map(({ words, log_odds }) => {
    return `${words} (${log_odds > 0 ? "+" : "−"}${Math.abs(log_odds).toFixed(1)})`;
  });
  const because = reasons.length === 0 ? "" : ` What counted most, in log-odds: ${reasons.join("; ")}.`;
  return `"${title}" is ${verdict}, with a confidence of ${Math.round(confidence * 100)} %.${because}`;
}
