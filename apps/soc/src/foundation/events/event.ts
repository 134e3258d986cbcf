import type { Caller } from "../caller/caller.ts";
import { isCallerAllowed } from "../caller/caller.ts";
import type { Needs } from "../caller/permissions.ts";

/** A position in the stream: ordered by transaction, then by row. It does not depend on the commit order. */
export interface Position {
  xid: bigint;
  id: bigint;
}

export interface PlatformEvent extends Position {
  at: Date;
  /** `<noun>.<past participle>`: the action of the audit entry of the same change. */
  type: string;
  subject_id: string;
  data: object;
}

export function isAfter(one: Position, other: Position): boolean {
  return one.xid > other.xid || (one.xid === other.xid && one.id > other.id);
}

export function pickLatest(one: Position, other: Position): Position {
  return isAfter(one, other) ? one : other;
}

/** The position in a Last-Event-ID; undefined when it is malformed. */
export function parseEventId(eventId: string): Position | undefined {
  const [, xid, id] = /^(\d{1,18})-(\d{1,18})$/.exec(eventId) ?? [];
  return xid === undefined || id === undefined ? undefined : { xid: BigInt(xid), id: BigInt(id) };
}

function formatIdLine({ xid, id }: Position): string {
  return `id: ${xid}-${id}\n`;
}

/** JSON.stringify escapes line breaks, so an event is always one `data:` line. */
export function formatFrame(event: PlatformEvent): string {
  const { at, type, subject_id, data } = event;
  return `${formatIdLine(event)}data: ${JSON.stringify({ type, subject_id, at, data })}\n\n`;
}

export interface Opening {
  /** Undefined while the database is unavailable. */
  position: Position | undefined;
  /**
   * True when events between the reader's last one and this position are lost, so the reader must reload everything.
   */
  isReset: boolean;
}

const RECONNECT_MS = 1000;

export function formatOpening({ position, isReset }: Opening): string {
  const reset = isReset ? "event: reset\ndata: {}\n" : "";
  return `retry: ${RECONNECT_MS}\n${reset}${position ? formatIdLine(position) : ""}\n`;
}

/** Carries the position, so that a reader without matching events resumes from here and not from an old one. */
export function formatHeartbeat(position: Position | undefined): string {
  return `: heartbeat\n${position ? formatIdLine(position) : ""}\n`;
}

/**
 * The permissions to receive events, by the noun before the dot of their type. Other nouns require an administrator.
 */
export type EventReaders = ReadonlyMap<string, Needs>;

export function mayReceive(caller: Caller, type: string, readers: EventReaders): boolean {
  const noun = type.split(".", 1)[0] ?? "";
  return isCallerAllowed(caller, readers.get(noun) ?? "role:admin");
}
