import { createHash } from "node:crypto";
import { invalidField, Problem } from "@kit/problem";
import type { Static } from "typebox";
import type { Caller } from "../../foundation/caller/caller.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { type Indicator, parseIndicator } from "./indicator.ts";
import type {
  CheckedIocs,
  CreateIocRequest,
  IocBody,
  IocDetailBody,
  IocFilter,
  IocHitBody,
  UpdateIocRequest,
} from "./iocs.schema.ts";
import { IOC_SEVERITIES } from "./iocs.schema.ts";
import { findWarning } from "./warning-list.ts";

export type Ioc = Static<typeof IocBody>;
export type IocDetail = Static<typeof IocDetailBody>;
export type IocHit = Static<typeof IocHitBody>;
export type IocSeverity = Ioc["severity"];

export interface IocRow extends IocDetail {
  created_at: Date;
  updated_at: Date;
}

/** An indicator with the logs in which it was seen, as the showcase stores it. */
export interface WholeIoc extends IocDetail {
  seen_in: IocHit[];
}

/** The caller for matches outside of requests. */
export const IOCS: Caller = { kind: "api_key", username: "iocs", role: "agent" };

const DEFAULT_CONFIDENCE = 50;
const MAX_TAGS = 50;
// Our own namespace. STIX reserves its namespace for observables.
const NAMESPACE = Buffer.from("6d616e61726158a7b3d1c0ffee105eed", "hex");

export const NEWEST_FIRST: Order<Ioc> = newestFirst("last_seen");

export const NEWEST_HITS_FIRST: Order<IocHit> = newestFirst("seen_at");

/** The same indicator has the same id everywhere (RFC 9562, UUID version 5). */
export function toIocId({ type, value }: Indicator): string {
  const digest = createHash("sha1").update(NAMESPACE).update(`${type}:${value}`).digest().subarray(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Builds the indicator of a request. Refuses a value on a warning list unless `force` is set. */
export function buildIoc(request: CreateIocRequest, source: string, now: Date): IocRow {
  requireStorable(request);
  const indicator = parseIndicator(request.value, request.type);
  const warning = findWarning(indicator);
  if (warning !== undefined && request.force !== true) {
    throw invalidField("value", `'${indicator.value}' is ${warning}; send force: true to store it anyway`);
  }
  const seen = readInstant("first_seen", request.first_seen) ?? now;
  const last = readInstant("last_seen", request.last_seen) ?? new Date(Math.max(seen.getTime(), now.getTime()));
  if (last < seen) throw invalidField("last_seen", "must not be earlier than first_seen");
  const { confidence = DEFAULT_CONFIDENCE, severity = "medium", tags = [], tlp = "clear", expires_at } = request;
  return {
    id: toIocId(indicator),
    ...indicator,
    confidence,
    severity,
    source: request.source ?? source,
    tags: [...new Set(tags)].toSorted(),
    tlp,
    first_seen: seen,
    last_seen: last,
    expires_at: readInstant("expires_at", expires_at ?? undefined) ?? null,
    hits: 0,
    searched_at: null,
    search_is_capped: false,
    created_at: now,
    updated_at: now,
  };
}

function readInstant(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) throw invalidField(field, `'${text}' is not a valid time`);
  return instant;
}

function isActive({ expires_at }: Pick<Ioc, "expires_at">, now: Date): boolean {
  return expires_at === null || expires_at > now;
}

/**
 * Merges two reports of one indicator: all tags, the highest confidence and severity, the widest time span, the
 * stricter TLP and the later expiry. An indicator that had expired is searched in stored logs again.
 */
export function mergeIocs(known: IocRow, given: IocRow, now: Date): IocRow {
  const ends = [known.expires_at, given.expires_at];
  const [later] = ends.flatMap((end) => end ?? []).toSorted((a, b) => b.getTime() - a.getTime());
  return {
    ...known,
    confidence: Math.max(known.confidence, given.confidence),
    severity: pickWorse(known.severity, given.severity),
    tags: [...new Set([...known.tags, ...given.tags])].toSorted().slice(0, MAX_TAGS),
    tlp: pickNarrower(known.tlp, given.tlp),
    first_seen: new Date(Math.min(known.first_seen.getTime(), given.first_seen.getTime())),
    last_seen: new Date(Math.max(known.last_seen.getTime(), given.last_seen.getTime())),
    expires_at: ends.includes(null) ? null : (later ?? null),
    searched_at: isActive(known, now) ? known.searched_at : null,
    updated_at: given.updated_at,
  };
}

/** Replaces the given fields. An ended indicator that becomes active again is searched in stored logs again. */
export function changeIoc(known: IocRow, request: UpdateIocRequest, now: Date): IocRow {
  requireStorable(request);
  const { expires_at, tags, ...given } = request;
  const changed: IocRow = {
    ...known,
    ...given,
    ...(tags && { tags: [...new Set(tags)].toSorted() }),
    ...(expires_at !== undefined && { expires_at: readInstant("expires_at", expires_at ?? undefined) ?? null }),
    updated_at: now,
  };
  const isRevived = isActive(changed, now) && !isActive(known, now);
  return { ...changed, searched_at: isRevived ? null : known.searched_at };
}

/** Predicts the result of storing a value, except whether it is already known. */
export function checkIndicator(given: string): CheckedIocs["items"][number] {
  try {
    requireStorable({ given });
    const indicator = parseIndicator(given);
    const warning = findWarning(indicator) ?? null;
    return { given, state: warning === null ? "new" : "warned", ...indicator, reason: warning, id: toIocId(indicator) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { given, state: "refused", type: null, value: null, reason: error.message, id: null };
  }
}

export function pickWorse(a: IocSeverity, b: IocSeverity): IocSeverity {
  return IOC_SEVERITIES.indexOf(a) < IOC_SEVERITIES.indexOf(b) ? a : b;
}

const TLP_RANK: Readonly<Record<Ioc["tlp"], number>> = { clear: 0, green: 1, amber: 2, "amber+strict": 3, red: 4 };

function pickNarrower(a: Ioc["tlp"], b: Ioc["tlp"]): Ioc["tlp"] {
  return TLP_RANK[a] > TLP_RANK[b] ? a : b;
}

/** Normalises the value of a filter; a value that is not an indicator is unchanged. */
export function normaliseFilter<Filter extends IocFilter>(filter: Filter): Filter {
  requireStorable(filter);
  if (filter.value === undefined) return filter;
  try {
    return { ...filter, value: parseIndicator(filter.value, filter.type).value };
  } catch (error) {
    if (error instanceof Problem) return filter;
    throw error;
  }
}

/** The meaning of the filter for lists in memory. */
export function isListed(ioc: Ioc, filter: IocFilter, now: Date): boolean {
  const { type, value, q, source, tag, severity, active } = filter;
  return (
    (type === undefined || ioc.type === type) &&
    (value === undefined || ioc.value === value) &&
    (q === undefined || ioc.value.toLowerCase().includes(q.toLowerCase())) &&
    (source === undefined || ioc.source === source) &&
    (tag === undefined || ioc.tags.includes(tag)) &&
    (severity === undefined || ioc.severity === severity) &&
    (active === undefined || isActive(ioc, now) === active)
  );
}
