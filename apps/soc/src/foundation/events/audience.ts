import type { Caller } from "../caller/caller.ts";
import type { EventReaders, PlatformEvent } from "./event.ts";
import { findOwner } from "./event.ts";

/** Listeners with the same audience receive the same events, except events that concern one of their users alone. */
export function formatAudience(caller: Caller, types: readonly string[] | undefined): string {
  const { kind, role, scopes = null, sites = null } = caller;
  return JSON.stringify([kind, role, scopes, sites, types ?? null]);
}

/**
 * Returns the users whom the events concern. Each of them may receive events that others with the same audience do not.
 */
export function findConcerned(events: readonly PlatformEvent[], readers: EventReaders): ReadonlySet<string> {
  return new Set(events.flatMap((event) => findOwner(event, readers) ?? []));
}

interface Member {
  caller: Caller;
  audience: string;
  place: bigint;
}

/** Groups the listeners of each audience that receive the same frames of events after a place. */
export function groupByFrames<Listener extends Member>(
  listeners: Iterable<Listener>,
  from: bigint,
  concerned: ReadonlySet<string>,
): Listener[][] {
  const groups = new Map<string, Listener[]>();
  for (const listener of listeners) {
    const { audience, caller, place } = listener;
    const own = concerned.has(caller.username) ? caller.username : "";
    // A listener that connected after the previous read has already received, or does not want, some of the events.
    const key = place > from ? `${place} ${own} ${audience}` : `${own} ${audience}`;
    const group = groups.get(key);
    if (group) group.push(listener);
    else groups.set(key, [listener]);
  }
  return [...groups.values()];
}
