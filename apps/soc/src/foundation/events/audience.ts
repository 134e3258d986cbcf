import type { Caller } from "../caller/caller.ts";
import type { EventReaders, PlatformEvent } from "./event.ts";
import { findOwner } from "./event.ts";

/** Listeners of one audience receive the same events, unless an event concerns one of their users alone. */
export function formatAudience(caller: Caller, types: readonly string[] | undefined): string {
  const { kind, role, scopes = null, sites = null } = caller;
  return JSON.stringify([kind, role, scopes, sites, types ?? null]);
}

/** The users whom the events concern: each of them may receive what others of the same audience do not. */
export function findConcerned(events: readonly PlatformEvent[], readers: EventReaders): ReadonlySet<string> {
  return new Set(events.flatMap((event) => findOwner(event, readers) ?? []));
}

interface Member {
  caller: Caller;
  audience: string;
  place: bigint;
}

/** The listeners of each set that receives the same frames of events after a place. */
export function groupByFrames<Listener extends Member>(
  listeners: Iterable<Listener>,
  from: bigint,
  concerned: ReadonlySet<string>,
): Listener[][] {
  const groups = new Map<string, Listener[]>();
  for (const listener of listeners) {
    const { audience, caller, place } = listener;
    const own = concerned.has(caller.username) ? caller.username : "";
    // A listener that connected after the read before has received, or does not want, some of the events.
    const key = place > from ? `${place} ${own} ${audience}` : `${own} ${audience}`;
    const group = groups.get(key);
    if (group) group.push(listener);
    else groups.set(key, [listener]);
  }
  return [...groups.values()];
}
