import type { Registrations, Sight } from "../base.ts";
import { type Caller, isCallerAllowed, type Scope } from "../caller/caller.ts";
import type { Needs } from "../caller/permissions.ts";

export interface PlatformEvent {
  /**
   * Its number in the stream, assigned after its change was committed. Numbers never decrease in the order of
   * assignment.
   */
  place: bigint;
  at: Date;
  /** `<noun>.<past participle>`: the action of the audit entry of the same change. */
  type: string;
  /** The user who made the change; null in events stored before this field existed. */
  actor: string | null;
  subject_type: string | null;
  subject_id: string;
  data: object;
}

/** Parses the place in a Last-Event-ID; undefined if it is malformed. */
export function parsePlace(eventId: string): bigint | undefined {
  return /^\d{1,18}$/.test(eventId) ? BigInt(eventId) : undefined;
}

function formatIdLine(place: bigint): string {
  return `id: ${place}\n`;
}

/** JSON.stringify escapes line breaks, so an event is always one `data:` line. */
export function formatFrame(event: PlatformEvent): string {
  const { place, at, type, actor, subject_type, subject_id, data } = event;
  return `${formatIdLine(place)}data: ${JSON.stringify({ type, actor, subject_type, subject_id, at, data })}\n\n`;
}

export interface StreamStart {
  /** Undefined while the database is unavailable. */
  place: bigint | undefined;
  /** True if events between the reader's last one and this place are lost, so the reader must reload everything. */
  isReset: boolean;
}

const RECONNECT_MS = 1000;

export function formatOpening({ place, isReset }: StreamStart): string {
  const reset = isReset ? "event: reset\ndata: {}\n" : "";
  return `retry: ${RECONNECT_MS}\n${reset}${place === undefined ? "" : formatIdLine(place)}\n`;
}

/** Carries the place, so that a reader without matching events resumes from here instead of from an old place. */
export function formatHeartbeat(place: bigint | undefined): string {
  return `: heartbeat\n${place === undefined ? "" : formatIdLine(place)}\n`;
}

/**
 * The permissions that each event type requires, keyed by the noun before the dot. Other nouns require an
 * administrator. `subject` limits an event to the user that it is about.
 */
export type EventReaders = ReadonlyMap<string, Needs | "subject">;

export function collectReaders(features: readonly Pick<Registrations, "readers">[]): EventReaders {
  return new Map(features.flatMap((feature) => Object.entries(feature.readers ?? {})));
}

/** What callers restricted to sites may see, by the noun of the events. */
export type EventSights = ReadonlyMap<string, Sight>;

export function collectSights(features: readonly Pick<Registrations, "sights">[]): EventSights {
  return new Map(features.flatMap((feature) => Object.entries(feature.sights ?? {})));
}

/** Limits events to the sites that the caller may see. The caller must be allowed to receive them. */
export async function filterSeen<Event extends EventHead>(
  scope: Scope,
  events: readonly Event[],
  readers: EventReaders,
  sights: EventSights,
): Promise<Event[]> {
  const named = new Map<string, Set<string>>();
  for (const event of events) {
    const noun = toNoun(event.type);
    const id = findDecisive(event, sights.get(noun));
    if (id !== undefined) named.set(noun, (named.get(noun) ?? new Set()).add(id));
  }
  const seen = new Map<string, ReadonlySet<string>>();
  for (const [noun, ids] of named) seen.set(noun, (await sights.get(noun)?.filter(scope, [...ids])) ?? new Set());
  return events.filter((event) => {
    const noun = toNoun(event.type);
    // Events that concern only the caller have no site.
    if (readers.get(noun) === "subject") return true;
    return seen.get(noun)?.has(findDecisive(event, sights.get(noun)) ?? "") ?? false;
  });
}

/** Returns the id of the record whose site decides who may see the event. */
function findDecisive({ subject_id, data }: EventHead, sight: Sight | undefined): string | undefined {
  if (!sight) return undefined;
  if (sight.by === undefined) return subject_id;
  const id = new Map<string, unknown>(Object.entries(data)).get(sight.by);
  return typeof id === "string" ? id : undefined;
}

type EventHead = Pick<PlatformEvent, "type" | "subject_id" | "data">;

/**
 * Returns the user who may receive the event regardless of permissions: it concerns only this user, or the user
 * requested it.
 */
export function findOwner(event: EventHead, readers: EventReaders): string | undefined {
  if (readers.get(toNoun(event.type)) === "subject") return event.subject_id;
  if (!("requested_by" in event.data)) return undefined;
  return typeof event.data.requested_by === "string" ? event.data.requested_by : undefined;
}

/** A requester also receives the result of the request. */
export function mayReceive(caller: Caller, event: EventHead, readers: EventReaders): boolean {
  const isOwner = caller.kind === "user" && caller.username === findOwner(event, readers);
  const noun = toNoun(event.type);
  if (readers.get(noun) === "subject") return isOwner;
  return isOwner || isCallerAllowed(caller, findNeeds(noun, readers));
}

/**
 * Returns what a caller needs to read the records of a noun. Records of a single user cannot be read by their noun.
 */
export function findNeeds(noun: string, readers: EventReaders): Needs {
  const needs = readers.get(noun) ?? "role:admin";
  return needs === "subject" ? "role:admin" : needs;
}

/** Returns the nouns that the caller may read; undefined means all of them. */
export function listReadable(caller: Caller, readers: EventReaders): string[] | undefined {
  if (isCallerAllowed(caller, "role:admin")) return undefined;
  return [...readers.keys()].filter((noun) => isCallerAllowed(caller, findNeeds(noun, readers)));
}

function toNoun(type: string): string {
  return type.split(".", 1)[0] ?? "";
}

/** Whether the listener wants events of this type: it named the type or its noun, or it named nothing. */
export function isWanted(type: string, types: readonly string[] | undefined): boolean {
  return types === undefined || types.includes(type) || types.includes(toNoun(type));
}
