import type { NewAlert } from "../../casework/alerts/alert.ts";
import type { LogEvent } from "./log.ts";

// The maximum lengths of an alert's fields.
const MAX_TITLE = 500;
const MAX_DESCRIPTION = 20_000;
const MAX_SOURCE = 100;
const MAX_NAME = 255;

/** The alert for a log without a rule: titled by its message, or else by its other fields. */
export function buildReport(log: LogEvent): NewAlert {
  const { id, source, host, user, site, severity, message, event_code, action } = log;
  const named = [event_code === "" ? "" : `event ${event_code}`, action, host === "" ? "" : `on ${host}`];
  const title = toOneLine(message, MAX_TITLE) ?? toOneLine(named.join(" "), MAX_TITLE) ?? `log ${id}`;
  return {
    title,
    source: toOneLine(source, MAX_SOURCE) ?? "siem",
    severity,
    log_ids: [id],
    ...optional("description", toOneLine(message, MAX_DESCRIPTION)),
    ...optional("host", toOneLine(host, MAX_NAME)),
    ...optional("user", toOneLine(user, MAX_NAME)),
    ...optional("site", toOneLine(site, MAX_SOURCE)),
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
