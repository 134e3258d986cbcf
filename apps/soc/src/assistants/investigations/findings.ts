import type { Condition, Field } from "@kit/query/condition";
import { unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";
import { PROCESS_NAMES, toPredicate } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { firstTextOf, nameOf, type ProcessRef, readFacts, textOf } from "./event-facts.ts";
import { type Evidence, type LinkedAlert, uniqueById } from "./gather.ts";
import { listContacts, listLinked, listNearby } from "./signals.ts";
import { nameTechniques } from "./techniques.ts";

/**
 * Claims that a field of an event contains a value. `field` is a field of a log, a path into its attributes, or
 * ANY_FIELD.
 */
export interface Claim {
  log_id: string;
  field: string;
  value: string;
}

/** A sentence, the events that it cites, and its claims about them. */
export interface Finding {
  statement: string;
  evidence_ids: string[];
  claims: Claim[];
}

/** A claim about an event as a whole. */
export const ANY_FIELD = "*";

const MAX_VALUE = 200;
const MAX_CITED = 10;
const LIMITS = { ownEvents: 3, values: 6, starts: 8, contacts: 3, linked: 10, techniques: 20, hits: 5 } as const;

/** Builds the sentences of an investigation, each from the events that it cites. */
export function buildFindings(evidence: Evidence, condition?: Condition): Finding[] {
  return [
    ...describeAlert(evidence),
    ...describeValues(evidence, condition),
    ...describeStarts(evidence),
    ...describeInjections(evidence),
    ...describeContacts(evidence),
    ...describeLinked(evidence),
    ...describeTechniques(evidence),
    ...describeHits(evidence),
    ...describeSession(evidence),
    ...describeElsewhere(evidence.user, "user", "The user", (log) => unifyUser(log.user)),
    ...describeAddress(evidence),
  ];
}

function describeAlert({ alert, events }: Evidence): Finding[] {
  const [first] = events;
  if (!first) return [];
  const where = first.host === "" ? "" : ` on ${first.host}`;
  const times = events.length === 1 ? "one event" : `${events.length} events`;
  const same = events.filter(({ host }) => host === first.host);
  return [cite(`The rule "${alert.title}" (${alert.severity}) matched ${times}${where}.`, same, ["host"])];
}

/** Describes which values made the rule match; without a condition, the process of the event. */
function describeValues({ events }: Evidence, condition: Condition | undefined): Finding[] {
  const seen = new Set<string>();
  return events.slice(0, LIMITS.ownEvents).flatMap((event) => {
    const names = condition === undefined ? TELLING_FIELDS : listMatchedFields(condition, event);
    const filled = names.filter((name) => textOf(event, name) !== "");
    const telling = filled.filter((name) => !SOURCE_FIELDS.has(name));
    const fields = (telling.length > 0 ? telling : filled).slice(0, LIMITS.values);
    const said = fields.map((name) => `${name} "${shorten(textOf(event, name))}"`).join(", ");
    if (said === "" || seen.has(said)) return [];
    seen.add(said);
    return [cite(`The event has ${said}.`, [event], fields)];
  });
}

/** Fields with the same values in every event of a source. */
const SOURCE_FIELDS: ReadonlySet<string> = new Set(["Channel", "Provider_Name", "event_code", "source", "EventID"]);
const TELLING_FIELDS = [
  ...["CommandLine", "Image", "TargetObject", "Details", "TargetFilename", "ImageLoaded", "QueryName", "PipeName"],
  ...[
    "ServiceName",
    "ImagePath",
    "ShareName",
    "RelativeTargetName",
    "ObjectName",
    "process",
    "user",
    "src_ip",
    "dst_ip",
  ],
];

/** Returns the fields of the parts of a condition that this event meets. */
function listMatchedFields(condition: Condition, log: LogEvent): string[] {
  const names = new Set<string>();
  collectFields(condition, log, names);
  return [...names];
}

function collectFields(condition: Condition, log: LogEvent, into: Set<string>): void {
  switch (condition.kind) {
    case "and":
    case "or":
      for (const each of condition.of) collectFields(each, log, into);
      return;
    case "all":
    case "none":
    case "not":
      return;
    case "words":
    case "anywhere":
      if (toPredicate(condition)(log)) into.add("message");
      return;
    case "text":
    case "regex":
    case "number":
    case "instant":
    case "network":
    case "exists":
    case "same":
      if (toPredicate(condition)(log)) into.add(toName(condition.field));
      return;
    default:
      condition satisfies never;
  }
}

function toName(field: Field): string {
  return "name" in field ? field.name : field.attribute.join(".");
}

function describeStarts({ tree }: Evidence): Finding[] {
  const starts = uniqueById(tree.processes.flatMap(({ events }) => events.filter((event) => readFacts(event).isStart)));
  const seen = new Set<string>();
  return starts
    .flatMap((event) => {
      const { actor, parent } = readFacts(event);
      if (!actor || !parent || parent.image === "" || !tree.has(actor)) return [];
      // Sysmon and the Windows audit both report a start.
      const key = `${actor.pid} ${nameOf(actor.image)}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const statement = `${formatProcess(actor)} on ${event.host} was started by ${nameOf(parent.image)}.`;
      return [cite(statement, [event], ["host"], [...claimProcess(event, actor), claimImage(event, parent, "parent")])];
    })
    .slice(0, LIMITS.starts);
}

function describeInjections({ tree }: Evidence): Finding[] {
  const injections = uniqueById(tree.processes.flatMap(({ events }) => events)).flatMap((event) => {
    const { actor, target, isInjection } = readFacts(event);
    if (!isInjection || !actor || !target || !tree.has(actor) || target.image === "") return [];
    const how = textOf(event, "NewThreadId") === "" ? "opened" : "started a thread in";
    const statement = `${formatProcess(actor)} on ${event.host} ${how} ${nameOf(target.image)}.`;
    return [cite(statement, [event], ["host"], [...claimProcess(event, actor), claimImage(event, target, "target")])];
  });
  return uniqueStatements(injections).slice(0, LIMITS.contacts);
}

function describeContacts(evidence: Evidence): Finding[] {
  const contacts = uniqueById(listContacts(evidence)).flatMap((event) => {
    const { actor } = readFacts(event);
    if (!actor || event.dst_ip === "") return [];
    const name = nameOf(actor.image) || `process ${actor.pid}`;
    const from = event.src_ip === "" ? "" : ` from ${event.src_ip}`;
    const fields = ["dst_ip", ...(event.src_ip === "" ? [] : ["src_ip"])];
    return [cite(`${name} on ${event.host} has a connection${from} to ${event.dst_ip}.`, [event], ["host", ...fields])];
  });
  return uniqueStatements(contacts).slice(0, LIMITS.contacts);
}

function describeLinked(evidence: Evidence): Finding[] {
  const where = evidence.tree.processes.length > 0 ? "process tree" : "logon session";
  return [
    ...describeAlerts(evidence, listLinked(evidence), `In the same ${where}`),
    ...describeAlerts(evidence, listNearby(evidence), "On the same host, within the hour,"),
  ];
}

function describeAlerts({ alert: own }: Evidence, alerts: readonly LinkedAlert[], where: string): Finding[] {
  const findings = alerts
    .filter(({ alert }) => alert.title !== own.title)
    .map(({ alert, events }) =>
      cite(`${where} the rule "${alert.title}" (${alert.severity}) matched.`, events, ["host"]),
    );
  return uniqueStatements(findings).slice(0, LIMITS.linked);
}

function describeTechniques(evidence: Evidence): Finding[] {
  return nameTechniques(evidence)
    .slice(0, LIMITS.techniques)
    .map(({ id, by, events }) => cite(`Technique ${id}: ${by}.`, events, ["host"]));
}

function describeHits({ iocHits }: Evidence): Finding[] {
  const values = [...new Set(iocHits.map(({ value }) => value))].slice(0, LIMITS.hits);
  return values.map((value) => {
    const ids = iocHits.filter((hit) => hit.value === value).map(({ log_id }) => log_id);
    return {
      statement: `The known indicator "${value}" occurs in the events.`,
      evidence_ids: ids.slice(0, MAX_CITED),
      claims: ids.slice(0, MAX_CITED).map((log_id) => ({ log_id, field: ANY_FIELD, value })),
    };
  });
}

function describeSession({ session }: Evidence): Finding[] {
  const [first] = session;
  if (!first) return [];
  const id = readFacts(first).session;
  const claims = session.slice(0, MAX_CITED).map((log) => ({ log_id: log.id, field: sessionField(log), value: id }));
  return [
    cite(`The logon session ${id} on ${first.host} has ${session.length} events within the hour.`, session, [], claims),
  ];
}

/** Describes where else the user or address of the alert was seen, which does not affect the verdict. */
function describeElsewhere(
  logs: readonly LogEvent[],
  field: "user" | "src_ip" | "dst_ip",
  noun: string,
  nameIn: (log: LogEvent) => string,
): Finding[] {
  const [first] = logs;
  const hosts = new Map(logs.toReversed().map((log) => [unifyHost(log.host), log]));
  hosts.delete("");
  if (!first || hosts.size < 2) return [];
  const named = [...hosts.values()].slice(0, MAX_CITED);
  const places = named.map(({ host }) => host).join(", ");
  const claims = named.map((log) => ({ log_id: log.id, field: "host", value: log.host }));
  return [cite(`${noun} ${nameIn(first)} was active on ${places} within the hour.`, named, [field], claims)];
}

function describeAddress({ address, events }: Evidence): Finding[] {
  const wanted = events.map(({ src_ip, dst_ip }) => src_ip || dst_ip).find((each) => each !== "");
  if (wanted === undefined) return [];
  const [from, to] = (["src_ip", "dst_ip"] as const).map((field) => address.filter((log) => log[field] === wanted));
  return [
    ...describeElsewhere(from ?? [], "src_ip", "The source address", () => wanted),
    ...describeElsewhere(to ?? [], "dst_ip", "The destination address", () => wanted),
  ];
}

function sessionField(log: LogEvent): string {
  return PROCESS_NAMES.session.find((name) => textOf(log, name) !== "") ?? ANY_FIELD;
}

/** Builds a sentence about these events with claims for these fields. */
export function cite(
  statement: string,
  events: readonly LogEvent[],
  fields: readonly string[],
  claims: Claim[] = [],
): Finding {
  const cited = uniqueById(events).slice(0, MAX_CITED);
  const own = cited.flatMap((event) =>
    fields
      .filter((field) => textOf(event, field) !== "")
      .map((field) => ({ log_id: event.id, field, value: shorten(textOf(event, field)) })),
  );
  return { statement, evidence_ids: cited.map(({ id }) => id), claims: [...own, ...claims] };
}

function claimProcess(event: LogEvent, ref: ProcessRef): Claim[] {
  const pid = findField(event, PROCESS_NAMES.actor.pid);
  const claims = ref.image === "" ? [] : [claimImage(event, ref, "actor")];
  return pid === undefined ? claims : [...claims, { log_id: event.id, field: pid, value: textOf(event, pid) }];
}

function claimImage(event: LogEvent, { image }: ProcessRef, role: "actor" | "parent" | "target"): Claim {
  const field = findField(event, PROCESS_NAMES[role].image) ?? ANY_FIELD;
  return { log_id: event.id, field, value: nameOf(image) };
}

function findField(event: LogEvent, names: readonly string[]): string | undefined {
  const value = firstTextOf(event, names);
  return names.find((name) => value !== "" && textOf(event, name) === value);
}

function formatProcess({ image, pid }: ProcessRef): string {
  const name = nameOf(image) || "a process";
  return pid === 0 ? name : `${name} (pid ${pid})`;
}

export function uniqueStatements(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.toReversed().map((finding) => [finding.statement, finding])).values()].toReversed();
}

/** Shortens a long value; the rest still occurs in the event. */
export function shorten(value: string): string {
  return value.slice(0, MAX_VALUE);
}
