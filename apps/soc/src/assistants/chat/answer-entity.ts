import { unifyHost } from "../../foundation/records/entity-name.ts";
import {
  type AnswerContext,
  formatSpan,
  type Part,
  type ShownAlert,
  type ShownLog,
  toCitation,
  writeAlerts,
  writeLogs,
  writeLookup,
} from "./answer-context.ts";
import type { Citation } from "./chat-event.ts";
import type { Lookup } from "./lookups.ts";
import { formatCount, formatTime, quote } from "./plain-text.ts";
import type { Entity } from "./question.ts";
import { AROUND_MS, type Span } from "./span.ts";

type Kind = "host" | "user" | "address";
interface Events {
  total: number;
  total_is_estimate?: boolean | undefined;
  events: ShownLog[];
}
interface Alerts {
  items: ShownAlert[];
  total: number;
}

const DAY_MS = 24 * 3_600_000;
const MAX_EVENTS = 200;
const MAX_SHOWN_EVENTS = 20;
const MAX_SHOWN_ALERTS = 5;
const MAX_NAMES = 8;
/** The fields of the other participants of an event about the entity. */
const BESIDE: Readonly<Record<Kind, readonly ("host" | "user" | "src_ip")[]>> = {
  host: ["user"],
  user: ["host", "src_ip"],
  address: ["host", "user"],
};
/** The other sources of the lookup. */
const BESIDE_LOGS: Readonly<Record<Entity["kind"], string>> = {
  host: ", in alerts and among endpoints",
  user: " and in alerts",
  address: " and among indicators",
  hash: " and among indicators",
  name: ", in alerts, among indicators and among endpoints",
};
const PLURALS = { host: "Hosts", user: "Users", src_ip: "Source addresses" } as const;

/** Answers what is known about a host, user, address or hash. */
export async function* answerEntity(telling: AnswerContext, entity: Entity, asked: Span | undefined): Part {
  const { say, now } = telling;
  const span: Span = asked ?? { from: new Date(now.getTime() - DAY_MS), to: now, kind: "period" };
  const name = `${entity.kind === "name" ? "" : `${entity.kind} `}${quote(entity.value)}`;
  yield* say(`Looking up ${name} in logs ${formatSpan(span)}${BESIDE_LOGS[entity.kind]}`, [], ".\n");
  if (entity.kind === "hash") return yield* answerHash(telling, entity.value, span);
  let isKnown = false;
  for (const part of startParts(telling, entity, span, asked)) isKnown = (yield* part) || isKnown;
  if (!isKnown) yield* say(`I found nothing about ${quote(entity.value)} in what you may read`, [], ".\n");
}

/** Starts all lookups at once; each part then reports the result of its lookup. */
function startParts(telling: AnswerContext, entity: Entity, span: Span, asked: Span | undefined): Part<boolean>[] {
  const { look } = telling;
  const { kind: named, value } = entity;
  const kinds = listKinds(entity);
  const isHost = kinds.includes("host");
  const isExact = named === "host" || named === "user";
  return [
    ...kinds.map((kind) => tellEvents(telling, kind, value, startTimeline(telling, kind, value, span, MAX_EVENTS))),
    ...kinds
      .filter((kind) => kind !== "address")
      .map((kind) => tellAlerts(telling, startAlerts(telling, kind, value, asked))),
    ...(isExact ? [] : [tellIoc(telling, look.lookupIoc(value))]),
    ...(isHost ? [tellEndpoint(telling, look.listEndpoints({ q: value, limit: MAX_SHOWN_EVENTS }), value)] : []),
  ];
}

/** Answers what happened around a time, on one host, user or address, or anywhere. */
export async function* answerMoment(telling: AnswerContext, entity: Entity | undefined, span: Span): Part {
  const { look, say } = telling;
  const where = entity ? ` of ${quote(entity.value)}` : "";
  const isAround = span.to.getTime() - span.from.getTime() === 2 * AROUND_MS ? " (15 minutes before and after)" : "";
  yield* say(`Looking for events and alerts${where} ${formatSpan(span)}${isAround}`, [], ".\n");
  const kinds = entity ? listKinds(entity) : [];
  const timelines = entity
    ? kinds.map((kind) => startTimeline(telling, kind, entity.value, span, MAX_SHOWN_EVENTS))
    : [startSearch(telling, span)];
  const [from, to] = [span.from.toISOString(), span.to.toISOString()];
  const alerts = entity
    ? kinds.filter((kind) => kind !== "address").map((kind) => startAlerts(telling, kind, entity.value, span))
    : [look.listAlerts({ from, to, sort: "-severity", limit: MAX_SHOWN_ALERTS })];

  let isKnown = false;
  for (const lookup of timelines) {
    const found = yield* writeLookup(telling, lookup);
    if (!found || found.events.length === 0) continue;
    isKnown = true;
    const which = found.total > found.events.length ? `; the newest ${found.events.length}, in order` : ", in order";
    const [first, last] = [found.events.at(0), found.events.at(-1)];
    yield* say(`${countEvents(found)}${which}`, citeLogs([first, last]), ":\n");
    yield* writeLogs(say, found.events);
  }
  for (const lookup of alerts) isKnown = (yield* tellAlerts(telling, lookup)) || isKnown;
  if (!isKnown) yield* say("I found no event and no alert of this time in what you may read", [], ".\n");
}

async function* answerHash({ look, say, now }: AnswerContext, value: string, span: Span): Part {
  const telling = { look, say, now };
  const ioc = look.lookupIoc(value);
  const logs = startLogs(telling, { query: `"${value}"`, from: span.from.toISOString(), to: span.to.toISOString() });
  const isListed = yield* tellIoc(telling, ioc);
  const found = yield* writeLookup(telling, logs);
  if (found && found.events.length > 0) {
    yield* say(`${countEvents(found)} mention it; the newest`, citeLogs([found.events.at(-1)]), ":\n");
    yield* writeLogs(say, found.events);
  } else if (!isListed) yield* say(`I found nothing about ${quote(value)} in what you may read`, [], ".\n");
}

function listKinds({ kind }: Entity): Kind[] {
  if (kind === "name") return ["host", "user"];
  return kind === "hash" ? [] : [kind];
}

function startTimeline({ look }: AnswerContext, kind: Kind, value: string, span: Span, limit: number): Lookup<Events> {
  const [from, to] = [span.from.toISOString(), span.to.toISOString()];
  return look.timeline({ kind, value, from, to, limit });
}

function startSearch(telling: AnswerContext, span: Span): Lookup<Events> {
  return startLogs(telling, { from: span.from.toISOString(), to: span.to.toISOString() });
}

/** Starts a search and returns its newest events in chronological order. */
function startLogs({ look }: AnswerContext, input: object): Lookup<Events> {
  const { name, found } = look.searchLogs({ ...input, limit: MAX_SHOWN_EVENTS });
  const inOrder = found.then((answer) => {
    if (!("result" in answer)) return answer;
    const { logs, ...counted } = answer.result;
    return { result: { ...counted, events: logs.toReversed() } };
  });
  inOrder.catch(() => undefined);
  return { name, found: inOrder };
}

/** No alert filter supports addresses. */
function startAlerts(
  { look }: AnswerContext,
  kind: Exclude<Kind, "address">,
  value: string,
  span: Span | undefined,
): Lookup<Alerts> {
  const time = span ? { from: span.from.toISOString(), to: span.to.toISOString() } : {};
  return look.listAlerts({ [kind]: [value], ...time, sort: "-last_seen", limit: MAX_SHOWN_ALERTS });
}

function countEvents({ total, total_is_estimate: isEstimate }: Events): string {
  return `${isEstimate ? "About " : ""}${formatCount(total, "event")}`;
}

function citeLogs(logs: readonly (ShownLog | undefined)[]): Citation[] {
  return logs.flatMap((log) => (log ? [toCitation("log", log)] : []));
}

async function* tellEvents(telling: AnswerContext, kind: Kind, value: string, lookup: Lookup<Events>): Part<boolean> {
  const { say } = telling;
  const found = yield* writeLookup(telling, lookup);
  const newest = found?.events.at(-1);
  if (!found || !newest) return false;
  const when = `the newest was at ${formatTime(newest.timestamp)}`;
  yield* say(`${countEvents(found)} of ${kind} ${quote(value)}; ${when}`, citeLogs([newest]), ".\n");
  const sampled = found.total > found.events.length ? ` in the newest ${found.events.length} events` : "";
  for (const field of BESIDE[kind]) {
    const names = listNames(found.events, field);
    if (names.length === 0) continue;
    yield* say(`${PLURALS[field]} seen${sampled}`, [], ":\n");
    for (const { name, count, log } of names.slice(0, MAX_NAMES)) {
      const text = `- ${quote(name, 60)}, ${formatCount(count, "event")}, last at ${formatTime(log.timestamp)}`;
      yield* say(text, citeLogs([log]), "\n");
    }
    if (names.length > MAX_NAMES) yield* say(`- and ${names.length - MAX_NAMES} more`, [], "\n");
  }
  yield* say("The newest event", citeLogs([newest]), ":\n");
  yield* writeLogs(say, [newest]);
  return true;
}

/** Lists the values of a field, most frequent first, each with the newest event that contains it. */
function listNames(events: readonly ShownLog[], field: "host" | "user" | "src_ip") {
  const names = new Map<string, { name: string; count: number; log: ShownLog }>();
  for (const log of events) {
    const name = log[field];
    if (name) names.set(name, { name, count: (names.get(name)?.count ?? 0) + 1, log });
  }
  return [...names.values()].toSorted((a, b) => b.count - a.count);
}

async function* tellAlerts(telling: AnswerContext, lookup: Lookup<Alerts>): Part<boolean> {
  const found = yield* writeLookup(telling, lookup);
  if (!found || found.items.length === 0) return false;
  const { items, total } = found;
  const which = total > items.length ? `; the ${items.length} seen last` : "";
  const cited = items.map((alert) => toCitation("alert", alert));
  yield* telling.say(`${formatCount(total, "alert")}${which}`, cited, ":\n");
  yield* writeAlerts(telling.say, items);
  return true;
}

async function* tellIoc(telling: AnswerContext, lookup: ReturnType<AnswerContext["look"]["lookupIoc"]>): Part<boolean> {
  const { iocs } = (yield* writeLookup(telling, lookup)) ?? { iocs: [] };
  for (const ioc of iocs) {
    const { type, value, severity, confidence, source } = ioc;
    const text = `${quote(value)} is a known indicator (${type}, ${severity}, confidence ${confidence}) of source ${quote(source, 60)}`;
    yield* telling.say(text, [toCitation("ioc", ioc)], ".\n");
  }
  return iocs.length > 0;
}

async function* tellEndpoint(
  telling: AnswerContext,
  lookup: ReturnType<AnswerContext["look"]["listEndpoints"]>,
  value: string,
): Part<boolean> {
  const found = yield* writeLookup(telling, lookup);
  const endpoint = found?.items.find(({ hostname }) => unifyHost(hostname) === unifyHost(value));
  if (!endpoint) return false;
  const { hostname, status, os, isolation, last_seen } = endpoint;
  const system = os === null ? "" : ` with ${quote(os, 60)}`;
  const isolated = isolation.reported === "isolated" ? "isolated" : "not isolated";
  const text = `Endpoint ${quote(hostname, 60)}${system} is ${status} and ${isolated}; it reported last at ${formatTime(last_seen)}`;
  yield* telling.say(text, [toCitation("endpoint", endpoint)], ".\n");
  return true;
}
