import { isIP } from "node:net";
import { invalidField } from "@kit/problem";
import { unifyAddress, unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";
import type { Alert } from "../alerts/alert.ts";
import { ENTITY_TYPES, type EntityType } from "./entities.schema.ts";

/** A host, user, address, domain or hash with its normalised name. */
export interface Entity {
  type: EntityType;
  value: string;
}

/** The alert columns that the page of an entity shows. */
export const ENTITY_ALERT_COLUMNS = [
  ...(["id", "title", "severity", "status", "verdict", "first_seen", "last_seen", "case_id"] as const),
  ...(["host", "user", "entities", "iocs"] as const),
] as const;
export type EntityAlert = Pick<Alert, (typeof ENTITY_ALERT_COLUMNS)[number]>;

/** The alert fields that name entities. */
export type NamingAlert = Pick<Alert, "host" | "user" | "entities" | "iocs">;

const UNIFY: Readonly<Record<EntityType, (name: string) => string>> = {
  host: unifyHost,
  user: unifyUser,
  address: unifyAddress,
  domain: (name) => name.toLowerCase(),
  hash: (name) => name.toLowerCase(),
};
const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
const DOMAIN = /^[^\s/@:]+\.[^\s/@:]+$/;

export function toEntity(type: EntityType, name: string): Entity {
  const value = UNIFY[type](name.trim());
  if (value === "") throw invalidField("value", "must not be empty");
  if (type === "address" && isIP(value) === 0) throw invalidField("value", "must be an IP address");
  return { type, value };
}

/** Parses names such as `host:ws1`, as used in a graph. */
export function parseEntity(field: string, text: string): Entity {
  const at = text.indexOf(":");
  const type = ENTITY_TYPES.find((each) => each === text.slice(0, at));
  if (!type) throw invalidField(field, `must begin with one of ${ENTITY_TYPES.join(", ")} and a colon`);
  return toEntity(type, text.slice(at + 1));
}

export function formatEntity({ type, value }: Entity): string {
  return `${type}:${value}`;
}

/** Returns the entity type of an IOC; undefined for URLs and other types. */
function findIocType(ioc: string): EntityType | undefined {
  if (isIP(ioc) !== 0) return "address";
  if (HASH.test(ioc)) return "hash";
  return DOMAIN.test(ioc) ? "domain" : undefined;
}

/** Lists all entities of an alert without duplicates, with their spellings in the alert. */
export function listEntities({ host, user, entities, iocs }: NamingAlert): (Entity & { name: string })[] {
  const found = [
    ...(host === null ? [] : [toNamed("host", host)]),
    ...entities.hosts.map(({ full_name }) => toNamed("host", full_name)),
    ...(user === null ? [] : [toNamed("user", user)]),
    ...entities.users.map(({ full_name }) => toNamed("user", full_name)),
    ...entities.addresses.map(({ name }) => toNamed("address", name)),
    ...iocs.flatMap((ioc) => {
      const type = findIocType(ioc);
      return type ? [toNamed(type, ioc)] : [];
    }),
  ];
  // A host known only by its address is the same entity as that address.
  const unified = found.map((each) =>
    each.type === "host" && isIP(each.value) !== 0 ? { ...each, type: ADDRESS } : each,
  );
  return [...new Map(unified.filter(({ value }) => value !== "").map((each) => [formatEntity(each), each])).values()];
}

const ADDRESS: EntityType = "address";

function toNamed(type: EntityType, name: string): Entity & { name: string } {
  return { type, value: UNIFY[type](name.trim()), name };
}

/** Lists the spellings of an entity in its alerts, normalised name first. */
export function listAliases(entity: Entity, alerts: readonly NamingAlert[]): string[] {
  const names = alerts.flatMap(({ host, user, entities, iocs }) => {
    if (entity.type === "host") return [host ?? "", ...entities.hosts.map(({ full_name }) => full_name)];
    if (entity.type === "user") return [user ?? "", ...entities.users.map(({ full_name }) => full_name)];
    return iocs;
  });
  const same = names.filter((name) => name !== "" && UNIFY[entity.type](name) === entity.value);
  return [...new Set([entity.value, ...same])].slice(0, 20);
}
