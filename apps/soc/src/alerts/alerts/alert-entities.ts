import type { Static } from "typebox";
import { unifyAddress, unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";
import { oneLine } from "./alert-text.ts";
import type { AlertEntitiesBody } from "./alerts.schema.ts";

/** The hosts, users and addresses of an alert with their number of occurrences, most frequent first. */
export type AlertEntities = Static<typeof AlertEntitiesBody>;
type EntityKind = "hosts" | "users" | "addresses";
type Entity = AlertEntities[EntityKind][number];

/** The log fields that name entities; an unknown field is empty. */
export interface EntityFields {
  host: string;
  user: string;
  src_ip: string;
  dst_ip: string;
}

const MAX_ENTITIES = 100;
const MAX_NAME_LENGTH = 255;
const KINDS = ["hosts", "users", "addresses"] as const;
const UNIFY: Readonly<Record<EntityKind, (name: string) => string>> = {
  hosts: unifyHost,
  users: unifyUser,
  addresses: unifyAddress,
};

export const NO_ENTITIES: AlertEntities = { hosts: [], users: [], addresses: [], is_complete: true };

/** Collects the entities of the logs. An address counts once per log, even if it is both source and destination. */
export function collectEntities(logs: readonly EntityFields[]): AlertEntities {
  const lists: Record<EntityKind, Entity[]> = { hosts: [], users: [], addresses: [] };
  for (const { host, user, src_ip, dst_ip } of logs) {
    lists.hosts.push(...toEntities("hosts", [host], 1));
    lists.users.push(...toEntities("users", [user], 1));
    lists.addresses.push(...toEntities("addresses", src_ip === dst_ip ? [src_ip] : [src_ip, dst_ip], 1));
  }
  return sumUp(lists, true);
}

/** Returns the entities of a report that names its host and user explicitly. */
export function namedEntities(host: string | undefined, user: string | undefined, count: number): AlertEntities {
  return {
    hosts: toEntities("hosts", [host ?? ""], count),
    users: toEntities("users", [user ?? ""], count),
    addresses: [],
    is_complete: true,
  };
}

export function mergeEntities(known: AlertEntities, added: AlertEntities): AlertEntities {
  const lists = {
    hosts: [...known.hosts, ...added.hosts],
    users: [...known.users, ...added.users],
    addresses: [...known.addresses, ...added.addresses],
  };
  return sumUp(lists, known.is_complete && added.is_complete);
}

/** Reports whether `added` names a host or user that `known` does not. */
export function hasOtherNames(known: AlertEntities, added: AlertEntities): boolean {
  return (["hosts", "users"] as const).some((kind) => {
    const names = new Set(known[kind].map(({ name }) => name));
    return added[kind].some(({ name }) => !names.has(name));
  });
}

/** Returns the entity for a title: the host that all logs share, else the user, else the source. */
export function findEntityName(logs: readonly Pick<EntityFields, "host" | "user">[], source: string): string {
  const host = findShared(logs.map((log) => unifyHost(log.host)));
  const user = findShared(logs.map((log) => unifyUser(log.user)));
  return oneLine(host || user || source, MAX_NAME_LENGTH) ?? "unknown";
}

/** Normalises the value of a log field for comparison. */
export function unifyField(field: string, value: string): string {
  if (field === "host") return unifyHost(value);
  if (field === "user") return unifyUser(value);
  return field === "src_ip" || field === "dst_ip" ? unifyAddress(value) : value;
}

function findShared(names: readonly string[]): string {
  const [first = ""] = names;
  return names.every((name) => name === first) ? first : "";
}

function toEntities(kind: EntityKind, spellings: readonly string[], count: number): Entity[] {
  return spellings.flatMap((spelling) => {
    const full_name = oneLine(spelling, MAX_NAME_LENGTH);
    const name = full_name === undefined ? "" : UNIFY[kind](full_name);
    return full_name === undefined || name === "" ? [] : [{ name, full_name, count }];
  });
}

/** Merges spellings and keeps the longest one of each name: for a host, the one with its domain. */
function sumUp(lists: Readonly<Record<EntityKind, readonly Entity[]>>, wasComplete: boolean): AlertEntities {
  const all = { hosts: toSums(lists.hosts), users: toSums(lists.users), addresses: toSums(lists.addresses) };
  return {
    hosts: all.hosts.slice(0, MAX_ENTITIES),
    users: all.users.slice(0, MAX_ENTITIES),
    addresses: all.addresses.slice(0, MAX_ENTITIES),
    is_complete: wasComplete && KINDS.every((kind) => all[kind].length <= MAX_ENTITIES),
  };
}

function toSums(entities: readonly Entity[]): Entity[] {
  const sums = new Map<string, Entity>();
  for (const { name, full_name, count } of entities) {
    const known = sums.get(name);
    const longest = known && known.full_name.length >= full_name.length ? known.full_name : full_name;
    sums.set(name, { name, full_name: longest, count: count + (known?.count ?? 0) });
  }
  return [...sums.values()].toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
