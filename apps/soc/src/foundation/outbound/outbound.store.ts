import type { Db } from "../database/tables.ts";
import type { OutboundEntry, Start } from "./dispatch.ts";

declare module "../database/tables.ts" {
  interface Tables {
    outbound_log: OutboundEntry;
    mode_log: Start;
  }
}

export interface Range {
  from: Date;
  to: Date;
}

/** The stored entries of a time range, oldest first. */
export interface OutboundHistory {
  entries: OutboundEntry[];
  /** The last start before the range, and the starts in it. */
  starts: Start[];
  /** Whether the range is complete. */
  isComplete: boolean;
}

export interface OutboundStore {
  append(entry: OutboundEntry): Promise<void>;
  /** Returns at most `limit` entries and at most `limit` starts in the range. */
  list(range: Range, limit: number): Promise<OutboundHistory>;
}

export function createOutboundStore(db: Db): OutboundStore {
  const starts = () => db.selectFrom("mode_log").select(["id", "at", "mode"]);
  return {
    async append(entry) {
      await db.insertInto("outbound_log").values(entry).execute();
    },

    async list({ from, to }, limit) {
      const entries = await db
        .selectFrom("outbound_log")
        .selectAll()
        .where("at", ">=", from)
        .where("at", "<", to)
        .orderBy("at")
        // Ids have no order within a millisecond, so the end of a dispatch is sorted after its start.
        .orderBy("of", (order) => order.asc().nullsFirst())
        .orderBy("id")
        .limit(limit + 1)
        .execute();
      const before = await starts().where("at", "<", from).orderBy("at", "desc").limit(1).execute();
      const during = await starts()
        .where("at", ">=", from)
        .where("at", "<", to)
        .orderBy("at")
        .orderBy("id")
        .limit(limit + 1)
        .execute();
      return {
        entries: entries.slice(0, limit),
        starts: [...before, ...during.slice(0, limit)],
        isComplete: entries.length <= limit && during.length <= limit,
      };
    },
  };
}

export interface OutboundWriter {
  /** Records the start of a process. Idempotent. */
  recordStart(start: Start): Promise<void>;
  /** The previous start of any process. */
  findPrevious(start: Start): Promise<Start | undefined>;
}

export function createOutboundWriter(db: Db): OutboundWriter {
  return {
    async recordStart(start) {
      await db
        .insertInto("mode_log")
        .values(start)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    findPrevious: (start) =>
      db
        .selectFrom("mode_log")
        .select(["id", "at", "mode"])
        .where("id", "<>", start.id)
        .where("at", "<=", start.at)
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst(),
  };
}
