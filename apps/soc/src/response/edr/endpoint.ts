import { isIP } from "node:net";
import { invalidField } from "@kit/problem";
import { ALL_SITES, findOnlySite, type Scope } from "../../foundation/caller/caller.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { unifyAddress } from "../../foundation/records/entity-name.ts";
import type {
  DESIRED_STATES,
  EndpointBody,
  HeartbeatRequest,
  ListEndpointsQuery,
  REPORTED_STATES,
} from "./edr.schema.ts";

export type Desired = (typeof DESIRED_STATES)[number];
export type ReportedState = (typeof REPORTED_STATES)[number];

export interface EndpointRow {
  id: string;
  hostname: string;
  ip: string | null;
  os: string | null;
  site: string | null;
  agent_version: string | null;
  risk: number;
  desired: Desired;
  reported: ReportedState;
  last_seen: Date;
  registered_at: Date;
  /** When a person removed the endpoint; its next heartbeat registers it again. */
  retired_at: Date | null;
}

/** The maximum number of registered endpoints, not counting retired ones. */
export const MAX_ENDPOINTS = 100_000;

/** An endpoint without a heartbeat for this long is offline. */
const ONLINE_MS = 5 * 60_000;

export const NEWEST_ENDPOINT_FIRST: Order<EndpointRow> = newestFirst("registered_at");

/** Returns the time after which a seen endpoint counts as online. */
export function onlineSince(now: Date): Date {
  return new Date(now.getTime() - ONLINE_MS);
}

export function toEndpointBody(row: EndpointRow, now: Date): EndpointBody {
  const { id, hostname, ip, os, site, agent_version, desired, reported, last_seen, risk } = row;
  const status = last_seen > onlineSince(now) ? "online" : "offline";
  return { id, hostname, ip, os, site, agent_version, status, isolation: { desired, reported }, last_seen, risk };
}

/**
 * Returns the site of a reported endpoint for a caller of some sites: the caller's only site, or the one that the
 * heartbeat names.
 */
export function placeHeartbeat(scope: Scope, known: EndpointRow | undefined, said: HeartbeatRequest): HeartbeatRequest {
  if (scope === ALL_SITES) return said;
  const site = findOnlySite(scope) ?? said.site ?? known?.site ?? null;
  if (site === null || !scope.includes(site)) throw invalidField("site", "must be one of your sites");
  return { ...said, site };
}

/** Merges a heartbeat into the endpoint; a new endpoint must name its hostname. */
export function applyHeartbeat(
  id: string,
  known: EndpointRow | undefined,
  { isolation, ...said }: HeartbeatRequest,
  now: Date,
): EndpointRow {
  const hostname = said.hostname ?? known?.hostname;
  if (hostname === undefined) throw invalidField("hostname", "is required");
  const row = known ?? {
    id,
    ip: null,
    os: null,
    site: null,
    agent_version: null,
    risk: 0,
    desired: "normal",
    reported: "unknown",
    registered_at: now,
    retired_at: null,
  };
  return { ...row, ...said, ...readAddress(said), hostname, reported: isolation ?? row.reported, last_seen: now };
}

function readAddress({ ip }: HeartbeatRequest): { ip?: string } {
  if (ip === undefined) return {};
  if (isIP(ip) === 0) throw invalidField("ip", "must be an IP address");
  return { ip: unifyAddress(ip) };
}

/** Reports whether the endpoint matches the filters, by the same rules as the database. */
export function isListed(row: EndpointRow, query: ListEndpointsQuery, now: Date): boolean {
  const { site, os, status, isolation, q } = query;
  return (
    (site === undefined || row.site === site) &&
    (os === undefined || row.os === os) &&
    (status === undefined || toEndpointBody(row, now).status === status) &&
    (isolation === undefined || (isolation === "pending" ? isPending(row) : row.reported === isolation)) &&
    (q === undefined || row.hostname.toLowerCase().includes(q.toLowerCase()) || row.ip?.startsWith(q) === true)
  );
}

/**
 * Reports whether the desired state has not been reported yet. A normal endpoint that never reported its state is not
 * pending.
 */
function isPending({ desired, reported }: EndpointRow): boolean {
  return desired !== reported && !(desired === "normal" && reported === "unknown");
}
