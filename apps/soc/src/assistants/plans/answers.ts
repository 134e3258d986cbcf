import type { Static, TSchema } from "typebox";
import Value from "typebox/value";
import { formatTerm } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import {
  GetCaseOutput,
  LookupIocOutput,
  PrevalenceOutput,
  ProcessTreeOutput,
  SearchLogsOutput,
} from "../tools/read-tools.schema.ts";
import type { Envelope } from "../tools/tools.service.ts";
import type { PlannedCall } from "./step.ts";
import type { Window } from "./subject.ts";

/** The most events that one search answers. */
const MAX_FOUND = 100;

/** A query is made of fixed text and of terms: a value from a log is only ever within the quotes of a term. */
export function searchLogs(query: string, { from, to }: Window): PlannedCall {
  return { tool: "search_logs", input: { query, from, to, limit: MAX_FOUND } };
}

/** The address as source or as destination. */
export function eitherAddress(address: string): string {
  return `(${formatTerm("src_ip", address)} OR ${formatTerm("dst_ip", address)})`;
}

export function askPrevalence(field: string, value: string, { from, to }: Window): PlannedCall {
  return { tool: "prevalence", input: { field, value, from, to } };
}

export function lookUp(value: string): PlannedCall {
  return { tool: "lookup_ioc", input: { value } };
}

export interface FoundEvents {
  /** Oldest first. */
  events: LogEvent[];
  /** Whether these are all events that the search matches, with all their attributes. */
  isComplete: boolean;
  /** Whether an event lacks attributes because they were too long. */
  isShortened: boolean;
}

/** Returns the events of a search; undefined for a failure. */
export function readEvents(answer: Envelope): FoundEvents | undefined {
  const read = readAnswer(SearchLogsOutput, answer);
  if (!read) return undefined;
  const { logs, total, total_is_estimate = false } = read;
  const events = logs.map(toEvent).toSorted(compareEvents);
  const isShortened = logs.some((log) => log.is_shortened);
  return { events, isComplete: !total_is_estimate && !isShortened && total <= events.length, isShortened };
}

export function readPrevalence(answer: Envelope): Static<typeof PrevalenceOutput> | undefined {
  return readAnswer(PrevalenceOutput, answer);
}

export function readTree(answer: Envelope): Static<typeof ProcessTreeOutput> | undefined {
  return readAnswer(ProcessTreeOutput, answer);
}

export function readIocs(answer: Envelope): Static<typeof LookupIocOutput>["iocs"] {
  return readAnswer(LookupIocOutput, answer)?.iocs ?? [];
}

export function readCase(answer: Envelope): Static<typeof GetCaseOutput>["case"] | undefined {
  return readAnswer(GetCaseOutput, answer)?.case;
}

/** A record has dates, but a stored answer has texts: the schema describes the latter. */
function readAnswer<Schema extends TSchema>(schema: Schema, answer: Envelope): Static<Schema> | undefined {
  if (answer.error_code !== null) return undefined;
  const sent: unknown = JSON.parse(JSON.stringify(answer));
  return Value.Check(schema, sent) ? sent : undefined;
}

type ToolLog = Static<typeof SearchLogsOutput>["logs"][number];

/** Converts a log without its original; an unknown text becomes "". */
function toEvent({ is_shortened, message, ...log }: ToolLog): LogEvent {
  return {
    ...log,
    attributes: Object.fromEntries(Object.entries(log.attributes)),
    site: log.site ?? "",
    host: log.host ?? "",
    event_code: log.event_code ?? "",
    action: log.action ?? "",
    outcome: log.outcome ?? "",
    user: log.user ?? "",
    src_ip: log.src_ip ?? "",
    dst_ip: log.dst_ip ?? "",
    src_port: log.src_port ?? 0,
    dst_port: log.dst_port ?? 0,
    process: log.process ?? "",
    // A shortened message ends in a character that the event does not contain.
    message: is_shortened ? "" : (message ?? ""),
    raw: "",
  };
}

/** Never order simultaneous events by id. */
function compareEvents(a: LogEvent, b: LogEvent): number {
  return compare(a.timestamp, b.timestamp) || compare(a.message, b.message);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
