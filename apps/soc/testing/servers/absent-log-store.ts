import { Problem } from "@kit/problem";
import type { LogReads, LogStore } from "../../src/ports/log-store.ts";

/** A log store that is always unavailable. */
export function absentLogStore(): LogStore {
  const refuse = async () => {
    throw new Problem("unavailable", "the log store does not answer");
  };
  const reads: LogReads = {
    search: refuse,
    count: refuse,
    async *stream() {
      yield await refuse();
    },
    async *read() {
      yield await refuse();
    },
    summarise: refuse,
    stats: refuse,
    sources: refuse,
  };
  return {
    ...reads,
    lane: () => reads,
    migrate: refuse,
    identify: refuse,
    insert: refuse,
    isAvailable: async () => false,
    state: async () => ({ stores: 1, missing: ["log store"] }),
    close: async () => undefined,
  };
}
