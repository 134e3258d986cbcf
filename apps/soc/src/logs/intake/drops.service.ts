import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { DEFAULT_LIMIT, decodeCursor, type Page, toPage } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { DropsBody } from "./drops.schema.ts";
import type { DropCount, DropsStore } from "./drops.store.ts";

export interface DropsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: DropsStore; showcase: Pick<DropsStore, "all"> };
  clock: Pick<Clock, "now">;
  log: Pick<Log, "warn">;
}
export type DropsService = ReturnType<typeof createDropsService>;

const ORDER = "sender";
const MAX_SENDERS = 10_000;
const OTHERS = "(others)";

/**
 * Counts the dropped syslog messages of each sender. The counts are kept in memory and written to the database
 * together, once a second.
 */
export function createDropsService({ runtime, stores, clock, log }: DropsServiceDeps) {
  let counts = new Map<string, DropCount>();

  function add(sender: string, dropped: number, at: Date): void {
    // The address of a datagram can be forged, so the number of senders must be bounded.
    const name = counts.has(sender) || counts.size < MAX_SENDERS ? sender : OTHERS;
    const known = counts.get(name) ?? { sender: name, dropped: 0, at };
    counts.set(name, { ...known, dropped: known.dropped + dropped, at });
  }

  return {
    count: (sender: string, dropped: number): void => add(sender, dropped, clock.now()),

    /** Writes the counts since the last flush to the database, and their sum to the log. */
    async flush(): Promise<void> {
      if (counts.size === 0) return;
      const taken = [...counts.values()];
      counts = new Map();
      const lost = taken.reduce((sum, { dropped }) => sum + dropped, 0);
      try {
        await stores.database.add(taken);
      } catch (error) {
        for (const { sender, dropped, at } of taken) add(sender, dropped, at);
        throw error;
      }
      log.warn({ lost, senders: taken.length }, "syslog messages dropped");
    },

    async list(query: PageQuery): Promise<Page<DropsBody>> {
      const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
      const after = cursor === undefined ? undefined : String(decodeCursor(ORDER, cursor)[0]);
      const all = await (await runtime.choose<Pick<DropsStore, "all">>(stores)).all();
      const rows = all.filter(({ sender }) => after === undefined || sender > after).slice(skip, skip + limit + 1);
      return toPage({ query, order: ORDER, rows, total: { total: all.length }, positionOf: (row) => [row.sender] });
    },
  };
}
