import type { NewAlert } from "../../casework/alerts/alert.ts";
import { ALERT_LIMITS } from "../../casework/alerts/alert-report.ts";
import type { LogEvent } from "./log.ts";

/** The alert for a log without a rule: titled by its message, or else by its other fields. */
export function buildReport(log: LogEvent): NewAlert {
  const { id, source, host, user, site, severity, message, event_code, action } = log;
  const named = [event_code === "" ? "" : `event ${event_code}`, action, host === "" ? "" : `on ${host}`];
  const title = toOneLine(message, ALERT_LIMITS.title) ?? toOneLine(named.join(" "), ALERT_LIMITS.title) ?? `log ${id}`;
  return {
    title,
    source: toOneLine(source, ALERT_LIMITS.source) ?? "siem",
    severity,
    log_ids: [id],
    ...optional("description", toOneLine(message, ALERT_LIMITS.description)),
    ...optional("host", toOneLine(host, ALERT_LIMITS.name)),
    ...optional("user", toOneLine(user, ALERT_LIMITS.name)),
    ...optional("site", toOneLine(site, ALERT_LIMITS.source)),
  };
}

function optional<Name extends string>(name: Name, text: string | undefined) {
  return text === undefined ? {} : { [name]: text };
}

/** One line of limited length; undefined for an empty text. Characters that an alert cannot store are replaced. */
function toOneLine(text: string, maxLength: number): string | undefined {
  const clean = text
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (clean === "") return undefined;
  const characters = Array.from(clean);
  return characters.length <= maxLength ? clean : `${characters.slice(0, maxLength - 1).join("")}…`;
}
