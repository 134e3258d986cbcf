import type { Log } from "../../search/log.ts";
import type { Entry, Parcel } from "./parcel.ts";

/** What one insert is made of. */
export interface Group {
  /** Without those that say the same as another one in the group. */
  leaders: readonly Parcel[];
  /** Parcels of a batch that is in the group already, with the one that leads them. */
  followers: ReadonlyMap<Parcel, Parcel>;
  /** The ids of the logs that their senders gave names to, each once. */
  names: readonly string[];
}

export function groupOf(parcels: readonly Parcel[]): Group {
  const byKey = new Map<string, Parcel>();
  const followers = new Map<Parcel, Parcel>();
  const leaders: Parcel[] = [];
  for (const parcel of parcels) {
    const leader = parcel.batch && byKey.get(parcel.batch.key);
    if (leader) followers.set(parcel, leader);
    else leaders.push(parcel);
    if (parcel.batch && !leader) byKey.set(parcel.batch.key, parcel);
  }
  return { leaders, followers, names: [...new Set(leaders.flatMap(namesOf))] };
}

export function namesOf({ entries }: Parcel): string[] {
  return entries.flatMap(({ log, isNamed }) => (log && isNamed ? [log.id] : []));
}

export interface Fresh {
  parcel: Parcel;
  entry: Entry;
  log: Log;
}

/** What has to be stored: everything but the named events that are stored already, and each of the others once. */
export function freshOf(parcels: readonly Parcel[], storedNames: ReadonlySet<string>): Fresh[] {
  const seen = new Set(storedNames);
  const fresh: Fresh[] = [];
  for (const parcel of parcels) {
    for (const entry of parcel.entries) {
      const { log, isNamed } = entry;
      if (!log || (isNamed && seen.has(log.id))) continue;
      if (isNamed) seen.add(log.id);
      fresh.push({ parcel, entry, log });
    }
  }
  return fresh;
}
