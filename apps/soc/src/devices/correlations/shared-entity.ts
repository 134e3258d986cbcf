import { isIP } from "node:net";
import type { Alert } from "../../alerts/module.ts";
import { unifyAddress, unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";

const ENTITY_KINDS = ["device", "host", "user", "address", "hash", "ioc"] as const;
type EntityKind = (typeof ENTITY_KINDS)[number];

/** An entity that two records can share. Its key is the kind and the normalised name: `host:ws-7`. */
export interface SharedEntity {
  kind: EntityKind;
  value: string;
}

const MAX_ENTITIES = 100;
const MAX_VALUE = 512;
const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
/** Accounts that exist on every machine. */
const EVERYWHERE = new Set(["system", "localsystem", "local service", "localservice", "network service"]);
const EVERYWHERE_TOO = new Set(["networkservice", "root", "anonymous logon", "daemon"]);
/** Addresses that exist on every machine. */
const OWN_ADDRESS = /^(?:127\.|0\.0\.0\.0$|169\.254\.|255\.255\.255\.255$|::1?$|fe80:)/;

export function formatEntity({ kind, value }: SharedEntity): string {
  return `${kind}:${value}`;
}

export function parseEntity(key: string): SharedEntity {
  const at = key.indexOf(":");
  const kind = ENTITY_KINDS.find((each) => each === key.slice(0, at)) ?? "ioc";
  return { kind, value: key.slice(at + 1) };
}

/** Lists the entities of an alert that distinguish one machine, person or tool from another. */
export function listAlertEntities(alert: Pick<Alert, "host" | "user" | "entities" | "iocs">): SharedEntity[] {
  const { hosts, users, addresses } = alert.entities;
  return unique([
    ...[alert.host ?? "", ...hosts.map(({ name }) => name)].map((name) => toEntity("host", name)),
    ...[alert.user ?? "", ...users.map(({ name }) => name)].map((name) => toEntity("user", name)),
    ...addresses.map(({ name }) => toEntity("address", name)),
    ...alert.iocs.map(toIoc),
  ]);
}

/** Lists the entities of a device attestation. */
export function listDeviceEntities(device: { id: string; name: string; hash: string | null }): SharedEntity[] {
  const { id, name, hash } = device;
  return unique([toEntity("device", id), toEntity("host", name), hash === null ? undefined : toEntity("hash", hash)]);
}

function toIoc(value: string): SharedEntity | undefined {
  const trimmed = value.trim();
  if (isIP(trimmed) !== 0) return toEntity("address", trimmed);
  return toEntity(HASH.test(trimmed) ? "hash" : "ioc", trimmed.toLowerCase());
}

function toEntity(kind: EntityKind, name: string): SharedEntity | undefined {
  const value = unify(kind, name);
  return value === "" || value.length > MAX_VALUE || isEverywhere(kind, value) ? undefined : { kind, value };
}

function unify(kind: EntityKind, name: string): string {
  if (kind === "host") return unifyHost(name);
  if (kind === "user") return unifyUser(name);
  return kind === "address" ? unifyAddress(name.trim()) : name.trim().toLowerCase();
}

function isEverywhere(kind: EntityKind, value: string): boolean {
  if (kind === "user") return EVERYWHERE.has(value) || EVERYWHERE_TOO.has(value) || value.endsWith("$");
  return kind === "address" && OWN_ADDRESS.test(value);
}

function unique(entities: readonly (SharedEntity | undefined)[]): SharedEntity[] {
  const known = new Map(entities.flatMap((each) => (each ? [[formatEntity(each), each] as const] : [])));
  return [...known.values()].slice(0, MAX_ENTITIES);
}
