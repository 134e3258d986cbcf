import { isIP } from "node:net";
import { invalidField } from "@kit/problem";
import { ALL_SITES, findOnlySite, type Scope } from "../../foundation/caller/scope.ts";
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
export type Reported = (typeof REPORTED_STATES)[number];

export interface EndpointRow {
  id: string;
  hostname: string;
  ip: string | null;
  os: string | null;
  site: string | null;
  agent_version: string | null;
  risk: number;
  desired: Desired;
  reported: Reported;
  last_seen: Date;
  registered_at: Date;
  /** When a person removed it; its next heartbeat registers it again. */
  retired_at: Date | null;
}

/** How many endpoints can be registered; retired ones do not count. */
export const MAX_ENDPOINTS = 100_000;

/** An endpoint without a heartbeat for this long is offline. */
const ONLINE_MS = 5 * 60_000;

export const NEWEST_ENDPOINT_FIRST: Order<EndpointRow> = newestFirst("registered_at");

/** Endpoints seen after this time are online. */
export function onlineSince(now: Date): Date {
  return new Date(now.getTime() - ONLINE_MS);
}

export function toEndpointBody(row: EndpointRow, now: Date): EndpointBody {
  const { id, hostname, ip, os, site, agent_version, desired, reported, last_seen, risk } = row;
  const status = last_seen > onlineSince(now) ? "online" : "offline";
  return { id, hostname, ip, os, site, agent_version, status, isolation: { desired, reported }, last_seen, risk };
}

/**
 * The site of an endpoint that a caller of some sites reports: the only one that the caller works for, or the one of them
 * that the heartbeat names.
 */
export function placeHeartbeat(scope: Scope, known: EndpointRow | undefined, said: HeartbeatRequest): HeartbeatRequest {
  if (scope === ALL_SITES) return said;
  const site = findOnlySite(scope) ?? said.site ?? known?.site ?? null;
  if (site === null || !scope.includes(site)) throw invalidField("site", "must be one of the sites that you work for");
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

/** Whether the endpoint matches the filters; the same rule as in the database. */
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

/** Whether the desired state is not reported yet. A normal endpoint that never reported its state is not pending. */
function isPending({ desired, reported }: EndpointRow): boolean {
  return desired !== reported && !(desired === "normal" && reported === "unknown");
}
