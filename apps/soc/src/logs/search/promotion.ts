import {
  ALERT_LIMITS,
  countedLogs,
  findEntityName,
  type NewAlert,
  oneLine,
  sharedFields,
} from "../../alerts/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";

/**
 * Builds the alert for a log without a rule: titled by its message, or else by its other fields, and by its entity.
 */
export function buildReport(log: LogEvent): NewAlert {
  const { source, severity, message } = log;
  // A person has seen the log now, however old it is.
  const { seen_at: _, ...counted } = countedLogs([log]);
  return {
    title: buildTitle(log),
    source: oneLine(source, ALERT_LIMITS.source) ?? "siem",
    severity,
    ...counted,
    ...optional("description", oneLine(message, ALERT_LIMITS.description)),
    ...sharedFields([log]),
  };
}

/** Logs of two hosts with the same message are two alerts. */
function buildTitle(log: LogEvent): string {
  const { id, source, message, event_code, action } = log;
  const named = [event_code === "" ? "" : `event ${event_code}`, action].join(" ");
  const text = oneLine(message, ALERT_LIMITS.title) ?? oneLine(named, ALERT_LIMITS.title) ?? `log ${id}`;
  const suffix = ` on ${findEntityName([log], source)}`;
  return `${oneLine(text, ALERT_LIMITS.title - suffix.length) ?? "log"}${suffix}`;
}

function optional<Name extends string>(name: Name, text: string | undefined) {
  return text === undefined ? {} : { [name]: text };
}
