import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import { unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";
import type { AlertQuery, CompileAlertQuery } from "./alert-query.ts";
import type { AlertBody, AlertFilters, ListAlertsQuery } from "./alerts.schema.ts";

type Alert = Static<typeof AlertBody>;

/** The filters of a request with `me` resolved and the query compiled. */
export interface AlertSelection extends Omit<AlertFilters, "query"> {
  query?: AlertQuery;
}

/** The parameters of the list in the form that a store takes. */
export interface WantedAlerts extends Omit<ListAlertsQuery, "query"> {
  query?: AlertQuery;
}

/** The filters that compare a column. */
export const EQUAL_FILTERS = ["severity", "status", "source", "assignee", "case_id", "verdict"] as const;

/** Selects alerts without a value. */
export const NONE = "none";
/** Selects alerts of the caller. */
const ME = "me";

/** The filters that compare filter keys. A technique also selects its sub-techniques. */
const KEY_FILTERS = {
  host: (name: string) => `host:${unifyHost(name)}`,
  user: (name: string) => `user:${unifyUser(name)}`,
  rule_id: (id: string) => `rule:${id.toLowerCase()}`,
  site: (site: string) => `site:${site}`,
  tag: (tag: string) => `tag:${tag}`,
  technique: (technique: string) => `technique:${technique.toUpperCase()}`,
} as const;
const KEY_NAMES = ["host", "user", "rule_id", "site", "tag", "technique"] as const;

/** The filters that accept several values. */
export const SEVERAL_FILTERS = [...EQUAL_FILTERS, ...KEY_NAMES, "ids", "ioc"] as const;

/** Resolves `me` to the caller's name and compiles the query. */
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

/** Returns the filter keys of every alert whose field equals the text, ignoring case; empty for fields without keys. */
export function listQueryKeys(field: string, text: string): string[] {
  return field === "host" || field === "user" || field === "rule_id" ? [KEY_FILTERS[field](text)] : [];
}

type FilterFields = Pick<Alert, "host" | "user" | "entities" | "rule_id" | "site" | "tags" | "mitre_techniques">;

/** Returns every key by which a filter finds the alert. */
export function toFilterKeys(alert: FilterFields): string[] {
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

/** Replaces the tag keys after a change of the tags. */
export function replaceTagKeys(keys: readonly string[], tags: readonly string[]): string[] {
  return [...new Set([...keys.filter((key) => !key.startsWith("tag:")), ...tags.map(KEY_FILTERS.tag)])];
}

/** Returns one list of keys per filter; an alert must have at least one key of each list. */
export function listWantedKeys(query: AlertSelection): string[][] {
  return KEY_NAMES.flatMap((name) => {
    const values = query[name];
    return values === undefined ? [] : [values.map((value) => KEY_FILTERS[name](value))];
  });
}

/** Returns the keys of hosts and users that related alerts share. */
export function listEntityKeys({ host, user, entities }: Pick<Alert, "host" | "user" | "entities">) {
  return {
    hosts: listNames(host, entities.hosts).map(KEY_FILTERS.host),
    users: listNames(user, entities.users).map(KEY_FILTERS.user),
  };
}

/** Returns the original spellings of hosts and users for the search. */
export function toNames({ host, user, entities }: Pick<Alert, "host" | "user" | "entities">): string {
  const spelled = [...entities.hosts, ...entities.users].map(({ full_name }) => full_name);
  return [...new Set([host ?? "", user ?? "", ...spelled])].filter((name) => name !== "").join(" ");
}

/** Reports whether the filters select the alert, by the same rules as the database. */
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

/** Parses the period in which an alert must have been seen. */
export function parseSpan({ from, to }: Pick<AlertFilters, "from" | "to">): { from?: Date; to?: Date } {
  const span = {
    ...(from !== undefined && { from: parseInstant("from", from) }),
    ...(to !== undefined && { to: parseInstant("to", to) }),
  };
  if (span.from && span.to && span.from >= span.to) throw invalidField("from", "must be before to");
  return span;
}

/** Returns the words that the title or the names must contain as prefixes; empty without a search. */
export function searchWords(q: string | undefined): string[] {
  const words = splitWords(q ?? "");
  if (q !== undefined && words.length === 0) throw invalidField("q", "must contain a letter or a digit");
  return words;
}

/** The schema accepts leap seconds, which a Date cannot represent. */
function parseInstant(field: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalidField(field, `'${text}' is not a valid time`);
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
