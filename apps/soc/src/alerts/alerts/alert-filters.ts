import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import { unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";
import type { AlertQuery, CompileAlertQuery } from "./alert-query.ts";
import type { AlertBody, AlertFilters, ListAlertsQuery } from "./alerts.schema.ts";

type Alert = Static<typeof AlertBody>;

/** The filters of a request, for one caller and with the query compiled. */
export interface AlertSelection extends Omit<AlertFilters, "query"> {
  query?: AlertQuery;
}

/** The query of the list, with its filters as a store takes them. */
export interface WantedAlerts extends Omit<ListAlertsQuery, "query"> {
  query?: AlertQuery;
}

/** The filters that compare a column of the alert. */
export const EQUAL_FILTERS = ["severity", "status", "source", "assignee", "case_id", "verdict"] as const;

/** Stands for an alert without a value. */
export const NONE = "none";
/** Stands for the caller. */
const ME = "me";

/** The filters that look among the keys of the alert. A technique also selects its sub-techniques. */
const KEY_FILTERS = {
  host: (name: string) => `host:${unifyHost(name)}`,
  user: (name: string) => `user:${unifyUser(name)}`,
  rule_id: (id: string) => `rule:${id.toLowerCase()}`,
  site: (site: string) => `site:${site}`,
  tag: (tag: string) => `tag:${tag}`,
  technique: (technique: string) => `technique:${technique.toUpperCase()}`,
} as const;
const KEY_NAMES = ["host", "user", "rule_id", "site", "tag", "technique"] as const;

/** The filters that take several values. */
export const SEVERAL_FILTERS = [...EQUAL_FILTERS, ...KEY_NAMES, "ids", "ioc"] as const;

/** The filters with the caller's name for `me`, and with the query compiled. */
export function toSelection(
  { query, ...filters }: ListAlertsQuery,
  compile: CompileAlertQuery,
  username: string | undefined,
): WantedAlerts {
  const { assignee } = filters;
  return {
    ...filters,
    ...(assignee && { assignee: assignee.map((name) => (name === ME ? (username ?? name) : name)) }),
    ...(query !== undefined && { query: compile(query) }),
  };
}

export function toHostKeys(hosts: readonly string[]): string[] {
  return hosts.map(KEY_FILTERS.host);
}

/** The filter keys that every alert has whose field is equal to the text, in any case; empty for other fields. */
export function listQueryKeys(field: string, text: string): string[] {
  return field === "host" || field === "user" || field === "rule_id" ? [KEY_FILTERS[field](text)] : [];
}

type Filtered = Pick<Alert, "host" | "user" | "entities" | "rule_id" | "site" | "tags" | "mitre_techniques">;

/** Every key by which a filter finds the alert. */
export function toFilterKeys(alert: Filtered): string[] {
  const { entities, rule_id, site, tags, mitre_techniques } = alert;
  return [
    ...new Set([
      ...listNames(alert.host, entities.hosts).map(KEY_FILTERS.host),
      ...listNames(alert.user, entities.users).map(KEY_FILTERS.user),
      ...(rule_id === null ? [] : [KEY_FILTERS.rule_id(rule_id)]),
      ...(site === null ? [] : [KEY_FILTERS.site(site)]),
      ...tags.map(KEY_FILTERS.tag),
      ...mitre_techniques.flatMap((id) => [id, id.split(".", 1)[0] ?? id]).map(KEY_FILTERS.technique),
    ]),
  ];
}

/** The keys of an alert whose tags have changed. */
export function replaceTagKeys(keys: readonly string[], tags: readonly string[]): string[] {
  return [...new Set([...keys.filter((key) => !key.startsWith("tag:")), ...tags.map(KEY_FILTERS.tag)])];
}

/** For each filter of the query the keys of which the alert must have one. */
export function listWantedKeys(query: AlertSelection): string[][] {
  return KEY_NAMES.flatMap((name) => {
    const values = query[name];
    return values === undefined ? [] : [values.map((value) => KEY_FILTERS[name](value))];
  });
}

/** The keys of the hosts and users that an alert shares with related alerts. */
export function listEntityKeys({ host, user, entities }: Pick<Alert, "host" | "user" | "entities">) {
  return {
    hosts: listNames(host, entities.hosts).map(KEY_FILTERS.host),
    users: listNames(user, entities.users).map(KEY_FILTERS.user),
  };
}

/** The names of hosts and users as they were spelled, for the search. */
export function toNames({ host, user, entities }: Pick<Alert, "host" | "user" | "entities">): string {
  const spelled = [...entities.hosts, ...entities.users].map(({ full_name }) => full_name);
  return [...new Set([host ?? "", user ?? "", ...spelled])].filter((name) => name !== "").join(" ");
}

/** Whether the filters select the alert; the same rule as in the database. */
export function isListed(alert: Alert, query: AlertSelection): boolean {
  const keys = new Set(toFilterKeys(alert));
  const words = splitWords(`${alert.title} ${toNames(alert)}`);
  return (
    EQUAL_FILTERS.every((name) => isAmong(query[name], alert[name])) &&
    listWantedKeys(query).every((wanted) => wanted.some((key) => keys.has(key))) &&
    isAmong(query.ids, alert.id) &&
    isWithin(alert, query) &&
    searchWords(query.q).every((word) => words.some((known) => known.startsWith(word))) &&
    (query.query?.matches(alert) ?? true)
  );
}

function isWithin(alert: Alert, query: AlertSelection): boolean {
  const { has_case, ioc, min_risk } = query;
  const { from, to } = parseSpan(query);
  return (
    (from === undefined || alert.last_seen >= from) &&
    (to === undefined || alert.first_seen < to) &&
    (has_case === undefined || has_case === (alert.case_id !== null)) &&
    (ioc === undefined || alert.iocs.some((value) => ioc.includes(value))) &&
    (min_risk === undefined || (alert.risk_score !== null && alert.risk_score >= min_risk))
  );
}

/** The time in which an alert must have been seen. */
export function parseSpan({ from, to }: Pick<AlertFilters, "from" | "to">): { from?: Date; to?: Date } {
  const span = {
    ...(from !== undefined && { from: parseInstant("from", from) }),
    ...(to !== undefined && { to: parseInstant("to", to) }),
  };
  if (span.from && span.to && span.from >= span.to) throw invalidField("from", "must be before to");
  return span;
}

/** The words that title or names must contain, each as a prefix; empty without a search. */
export function searchWords(q: string | undefined): string[] {
  const words = splitWords(q ?? "");
  if (q !== undefined && words.length === 0) throw invalidField("q", "must have a letter or a digit");
  return words;
}

/** The schema accepts leap seconds, which a Date cannot represent. */
function parseInstant(field: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalidField(field, `'${text}' is no time`);
  return time;
}

function isAmong(values: readonly string[] | undefined, value: string | null): boolean {
  return values === undefined || values.includes(value ?? NONE);
}

function listNames(named: string | null, entities: readonly { name: string }[]): string[] {
  return [...(named === null ? [] : [named]), ...entities.map(({ name }) => name)];
}

function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s\p{Cc}!-/:-@[-`{-~]+/u)
    .filter((word) => word !== "");
}
