import type { Static } from "typebox";
import { unifyAddress, unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";
import { oneLine } from "./alert-text.ts";
import type { AlertEntitiesBody } from "./alerts.schema.ts";

/** The hosts, users and addresses of an alert, each with the number of its occurrences, the most frequent first. */
export type AlertEntities = Static<typeof AlertEntitiesBody>;
type EntityKind = "hosts" | "users" | "addresses";
type Entity = AlertEntities[EntityKind][number];

/** The fields of a log that name entities; an unknown one is empty. */
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

/** The entities of the logs. An address counts once per log, also when it is both source and destination. */
export function collectEntities(logs: readonly EntityFields[]): AlertEntities {
  const lists: Record<EntityKind, Entity[]> = { hosts: [], users: [], addresses: [] };
  for (const { host, user, src_ip, dst_ip } of logs) {
    lists.hosts.push(...toEntities("hosts", [host], 1));
    lists.users.push(...toEntities("users", [user], 1));
    lists.addresses.push(...toEntities("addresses", src_ip === dst_ip ? [src_ip] : [src_ip, dst_ip], 1));
  }
  return sumUp(lists, true);
}

/** The entities of a report that names its host and user itself. */
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

/** Whether these entities have a host or a user that the known ones have not. */
export function hasOtherNames(known: AlertEntities, added: AlertEntities): boolean {
  return (["hosts", "users"] as const).some((kind) => {
    const names = new Set(known[kind].map(({ name }) => name));
    return added[kind].some(({ name }) => !names.has(name));
  });
}

/** The entity that a title names: the host that all logs share, else the user, else the source. */
export function findEntityName(logs: readonly Pick<EntityFields, "host" | "user">[], source: string): string {
  const host = findShared(logs.map((log) => unifyHost(log.host)));
  const user = findShared(logs.map((log) => unifyUser(log.user)));
  return oneLine(host || user || source, MAX_NAME_LENGTH) ?? "unknown";
}

/** The name under which the value of a log's field is compared. */
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

/** Keeps the longest spelling of each name: of a host, the one with its domain. */
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
