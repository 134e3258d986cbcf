import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import { type DotShape, StatusDot } from "../../../design/severity.tsx";
import type { Investigation } from "./investigations-client.ts";
import { investigationsPhrases } from "./investigations-phrases.ts";

const VERDICT_TONES: Readonly<Record<NonNullable<Investigation["verdict"]>, Tone>> = {
  malicious: "failed",
  inconclusive: "waiting",
  benign: "ok",
};

const STATUS_SIGNS: Readonly<Record<Investigation["status"], { shape: DotShape; tone: Tone }>> = {
  queued: { shape: "ring", tone: "waiting" },
  running: { shape: "half", tone: "running" },
  completed: { shape: "check", tone: "ok" },
  failed: { shape: "cross", tone: "failed" },
  cancelled: { shape: "cross", tone: "plain" },
};

/** The verdict with its confidence; empty before there is a verdict. */
export function VerdictSign({ record }: { record: Pick<Investigation, "verdict" | "confidence"> }) {
  const words = usePhrases(investigationsPhrases);
  const { percent } = useNumbers();
  if (record.verdict === null) return null;
  return (
    <Badge tone={VERDICT_TONES[record.verdict]}>
      {words.verdicts[record.verdict]}
      {record.confidence !== null && <span>{percent(Math.round(record.confidence * 100) / 100)}</span>}
    </Badge>
  );
}

export function InvestigationStatus({ status }: Pick<Investigation, "status">) {
  const words = usePhrases(investigationsPhrases);
  return (
    <span className="investigations-status">
      <StatusDot {...STATUS_SIGNS[status]} />
      {words.statuses[status]}
    </span>
  );
}
