import { usePhrases } from "../../../../app/language/language-context.tsx";
import { Markdown } from "../../../../app/text/markdown.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Badge } from "../../../../design/chip.tsx";
import { Facts } from "../../../../design/panel.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { CaseLink } from "../case-link.tsx";
import { CaseDue, CaseStatusSign } from "../case-signs.tsx";
import type { Case } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { listPhrases } from "../list-phrases.ts";

/** A case in the pane, rendered from its row without a request. */
export function CasePane({ record }: { record: Case }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const time = useTime();
  return (
    <div className="cases-pane">
      <p className="cases-pane-head">
        <Badge tone={record.severity}>
          <SeveritySign severity={record.severity} label="" />
          {words.severities[record.severity]}
        </Badge>
        <CaseStatusSign status={record.status} />
      </p>
      <h2 className="cases-pane-title">
        <CaseLink record={record} />
      </h2>
      <Facts
        items={[
          { label: words.fields.assignee, value: record.assignee ?? words.unassigned },
          { label: words.sla_label, value: <CaseDue record={record} /> },
          { label: words.updated, value: <span className="mono">{time.dateTime(record.updated_at)}</span> },
          { label: words.fields.tags, value: <SafeText>{record.tags.join(", ")}</SafeText> },
          {
            label: words.fields.mitre_techniques,
            value: <SafeText isMono>{record.mitre_techniques.join(" ")}</SafeText>,
          },
        ]}
      />
      {record.description !== "" && <Markdown text={record.description} />}
    </div>
  );
}
