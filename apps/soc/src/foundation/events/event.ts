import type { Caller } from "../caller/caller.ts";
import { isCallerAllowed } from "../caller/caller.ts";
import type { Needs } from "../caller/permissions.ts";
import type { Scope } from "../caller/scope.ts";
import type { Registrations, Sight } from "../registrations.ts";

export interface PlatformEvent {
  /** Its number in the stream, given after its change was committed. An event never gets a number before a later one. */
  place: bigint;
  at: Date;
  /** `<noun>.<past participle>`: the action of the audit entry of the same change. */
  type: string;
  /** Who made the change; null in events from before this was stored. */
  actor: string | null;
  subject_type: string | null;
  subject_id: string;
  data: object;
}

/** The place in a Last-Event-ID; undefined when it is malformed. */
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

export interface Opening {
  /** Undefined while the database is unavailable. */
  place: bigint | undefined;
  /** True when events between the reader's last one and this place are lost, so the reader must reload everything. */
  isReset: boolean;
}

const RECONNECT_MS = 1000;

export function formatOpening({ place, isReset }: Opening): string {
  const reset = isReset ? "event: reset\ndata: {}\n" : "";
  return `retry: ${RECONNECT_MS}\n${reset}${place === undefined ? "" : formatIdLine(place)}\n`;
}

/** Carries the place, so that a reader without matching events resumes from here and not from an old one. */
export function formatHeartbeat(place: bigint | undefined): string {
  return `: heartbeat\n${place === undefined ? "" : formatIdLine(place)}\n`;
}

/**
 * The permissions to receive events, by the noun before the dot of their type. Other nouns require an administrator.
 * `subject` means the user that the event is about, and no other.
 */
export type EventReaders = ReadonlyMap<string, Needs | "subject">;

export function collectReaders(features: readonly Pick<Registrations, "readers">[]): EventReaders {
  return new Map(features.flatMap((feature) => Object.entries(feature.readers ?? {})));
}

/** What callers of some sites see, by the noun of the events. */
export type EventSights = ReadonlyMap<string, Sight>;

export function collectSights(features: readonly Pick<Registrations, "sights">[]): EventSights {
  return new Map(features.flatMap((feature) => Object.entries(feature.sights ?? {})));
}

/** Those of the events that a caller of some sites may know of, among those that the caller may receive. */
export async function filterSeen<Event extends Sent>(
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
    // What concerns the caller alone has no site.
    if (readers.get(noun) === "subject") return true;
    return seen.get(noun)?.has(findDecisive(event, sights.get(noun)) ?? "") ?? false;
  });
}

/** The id of the record that decides who learns of the event. */
function findDecisive({ subject_id, data }: Sent, sight: Sight | undefined): string | undefined {
  if (!sight) return undefined;
  if (sight.by === undefined) return subject_id;
  const id = new Map<string, unknown>(Object.entries(data)).get(sight.by);
  return typeof id === "string" ? id : undefined;
}

type Sent = Pick<PlatformEvent, "type" | "subject_id" | "data">;

/** The user who receives the event for a reason of its own: it concerns this user alone, or the user asked for it. */
export function findOwner(event: Sent, readers: EventReaders): string | undefined {
  if (readers.get(toNoun(event.type)) === "subject") return event.subject_id;
  if (!("requested_by" in event.data)) return undefined;
  return typeof event.data.requested_by === "string" ? event.data.requested_by : undefined;
}

/** Who asked for something also learns what became of it. */
export function mayReceive(caller: Caller, event: Sent, readers: EventReaders): boolean {
  const isOwner = caller.kind === "user" && caller.username === findOwner(event, readers);
  const noun = toNoun(event.type);
  if (readers.get(noun) === "subject") return isOwner;
  return isOwner || isCallerAllowed(caller, findNeeds(noun, readers));
}

/** What reading the records of a noun takes. Nothing of what is one user's is read by its noun. */
export function findNeeds(noun: string, readers: EventReaders): Needs {
  const needs = readers.get(noun) ?? "role:admin";
  return needs === "subject" ? "role:admin" : needs;
}

/** The nouns that the caller may read; undefined for all of them. */
export function listReadable(caller: Caller, readers: EventReaders): string[] | undefined {
  if (isCallerAllowed(caller, "role:admin")) return undefined;
  return [...readers.keys()].filter((noun) => isCallerAllowed(caller, findNeeds(noun, readers)));
}

function toNoun(type: string): string {
  return type.split(".", 1)[0] ?? "";
}

/** Whether the listener wants events of that type: it named the type or its noun, or nothing. */
export function isWanted(type: string, types: readonly string[] | undefined): boolean {
  return types === undefined || types.includes(type) || types.includes(toNoun(type));
}
