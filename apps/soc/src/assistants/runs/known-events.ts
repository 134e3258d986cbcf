import type { LogEvent } from "../../ports/log-event.ts";
import type { EventReader } from "../investigations/event-reader.ts";

/**
 * Caches the events that an investigation has read, because the context of an alert and the citations of findings are
 * mostly the same events.
 */
export function rememberEvents(reader: EventReader): EventReader {
  const known = new Map<string, LogEvent>();
  const asked = new Set<string>();

  async function keep(reading: Promise<LogEvent[]>): Promise<LogEvent[]> {
    const events = await reading;
    for (const event of events) known.set(event.id, event);
    return events;
  }

  return {
    ...reader,
    async find(log_ids) {
      const unknown = log_ids.filter((id) => !known.has(id) && !asked.has(id));
      if (unknown.length > 0) await keep(reader.find(unknown));
      for (const id of unknown) asked.add(id);
      return log_ids.flatMap((id) => known.get(id) ?? []);
    },
    ofProcess: (...given) => keep(reader.ofProcess(...given)),
    ofSession: (...given) => keep(reader.ofSession(...given)),
    ofUser: (...given) => keep(reader.ofUser(...given)),
    ofAddress: (...given) => keep(reader.ofAddress(...given)),
  };
}
