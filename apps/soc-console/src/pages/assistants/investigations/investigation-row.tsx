import { Link } from "../../../app/address/link.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { SeveritySign } from "../../../design/severity.tsx";
import type { Investigation } from "./investigations-client.ts";
import { investigationsPhrases } from "./investigations-phrases.ts";
import { InvestigationStatus, VerdictSign } from "./verdict-sign.tsx";
import "./investigations.css";

/** An investigation in one line: its summary, or why it has none. */
export function readHeadline(
  { summary, error }: Pick<Investigation, "summary" | "error">,
  words: { noSummary: string },
): string {
  return summary ?? error ?? words.noSummary;
}

/** An investigation in two lines, for the pages of other records. */
export function InvestigationRow({ record }: { record: Investigation }) {
  const words = usePhrases(investigationsPhrases);
  const time = useTime();
  return (
    <Link to={`/agents/investigations/${record.investigation_id}`} className="investigations-row">
      <span className="investigations-row-head">
        {record.verdict === null ? <InvestigationStatus status={record.status} /> : <VerdictSign record={record} />}
        <span className="mono soft">{time.dateTime(record.created_at)}</span>
      </span>
      <span className="investigations-row-text">
        <SafeText>{readHeadline(record, words)}</SafeText>
      </span>
    </Link>
  );
}

/** The cells of a list: severity, finding, verdict, state, requester, time. */
export const InvestigationCells = (
  record: Investigation,
  words: { severity: string; headline: string; at: string },
) => (
  <>
    <SeveritySign severity={record.severity} label={words.severity} />
    <span className="list-title" dir="auto">
      <SafeText>{words.headline}</SafeText>
    </span>
    <span>
      <VerdictSign record={record} />
    </span>
    <InvestigationStatus status={record.status} />
    <span className="list-title soft" dir="auto">
      <SafeText>{record.requested_by}</SafeText>
    </span>
    <span className="list-mono">{words.at}</span>
  </>
);
