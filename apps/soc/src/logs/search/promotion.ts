import type { NewAlert } from "../../casework/alerts/alert.ts";
import type { LogEvent } from "./log.ts";

// The longest that an alert takes.
const TITLE = 500;
const DESCRIPTION = 20_000;
const SOURCE = 100;
const NAME = 255;

/** What a log by itself is reported as: its message, or else what is known of it. */
export function buildReport(log: LogEvent): NewAlert {
  const { id, source, host, user, site, severity, message, event_code, action } = log;
  const named = [event_code === "" ? "" : `event ${event_code}`, action, host === "" ? "" : `on ${host}`];
  const title = shown(message, TITLE) ?? shown(named.join(" "), TITLE) ?? `log ${id}`;
  return {
    title,
    source: shown(source, SOURCE) ?? "siem",
    severity,
    log_ids: [id],
    ...optional("description", shown(message, DESCRIPTION)),
    ...optional("host", shown(host, NAME)),
    ...optional("user", shown(user, NAME)),
    ...optional("site", shown(site, SOURCE)),
  };
}

function optional<Name extends string>(name: Name, text: string | undefined) {
  return text === undefined ? {} : { [name]: text };
}

/** On one line and not too long; undefined when nothing is left. A log may hold characters that an alert cannot. */
function shown(text: string, maxLength: number): string | undefined {
  const clean = text
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (clean === "") return undefined;
  const characters = Array.from(clean);
  return characters.length <= maxLength ? clean : `${characters.slice(0, maxLength - 1).join("")}…`;
}
