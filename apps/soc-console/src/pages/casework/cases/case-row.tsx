import { memo } from "react";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Avatar } from "../../../design/avatar.tsx";
import { SeveritySign } from "../../../design/severity.tsx";
import { CaseLink } from "./case-link.tsx";
import { CaseDue, CaseStatusSign } from "./case-signs.tsx";
import type { Case } from "./cases-client.ts";
import { casesPhrases } from "./cases-phrases.ts";
import "./cases.css";

/** A case in one line, for the pages of other records. */
export const CaseRow = memo(function CaseRow({ record }: { record: Case }) {
  const words = usePhrases(casesPhrases);
  const time = useTime();
  return (
    <div className="cases-row">
      <SeveritySign severity={record.severity} label={words.severities[record.severity]} />
      <CaseLink record={record} className="cases-row-title" />
      <CaseStatusSign status={record.status} />
      <CaseDue record={record} />
      <span className="cases-row-time mono">{time.time(record.updated_at)}</span>
      {record.assignee && <Avatar name={record.assignee} />}
    </div>
  );
});

/** The same as cells of a list: sign, title, status, assignee, due, tags, last change. */
export const CaseCells = (record: Case, words: { severity: string }, updated: string) => (
  <>
    <SeveritySign severity={record.severity} label={words.severity} />
    <span className="list-title list-strong">
      <SafeText>{record.title}</SafeText>
    </span>
    <CaseStatusSign status={record.status} />
    <span>{record.assignee && <Avatar name={record.assignee} />}</span>
    <CaseDue record={record} />
    <span className="list-title soft">
      <SafeText>{record.tags.join(", ")}</SafeText>
    </span>
    <span className="list-mono">{updated}</span>
  </>
);
