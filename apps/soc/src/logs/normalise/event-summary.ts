import type { LogEvent } from "../../ports/log-event.ts";
import { type Fields, parsePath, toText, valueAt } from "./event-path.ts";

const MAX_PART_LENGTH = 200;

// The fields in which products without a message describe the action and its object: CEF, Okta, Kubernetes, CloudTrail,
// Zeek.
const WHAT = ["name", "verb", "eventName", "eventType", "event_type", "_path"].map(parsePath);
const OBJECTS = [
  ...["eventSource", "objectRef.resource", "objectRef.subresource", "objectRef.namespace", "objectRef.name"],
  ...["proto", "service", "query", "method", "uri", "requestURI"],
].map(parsePath);
const RESULTS = ["errorCode", "errorMessage", "outcome.reason", "responseStatus.code", "conn_state"].map(parsePath);

type NormalisedFields = Pick<
  LogEvent,
  "action" | "event_code" | "user" | "src_ip" | "src_port" | "dst_ip" | "dst_port" | "outcome" | "process"
>;

/**
 * Builds one line for an event without a message: what happened, to what, by whom, from where and with which result.
 */
export function summarise(fields: Fields, log: NormalisedFields): string {
  const what = findTexts(fields, WHAT)[0] ?? (log.action || (log.event_code && `event ${log.event_code}`));
  const objects = findTexts(fields, OBJECTS).filter((text) => text !== what);
  const results = [...new Set([log.outcome, ...findTexts(fields, RESULTS)])].filter((text) => text !== "");
  const parts = [
    ...(what ? [what] : []),
    ...objects,
    ...(log.process ? [log.process] : []),
    ...(log.user ? [`by ${log.user}`] : []),
    ...(log.src_ip ? [`from ${formatEnd(log.src_ip, log.src_port)}`] : []),
    ...(log.dst_ip ? [`to ${formatEnd(log.dst_ip, log.dst_port)}`] : []),
  ];
  const summary = parts.map(toOneLine).join(" ");
  return results.length === 0 || summary === "" ? summary : `${summary}: ${results.map(toOneLine).join(", ")}`;
}

function findTexts(fields: Fields, paths: readonly ReturnType<typeof parsePath>[]): string[] {
  return paths.map((path) => toText(valueAt(fields, path))).filter((text) => text !== "");
}

function formatEnd(address: string, port: number): string {
  if (port === 0) return address;
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_PART_LENGTH);
}
