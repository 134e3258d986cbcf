import { formatTerm } from "../../logs/module.ts";
import type { PlannedCall } from "./plan.ts";
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
