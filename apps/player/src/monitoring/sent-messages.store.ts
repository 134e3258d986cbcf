import Type from "typebox";
import type { Database } from "../storage/database.ts";
import { SENT_KINDS, type SentBody, type SentCounts, type SentKind, type SentMessage } from "./monitoring.schema.ts";
import { createMonitoringCountsStore } from "./monitoring-counts.store.ts";

export type SentMessagesStore = ReturnType<typeof createSentMessagesStore>;
export type NewMessage = Pick<SentMessage, "at" | "kind" | "bytes" | "content">;

export const MAX_SENT = 500;
const PAGE_SIZE = 50;
const REMOVED = "sent removed";

const Row = Type.Object({
  id: Type.Integer(),
  at: Type.Integer(),
  kind: Type.Enum([...SENT_KINDS]),
  bytes: Type.Integer(),
  delivered: Type.Integer(),
  content: Type.String(),
});
const Removed = Type.Object({ id: Type.Integer(), at: Type.Integer() });

/** Every message sent to the platform: the newest in full, older ones as a count. */
export function createSentMessagesStore(database: Database) {
  const counts = createMonitoringCountsStore(database);
  const insert = database.command(
    "INSERT INTO monitoring_sent (at, kind, bytes, delivered, content) VALUES (?, ?, ?, 0, ?)",
  );
  const deliver = database.command("UPDATE monitoring_sent SET delivered = 1 WHERE id = ?");
  const selectNewestExtra = database.query(
    Removed,
    "SELECT id, at FROM monitoring_sent ORDER BY id DESC LIMIT 1 OFFSET ?",
  );
  const removeUntil = database.command("DELETE FROM monitoring_sent WHERE id <= ?");
  const selectPage = database.queryRecords(
    Row,
    "SELECT id, at, kind, bytes, delivered, content FROM monitoring_sent WHERE id < ? ORDER BY id DESC LIMIT ?",
    (row): SentMessage => ({ ...row, delivered: row.delivered === 1 }),
  );

  function nameCount(kind: SentKind): string {
    return `sent ${kind}`;
  }

  return {
    /** Call before sending: a message that cannot be recorded is not sent. Returns its id. */
    add({ at, kind, bytes, content }: NewMessage): number {
      return database.inTransaction(() => {
        const { insertedId } = insert(at, kind, bytes, content);
        counts.add(nameCount(kind), 1, at);
        const extra = selectNewestExtra.first(MAX_SENT);
        if (extra) counts.add(REMOVED, removeUntil(extra.id).changes, extra.at);
        return insertedId;
      });
    },

    markDelivered(id: number): void {
      deliver(id);
    },

    /** Newest first; `cursor` is that of the previous page. */
    page(cursor = Number.MAX_SAFE_INTEGER): SentBody {
      const rows = selectPage.all(cursor, PAGE_SIZE + 1);
      const items = rows.slice(0, PAGE_SIZE);
      const { count, last_at } = counts.read(REMOVED);
      const next_cursor = rows.length > PAGE_SIZE ? (items.at(-1)?.id ?? null) : null;
      return { items, next_cursor, removed: { count, until: last_at } };
    },

    /** The number of messages of each kind sent since the enrolment. */
    counts(): SentCounts {
      const read = (kind: SentKind) => counts.read(nameCount(kind)).count;
      return {
        enrolment: read("enrolment"),
        renewal: read("renewal"),
        receipt: read("receipt"),
        answer: read("answer"),
        events: read("events"),
      };
    },
  };
}
