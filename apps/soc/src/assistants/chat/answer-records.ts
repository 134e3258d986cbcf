import type { Static } from "typebox";
import type { Case } from "../../cases/module.ts";
import { formatTerm } from "../../logs/module.ts";
import type { GetAlertOutput, GetCaseOutput } from "../tools/read-tools.schema.ts";
import {
  type AnswerContext,
  type Part,
  toCitation,
  toWords,
  writeAlerts,
  writeCases,
  writeLogs,
  writeLookup,
  writeRefusal,
} from "./answer-context.ts";
import { follow } from "./lookups.ts";
import { formatCount, formatTime, quote, toPlain } from "./plain-text.ts";

type CaseDetail = Static<typeof GetCaseOutput>["case"];
type AlertDetail = Static<typeof GetAlertOutput>["alert"];

const MAX_CANDIDATES = 6;
const MAX_SEARCHED = 200;
const MAX_ALERTS = 5;
const MAX_LOGS = 10;
const NEWEST_ENTRIES = 3;
const HOUR_MS = 3_600_000;
const ENDED: readonly string[] = ["resolved", "closed"];

/** Describes the case with this id. */
export async function* answerCaseById(telling: AnswerContext, id: string): Part {
  yield* telling.say(`Looking up case ${id}`, [], ".\n");
  const isFound = yield* tellCase(telling, id);
  if (!isFound) yield* telling.say(`There is no case ${id} that you may read`, [], ".\n");
}

/** Describes the case whose title contains the words; lists several matches. */
export async function* answerCaseByTitle(telling: AnswerContext, words: readonly string[]): Part {
  const { say } = telling;
  const named = quote(words.join(" "));
  yield* say(words.length === 0 ? "Looking for open cases" : `Looking for cases named ${named}`, [], ".\n");
  const found = yield* findCases(telling, words);
  if (!found) return;
  const { cases, isMention } = found;
  const [only] = cases;
  if (only && cases.length === 1 && words.length > 0) {
    if (isMention) yield* say(`No case is named ${named}, but one mentions it`, [toCitation("case", only)], ".\n");
    yield* tellCase(telling, only.id);
    return;
  }
  if (!only) return yield* say(words.length === 0 ? "No case is open" : `No case is named ${named}`, [], ".\n");
  const shown = cases.slice(0, MAX_CANDIDATES);
  const cited = shown.map((each) => toCitation("case", each));
  const isOne = cases.length === 1;
  const head = `${formatCount(cases.length, "case")} ${isOne ? "is" : "are"} ${words.length === 0 ? "open" : `named ${named}`}`;
  const mentioned = `No case is named ${named}, but ${cases.length} mention it`;
  yield* say(isMention ? mentioned : head, cited, ":\n");
  yield* writeCases(say, shown);
  if (words.length === 0) return;
  yield* say("Ask with more words of the title, or with the id", [], ":\n");
  for (const each of shown) yield* say(`- ${each.id} is ${quote(each.title, 60)}`, [toCitation("case", each)], "\n");
}

export async function* answerAlert(telling: AnswerContext, id: string): Part {
  yield* telling.say(`Looking up alert ${id}`, [], ".\n");
  const isFound = yield* tellAlert(telling, id);
  if (!isFound) yield* telling.say(`There is no alert ${id} that you may read`, [], ".\n");
}

/** Looks up a bare id as an alert first, then as a case. */
export async function* answerRecord(telling: AnswerContext, id: string): Part {
  yield* telling.say(`Looking up ${id} among alerts and cases`, [], ".\n");
  const isFound = (yield* tellAlert(telling, id)) || (yield* tellCase(telling, id));
  if (!isFound) yield* telling.say(`No alert and no case that you may read has the id ${id}`, [], ".\n");
}

export async function* answerLogsOfAlert(telling: AnswerContext, id: string): Part {
  const { look, say } = telling;
  yield* say(`Looking up the logs of alert ${id}`, [], ".\n");
  const found = yield* follow(look.getAlert(id));
  if (!("result" in found)) {
    if (found.code === "not_found") yield* say(`There is no alert ${id} that you may read`, [], ".\n");
    else yield* writeRefusal(say, "get_alert", found);
    return;
  }
  const { alert } = found.result;
  if (alert.log_ids.length === 0) return yield* say("The alert names no logs", [toCitation("alert", alert)], ".\n");
  yield* tellLogs(telling, alert);
}

interface FoundCases {
  cases: Case[];
  /** Whether the words occur outside of the titles, in a description, a comment or an observable. */
  isMention: boolean;
}

/** Returns the open cases, or the cases whose title contains the words; undefined if the caller may read none. */
async function* findCases(telling: AnswerContext, words: readonly string[]): Part<FoundCases | undefined> {
  const newest = { sort: "-updated_at", limit: MAX_SEARCHED } as const;
  const plain = words.map((word) => toPlain(word).toLowerCase());
  const hasWords = ({ title }: Case) => plain.every((word) => toPlain(title).toLowerCase().includes(word));
  if (words.length === 0) {
    const listed = yield* writeLookup(telling, telling.look.listCases(newest));
    return listed && { cases: listed.items.filter(({ status }) => !ENDED.includes(status)), isMention: false };
  }
  const mentioning = yield* writeLookup(telling, telling.look.listCases({ ...newest, q: words.join(" ") }));
  const named = mentioning?.items.filter(hasWords) ?? [];
  if (!mentioning || named.length > 0) return mentioning && { cases: named, isMention: false };
  // A search matches whole words only; partial words are matched among the most recently changed cases.
  const partly = (yield* writeLookup(telling, telling.look.listCases(newest)))?.items.filter(hasWords) ?? [];
  if (partly.length > 0) return { cases: partly, isMention: false };
  return { cases: mentioning.items, isMention: mentioning.items.length > 0 };
}

async function* tellCase(telling: AnswerContext, id: string): Part<boolean> {
  const { look, say, now } = telling;
  const [lookup, linked] = [look.getCase(id), look.listAlerts({ case_id: [id], sort: "-severity", limit: MAX_ALERTS })];
  const found = yield* follow(lookup);
  if (!("result" in found)) {
    if (found.code !== "not_found") yield* writeRefusal(say, lookup.name, found);
    return found.code !== "not_found";
  }
  const { case: each } = found.result;
  const cited = [toCitation("case", each)];
  for (const sentence of describeCase(each, now)) yield* say(sentence, cited, ".\n");
  const alerts = yield* writeLookup(telling, linked);
  if (alerts && alerts.items.length > 0) {
    const count = formatCount(alerts.total, "linked alert");
    const which = alerts.total > alerts.items.length ? `; the ${alerts.items.length} most severe` : "";
    yield* say(
      `${count}${which}`,
      alerts.items.map((alert) => toCitation("alert", alert)),
      ":\n",
    );
    yield* writeAlerts(say, alerts.items);
  }
  const newest = each.timeline.slice(0, NEWEST_ENTRIES);
  if (newest.length > 0) yield* say("What happened last in it", cited, ":\n");
  for (const { agent, action, timestamp } of newest) {
    yield* say(`- ${formatTime(timestamp)}, ${quote(agent, 60)}: ${quote(action)}`, cited, "\n");
  }
  return true;
}

function describeCase(each: CaseDetail, now: Date): string[] {
  const { title, status, severity, assignee, created_at, updated_at, closed_at, due_at, tasks, totals } = each;
  const open = tasks.filter(({ status: state }) => state !== "done");
  const owner = assignee === null ? "assigned to no one" : `assigned to ${quote(assignee, 60)}`;
  const isLate = due_at !== null && due_at < now && !ENDED.includes(status);
  return [
    `Case ${quote(title)} is ${toWords(status)}, ${severity} and ${owner}`,
    `It was opened at ${formatTime(created_at)} and last changed at ${formatTime(updated_at)}`,
    ...(closed_at === null ? [] : [`It was closed at ${formatTime(closed_at)}`]),
    ...(due_at === null
      ? []
      : [`It ${isLate ? "was" : "is"} due at ${formatTime(due_at)}${isLate ? " and is late" : ""}`]),
    ...(each.requires_human_approval ? ["It requires the approval of a person"] : []),
    `It has ${formatCount(totals.tasks, "task")}${open.length > 0 ? ` (${open.length} not done, such as ${quote(open[0]?.title ?? "", 80)})` : ""}, ${formatCount(totals.observables, "observable")}, ${formatCount(totals.evidence, "piece")} of evidence and ${formatCount(totals.comments, "comment")}`,
  ];
}

async function* tellAlert(telling: AnswerContext, id: string): Part<boolean> {
  const { look, say } = telling;
  const lookup = look.getAlert(id);
  const found = yield* follow(lookup);
  if (!("result" in found)) {
    if (found.code !== "not_found") yield* writeRefusal(say, lookup.name, found);
    return found.code !== "not_found";
  }
  const { alert } = found.result;
  const cited = [toCitation("alert", alert)];
  yield* writeAlerts(say, [alert]);
  if (alert.description) yield* say(`It says ${quote(alert.description, 400)}`, cited, ".\n");
  const owner = alert.assignee === null ? "assigned to no one" : `assigned to ${quote(alert.assignee, 60)}`;
  const seen = `seen ${formatCount(alert.occurrence_count, "time")} since ${formatTime(alert.first_seen)}`;
  yield* say(`It was ${seen}, comes from ${quote(alert.source, 60)} and is ${owner}`, cited, ".\n");
  if (alert.case_id !== null)
    yield* say("It belongs to a case", [...cited, { kind: "case", id: alert.case_id }], ".\n");
  if (alert.log_ids.length > 0) yield* tellLogs(telling, alert);
  return true;
}

/** Cites only logs that are still stored, because logs expire before alerts. */
async function* tellLogs(telling: AnswerContext, alert: AlertDetail): Part {
  const { look, say } = telling;
  const { log_ids, event_first_at, event_last_at, first_seen, last_seen } = alert;
  const from = new Date((event_first_at ?? first_seen).getTime() - HOUR_MS).toISOString();
  const to = new Date((event_last_at ?? last_seen).getTime() + HOUR_MS).toISOString();
  const query = log_ids
    .slice(-MAX_LOGS)
    .map((id) => formatTerm("id", id))
    .join(" OR ");
  const found = yield* writeLookup(telling, look.searchLogs({ query, from, to, limit: MAX_LOGS }));
  if (!found) return;
  const count = `The alert names ${formatCount(log_ids.length, "log")}`;
  const which = found.logs.length === 0 ? ", which were not found: logs expire" : `; ${found.logs.length} of them`;
  yield* say(`${count}${which}`, [toCitation("alert", alert)], found.logs.length === 0 ? ".\n" : ":\n");
  yield* writeLogs(say, found.logs.toReversed());
}
