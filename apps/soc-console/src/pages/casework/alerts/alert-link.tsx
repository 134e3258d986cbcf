import { Link } from "../../../app/address/link.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { SeveritySign } from "../../../design/severity.tsx";
import type { Alert } from "./alerts-client.ts";
import { alertsPhrases } from "./alerts-phrases.ts";
import "./alerts.css";
import "./details/alert.css";

/** A link to an alert, in one line. */
export function AlertLink({ alert }: { alert: Pick<Alert, "id" | "title" | "severity" | "last_seen"> }) {
  const words = usePhrases(alertsPhrases);
  const time = useTime();
  return (
    <Link to={`/alerts/${alert.id}`} className="alerts-link">
      <bdi dir="ltr" className="alerts-link-time" title={time.dateTime(alert.last_seen)}>
        {time.time(alert.last_seen)}
      </bdi>
      <SeveritySign severity={alert.severity} label={words.severities[alert.severity]} />
      <span className="alerts-cut">
        <SafeText>{alert.title}</SafeText>
      </span>
    </Link>
  );
}
