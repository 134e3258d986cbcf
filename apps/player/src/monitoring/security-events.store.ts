import Type from "typebox";
import Value from "typebox/value";
import type { Database } from "../storage/database.ts";
import { createMonitoringCountsStore } from "./monitoring-counts.store.ts";
import { SECURITY_EVENT_TYPES, type SecurityEvent } from "./security-event.ts";

export type SecurityEventsStore = ReturnType<typeof createSecurityEventsStore>;

export const MAX_EVENTS = 1000;
const DROPPED = "events dropped";

const Row = Type.Object({
  event_id: Type.String(),
  at: Type.Integer(),
  type: Type.Enum([...SECURITY_EVENT_TYPES]),
  details: Type.String(),
});
const Details = Type.Record(Type.String(), Type.String());
const Count = Type.Object({ count: Type.Integer() });
const Id = Type.Object({ id: Type.Integer() });

/** The events that wait for the platform, in order. Above the limit, the oldest are dropped and counted. */
export function createSecurityEventsStore(database: Database) {
  const counts = createMonitoringCountsStore(database);
  const insert = database.command("INSERT INTO monitoring_events (event_id, at, type, details) VALUES (?, ?, ?, ?)");
  const selectNewestExtra = database.query(Id, "SELECT id FROM monitoring_events ORDER BY id DESC LIMIT 1 OFFSET ?");
  const removeUntil = database.command("DELETE FROM monitoring_events WHERE id <= ?");
  const remove = database.command("DELETE FROM monitoring_events WHERE event_id = ?");
  const selectCount = database.query(Count, "SELECT count(*) AS count FROM monitoring_events");
  const selectOldest = database.queryRecords(
    Row,
    "SELECT event_id, at, type, details FROM monitoring_events ORDER BY id LIMIT ?",
    ({ event_id: id, at, type, details }): SecurityEvent => ({
      ...{ id, at, type },
      details: Value.Parse(Details, JSON.parse(details)),
    }),
  );

  function removeAll(events: readonly SecurityEvent[]): void {
    for (const { id } of events) remove(id);
  }

  return {
    count: (): number => selectCount.first()?.count ?? 0,
    countDropped: (): number => counts.read(DROPPED).count,
    oldest: (limit: number): SecurityEvent[] => selectOldest.all(limit),

    add({ id, at, type, details }: SecurityEvent): void {
      database.inTransaction(() => {
        insert(id, at, type, JSON.stringify(details));
        const extra = selectNewestExtra.first(MAX_EVENTS);
        if (extra) counts.add(DROPPED, removeUntil(extra.id).changes, at);
      });
    },

    /** Removes delivered events. */
    remove(events: readonly SecurityEvent[]): void {
      database.inTransaction(() => removeAll(events));
    },

    /** Removes events that the platform will never accept. */
    drop(events: readonly SecurityEvent[], at: number): void {
      database.inTransaction(() => {
        removeAll(events);
        counts.add(DROPPED, events.length, at);
      });
    },
  };
}
