import { isIP } from "node:net";
import { Problem } from "@kit/problem";
import { type Indicator, parseIndicator } from "../../detection/module.ts";
import { unifyUser } from "../../foundation/records/entity-name.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { listTexts } from "../investigations/checker.ts";
import { firstTextOf, textOf } from "../investigations/event-facts.ts";
import { isShared } from "../investigations/process-tree.ts";
import { isRemote } from "../investigations/signals.ts";
import type { Subject } from "./step.ts";

/** A period of event time in the format of the tools; `to` is exclusive. */
export interface Window {
  from: string;
  to: string;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** The maximum length of a value in a search. */
const MAX_VALUE = 500;

/** Returns the period from an hour before the first event to an hour after the last one. */
export function computeWindow({ alert, events }: Subject): Window {
  const known = events.map(({ timestamp }) => Date.parse(timestamp)).filter((time) => !Number.isNaN(time));
  const reported = [alert.event_first_at ?? alert.first_seen, alert.event_last_at ?? alert.last_seen];
  const times = known.length > 0 ? known : reported.map((time) => time.getTime());
  return {
    from: toInstant(Math.min(...times) - HOUR_MS),
    to: toInstant(Math.max(...times) + HOUR_MS + 1),
  };
}

/** Returns the days before the window without the window. */
export function daysBefore({ from }: Window, days: number): Window {
  return { from: toInstant(Date.parse(from) - days * DAY_MS), to: from };
}

/** Returns the window and the days before it. */
export function daysUpTo({ from, to }: Window, days: number): Window {
  return { from: toInstant(Date.parse(from) - days * DAY_MS), to };
}

function toInstant(time: number): string {
  return new Date(time).toISOString();
}

/** Sorts by frequency and then by text, because the order of the events must not matter. */
function rank(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values.filter(isSearchable)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([a, often], [b, seldom]) => seldom - often || (a < b ? -1 : 1)).map(([value]) => value);
}

function isSearchable(value: string): boolean {
  return value.trim() !== "" && value.length <= MAX_VALUE;
}

export function listHosts({ alert, events }: Subject): string[] {
  const named = rank(events.map(({ host }) => host));
  return named.length > 0 ? named : rank([alert.host ?? ""]);
}

/** System accounts, which have the same names on all hosts. */
const SYSTEM_USERS: ReadonlySet<string> = new Set([
  ...["system", "localsystem", "local system", "local service", "network service", "anonymous logon"],
]);

/** Returns the accounts of people and services without machine and system accounts. */
export function listUsers({ alert, events }: Subject): string[] {
  const named = rank(events.map(({ user }) => user));
  const users = named.length > 0 ? named : rank([alert.user ?? ""]);
  return users.filter((user) => !user.endsWith("$") && !SYSTEM_USERS.has(unifyUser(user)));
}

/** Returns valid addresses of other machines; a query would treat a quoted network as a network. */
export function listAddresses({ events }: Subject, ...fields: readonly ("src_ip" | "dst_ip")[]): string[] {
  const named = events.flatMap((event) => fields.map((field) => event[field]));
  return rank(named).filter((address) => isIP(address) !== 0 && isRemote(address));
}

/** Returns the programs that acted, except those that run on every machine all the time. */
export function listImages({ events }: Subject): string[] {
  return rank(events.map(({ process }) => process)).filter((image) => !isShared({ image }));
}

/** Returns for each event the value of the first of these fields that it has. */
export function listValues({ events }: Pick<Subject, "events">, names: readonly string[]): string[] {
  return rank(events.map((event) => firstTextOf(event, names)));
}

const HASH_FIELDS = [
  ...["Hashes", "Hash", "SHA256", "SHA1", "MD5", "hash", "sha256", "sha1", "md5"],
  ...["process.hash.sha256", "process.hash.sha1", "process.hash.md5"],
  ...["file.hash.sha256", "file.hash.sha1", "file.hash.md5"],
];
const DIGEST = /\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b/gi;

/** Returns file digests in lower case, longest first. */
export function listHashes({ alert, events }: Subject): string[] {
  const texts = [...alert.iocs, ...events.flatMap((event) => HASH_FIELDS.map((name) => textOf(event, name)))];
  const digests = texts.flatMap((text) => text.match(DIGEST) ?? []);
  return rank(digests.map((digest) => digest.toLowerCase())).toSorted((a, b) => b.length - a.length);
}

const NAME_FIELDS = [
  ...["QueryName", "DestinationHostname", "dns.question.name", "url.domain", "destination.domain", "cs-host"],
  ...["url.original", "url.full", "url", "c-uri"],
];

export const SENDER_FIELDS = [
  ...["mail.from", "email.sender", "email.from.address", "email.from", "sender", "SenderFromAddress", "SenderAddress"],
];

/** Returns domains, URLs and senders: first the indicators of the alert, then those of its events. */
export function listIndicators({ alert, events }: Subject): Indicator[] {
  const named = events.flatMap((event) => [...NAME_FIELDS, ...SENDER_FIELDS].map((name) => textOf(event, name)));
  const found = [...rank(alert.iocs), ...rank(named)].flatMap(findIndicator);
  return [...new Map(found.map((each) => [each.value, each])).values()];
}

function findIndicator(text: string): Indicator[] {
  try {
    return [parseIndicator(text)];
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

/** Returns the alert's events with this value in one of the fields. */
export function ownEvents({ events }: Subject, fields: readonly string[], value: string): LogEvent[] {
  const wanted = value.toLowerCase();
  return events.filter((event) => fields.some((field) => textOf(event, field).toLowerCase() === wanted));
}

/**
 * Reports whether the event names exactly this indicator, not a longer text that contains it: `evil.example`, not
 * `evil.example.org`.
 */
export function isNamedIn(event: LogEvent, indicator: string): boolean {
  const wanted = indicator.toLowerCase();
  return listTexts(event).some((text) => {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
      const isWhole =
        !/[\w-]$/.test(lower.slice(0, at).slice(-1)) && !/^(?:[\w-]|\.\w)/.test(lower.slice(at + wanted.length));
      if (isWhole) return true;
    }
    return false;
  });
}
