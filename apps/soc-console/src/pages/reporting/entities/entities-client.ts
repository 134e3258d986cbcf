import type { GraphBody } from "@soc/service/contract/alerts/entities/entities";
import type { EntityPageBody } from "@soc/service/contract/reporting/entities/entity-pages";
import type { Server, Wire } from "../../../app/server/server.ts";
import type { EntityKind } from "./entity-link.tsx";

export type EntityPageData = Wire<EntityPageBody>;
export type EntityType = EntityPageData["entity"]["type"];
export type EntityGraph = Wire<GraphBody>;

/** The API calls an IP an address. */
const TYPES: Readonly<Record<EntityKind, EntityType>> = {
  host: "host",
  user: "user",
  ip: "address",
  hash: "hash",
  domain: "domain",
};

export function toEntityKind(type: EntityType): EntityKind {
  return type === "address" ? "ip" : type;
}

export const entitiesKeys = {
  one: (kind: EntityKind, value: string) => ["entities", "one", kind, value],
  graph: (kind: EntityKind, value: string) => ["entities", "graph", kind, value],
};

export function readEntity(server: Server, kind: EntityKind, value: string, signal: AbortSignal) {
  return server.get<EntityPageData>(`/entities/${TYPES[kind]}/${encodeURIComponent(value)}`, { signal });
}

export function readGraph(server: Server, kind: EntityKind, value: string, signal: AbortSignal) {
  return server.get<EntityGraph>("/entities/graph", { query: { seed: `${TYPES[kind]}:${value}`, depth: 1 }, signal });
}
