import type { OutboundEntry, Start } from "./dispatch.ts";
import type { OutboundStore } from "./outbound.store.ts";

export interface MemoryOutboundStoreDeps {
  /** Of this process: what happened before it, nobody remembers. */
  start: Start;
  /** That there is no database, not even an absent one, that knows more. */
  isAlone: boolean;
}

const KEPT = 10_000;

/** Keeps the newest entries while there is no database. */
export function createMemoryOutboundStore({ start, isAlone }: MemoryOutboundStoreDeps): OutboundStore {
  const kept: OutboundEntry[] = [];
  let dropped: OutboundEntry | undefined;
  return {
    async append(entry) {
      kept.push(entry);
      if (kept.length > KEPT) dropped = kept.shift();
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
