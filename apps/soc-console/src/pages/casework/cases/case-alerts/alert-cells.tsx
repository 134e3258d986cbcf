import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { SeveritySign } from "../../../../design/severity.tsx";
import type { CaseAlert } from "../cases-client.ts";
import type { CasesPhrases } from "../cases-phrases.ts";
import type { CaseAlertsPhrases } from "./alerts-phrases.ts";

export function buildAlertColumns(words: CaseAlertsPhrases): ListColumn[] {
  return [
    { key: "severity", title: words.status, width: "16px", isTitleHidden: true },
    { key: "time", title: words.lastSeen, width: "164px" },
    { key: "title", title: words.title, width: "minmax(160px, 1fr)" },
    { key: "host", title: words.host, width: "112px" },
    { key: "count", title: "×", width: "40px", align: "end" },
    { key: "status", title: words.status, width: "104px" },
  ];
}

export function renderAlert(
  alert: CaseAlert,
  words: { common: CasesPhrases; alerts: CaseAlertsPhrases },
  lastSeen: string,
) {
  return (
    <>
      <SeveritySign severity={alert.severity} label={words.common.severities[alert.severity]} />
      <span className="list-mono">{lastSeen}</span>
      <span className="list-title list-strong">
        <SafeText>{alert.title}</SafeText>
      </span>
      <span className="list-title">{alert.host && <SafeText isMono>{alert.host}</SafeText>}</span>
      <span className="list-mono">{alert.occurrence_count > 1 && alert.occurrence_count}</span>
      <span className="soft">{words.alerts.statuses[alert.status]}</span>
    </>
  );
}
