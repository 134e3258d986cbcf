import type { Base, Registrations } from "../base.ts";
import type { RefreshCallers } from "../caller/caller.ts";
import type { Db } from "../database/tables.ts";
import { collectReaders, collectSights } from "./event.ts";
import { createEventFeed, type EventFeedDeps } from "./event-feed.worker.ts";
import { createEventHorizonStore } from "./event-horizon.store.ts";
import { createEventStream } from "./event-stream-on-source.ts";
import { eventsRoutes } from "./events.routes.ts";
import { createEventsService } from "./events.service.ts";
import { createEventsStore } from "./events.store.ts";
import { createOutboxConsumersWriter, createOutboxSource } from "./outbox-stream.store.ts";
import { createRecentEvents } from "./recent-events.ts";

export interface EventsNeeds {
  refreshCallers: RefreshCallers;
  /** The stream that other machines read; undefined on a single machine. */
  source: EventFeedDeps["source"] | undefined;
}

/** Registers `GET /events` for the given features. Each feature declares who may receive its events. */
export function createEvents(
  { db, runtime, clock, log }: Base,
  features: readonly Pick<Registrations, "readers" | "sights">[],
  { refreshCallers, source }: EventsNeeds,
) {
  const readers = collectReaders(features);
  const sights = collectSights(features);
  const store = createRecentEvents({ store: createEventsStore(db), clock });
  const events = createEventsService({ runtime, store, readers, sights, refreshCallers, clock, log });
  return {
    services: {},
    registrations: {
      routes: [eventsRoutes(events)],
      sweeps: [{ name: "outbox", run: () => events.sweep() }],
      serving: source ? [createEventFeed({ source, recent: store, clock, log })] : [],
    } satisfies Registrations,
  };
}

/** Measures the delay of events to their readers. */
export function createEventHorizon({ db }: Pick<Base, "db">) {
  const horizon = createEventHorizonStore(db);
  return { services: { readEventDelay: () => horizon.readAge() }, registrations: {} satisfies Registrations };
}

/** The outbox as a stream for the features that consume events in a worker process. */
export function createOutbox({ db, runtime, clock, log }: Base) {
  const outbox = createEventStream({ source: createOutboxSource({ db, clock }), db, runtime, clock, log });
  return {
    services: {
      outbox,
      beginConsumer: (answering: Db, consumer: string) => createOutboxConsumersWriter(answering).begin(consumer),
    },
    registrations: {
      createWork: () => ({ close: () => outbox.close() }),
      measures: [
        {
          name: "outbox_events",
          help: "Events in the outbox, delivered ones of the retention included.",
          kind: "gauge" as const,
          async read() {
            return (await runtime.truth()).is_database_available ? createEventHorizonStore(db).countHeld() : undefined;
          },
        },
      ],
    } satisfies Registrations,
  };
}
