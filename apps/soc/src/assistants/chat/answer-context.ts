import type { Static } from "typebox";
import type { Alert } from "../../alerts/module.ts";
import type { Case } from "../../cases/module.ts";
import type { SearchLogsOutput } from "../tools/read-tools.schema.ts";
import type { AnswerWriter } from "./answer-writer.ts";
import type { AnswerEvent, Citation } from "./chat-event.ts";
import { follow, type Lookup, type LookupResult, type Lookups } from "./lookups.ts";
import { formatClock, formatTime, quote } from "./plain-text.ts";
import type { Span } from "./span.ts";

/** The context of an answer. */
export interface AnswerContext {
  look: Lookups;
  say: AnswerWriter["say"];
  now: Date;
}

/** A part of an answer; returns the data that the next parts need. */
export type Part<Result = void> = AsyncGenerator<AnswerEvent, Result>;

export type ShownLog = Static<typeof SearchLogsOutput>["logs"][number];
export type ShownAlert = Pick<Alert, "id" | "title" | "severity" | "status" | "host" | "user" | "last_seen">;

const READ_WORDS: Readonly<Record<string, string>> = {
  list_alerts: "alerts",
  get_alert: "alerts",
  list_cases: "cases",
  get_case: "cases",
  list_endpoints: "endpoints",
  lookup_ioc: "indicators",
  search_logs: "logs",
  entity_timeline: "logs",
};

/** Follows a lookup and explains why it failed. */
export async function* writeLookup<Result>({ say }: AnswerContext, lookup: Lookup<Result>): Part<Result | undefined> {
  const found = yield* follow(lookup);
  if ("result" in found) return found.result;
  yield* writeRefusal(say, lookup.name, found);
  return undefined;
}

export function* writeRefusal(
  say: AnswerWriter["say"],
  name: string,
  { code, refusal }: Exclude<LookupResult<unknown>, { result: unknown }>,
): Generator<AnswerEvent, void> {
  const what = READ_WORDS[name] ?? "records";
  if (code === "forbidden")
    yield* say(`You may not read ${what} (${refusal}), so this answer leaves them out`, [], ".\n");
  else yield* say(`The ${what} could not be read: ${quote(refusal)}`, [], ".\n");
}

export const toCitation = (kind: Citation["kind"], { id }: { id: string }): Citation => ({ kind, id });

export function formatSpan({ from, to }: Span): string {
  return `from ${formatTime(from)} to ${formatTime(to)}`;
}

export function* writeAlerts(say: AnswerWriter["say"], alerts: readonly ShownAlert[]): Generator<AnswerEvent, void> {
  for (const alert of alerts) yield* say(`- ${formatAlert(alert)}`, [toCitation("alert", alert)], "\n");
}

export function* writeCases(say: AnswerWriter["say"], cases: readonly Case[]): Generator<AnswerEvent, void> {
  for (const each of cases) {
    const { title, severity, status, updated_at } = each;
    const text = `- ${severity}, ${toWords(status)}: ${quote(title)}, last changed ${formatTime(updated_at)}`;
    yield* say(text, [toCitation("case", each)], "\n");
  }
}

export function* writeLogs(say: AnswerWriter["say"], logs: readonly ShownLog[]): Generator<AnswerEvent, void> {
  for (const log of logs) yield* say(`- ${formatLog(log)}`, [toCitation("log", log)], "\n");
}

function formatAlert({ title, severity, status, host, user, last_seen }: ShownAlert): string {
  const places = [
    ...(host === null ? [] : [`host ${quote(host, 60)}`]),
    ...(user === null ? [] : [`user ${quote(user, 60)}`]),
  ];
  const where = places.length === 0 ? "" : ` (${places.join(", ")})`;
  return `${severity}, ${toWords(status)}: ${quote(title)}${where}, last seen ${formatTime(last_seen)}`;
}

function formatLog({ timestamp, severity, host, user, process, action, message }: ShownLog): string {
  const facts = [
    ["host", host],
    ["user", user],
    ["process", process],
    ["action", action],
  ].flatMap(([name, value]) => (value ? [`${name} ${quote(value, 60)}`] : []));
  const text = message ? `: ${quote(message)}` : "";
  return `${timestamp.slice(0, 10)} ${formatClock(timestamp)} ${severity} ${facts.join(", ")}${text}`;
}

/** Formats a status as words: `pending_approval` becomes "pending approval". */
export function toWords(status: string): string {
  return status.replaceAll("_", " ");
}
