import { Problem } from "@kit/problem";
import type { LogStore } from "../../src/logs/search/log-store.ts";

/** A log store that is always unavailable. */
export function absentLogStore(): LogStore {
  const refuse = async () => {
    throw new Problem("unavailable", "the log store does not answer");
  };
  return {
    migrate: refuse,
    insert: refuse,
    search: refuse,
    count: refuse,
    async *stream() {
      yield await refuse();
    },
    async *read() {
      yield await refuse();
    },
    stats: refuse,
    sources: refuse,
    isAvailable: async () => false,
    close: async () => undefined,
  };
}
