import type { OutboundEntry, Start } from "./dispatch.ts";
import type { OutboundStore } from "./outbound.store.ts";

export interface MemoryOutboundStoreDeps {
  /** The start of this process. The store has no earlier entries. */
  start: Start;
  /** True if no database is configured, so that no other store can have more entries. */
  isAlone: boolean;
}

const MAX_ENTRIES = 10_000;

/** Keeps the newest entries in memory while there is no database. */
export function createMemoryOutboundStore({ start, isAlone }: MemoryOutboundStoreDeps): OutboundStore {
  const kept: OutboundEntry[] = [];
  let dropped: OutboundEntry | undefined;
  return {
    async append(entry) {
      kept.push(entry);
      if (kept.length > MAX_ENTRIES) dropped = kept.shift();
    },

    async list({ from, to }, limit) {
      const found = kept.filter(({ at }) => at >= from && at < to);
      const isRemembered = from >= start.at && (dropped === undefined || from > dropped.at);
      return {
        entries: found.slice(0, limit),
        starts: start.at < to ? [start] : [],
        isComplete: isAlone && isRemembered && found.length <= limit,
      };
    },
  };
}
