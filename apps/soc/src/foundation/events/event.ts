import type { Caller } from "../caller/caller.ts";
import { isCallerAllowed } from "../caller/caller.ts";
import type { Needs } from "../caller/permissions.ts";

/** A place in the stream: the transaction first, then the row in it. It never changes, whatever commits when. */
export interface Position {
  xid: bigint;
  id: bigint;
}

export interface PlatformEvent extends Position {
  at: Date;
  /** `<noun>.<past participle>`, the action of the audit entry beside it. */
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

/** The place that a Last-Event-ID names; undefined when it names none. */
export function parseEventId(eventId: string): Position | undefined {
  const [, xid, id] = /^(\d{1,18})-(\d{1,18})$/.exec(eventId) ?? [];
  return xid === undefined || id === undefined ? undefined : { xid: BigInt(xid), id: BigInt(id) };
}

function formatIdLine({ xid, id }: Position): string {
  return `id: ${xid}-${id}\n`;
}

/** JSON has no line breaks of its own, so that an event is always one line of data. */
export function formatFrame(event: PlatformEvent): string {
  const { at, type, subject_id, data } = event;
  return `${formatIdLine(event)}data: ${JSON.stringify({ type, subject_id, at, data })}\n\n`;
}

export interface Opening {
  /** Unknown while there is no database. */
  position: Position | undefined;
  /** True when events between the reader's last one and this place are gone, so that it must read everything anew. */
  isReset: boolean;
}

const COME_BACK_MS = 1000;

export function formatOpening({ position, isReset }: Opening): string {
  const reset = isReset ? "event: reset\ndata: {}\n" : "";
  return `retry: ${COME_BACK_MS}\n${reset}${position ? formatIdLine(position) : ""}\n`;
}

/** The place goes with it, so that a reader whom nothing concerned resumes from here and not from long ago. */
export function formatHeartbeat(position: Position | undefined): string {
  return `: heartbeat\n${position ? formatIdLine(position) : ""}\n`;
}

/** Who receives events, by the noun before the dot of their type. A noun that is not listed is for administrators. */
export type EventReaders = ReadonlyMap<string, Needs>;

export function mayReceive(caller: Caller, type: string, readers: EventReaders): boolean {
  const noun = type.split(".", 1)[0] ?? "";
  return isCallerAllowed(caller, readers.get(noun) ?? "role:admin");
}
