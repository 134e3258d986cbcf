import type { AlertsService } from "../../alerts/module.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import type { Consumption, EventStream } from "../../foundation/events/event-stream.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { CasesService } from "../cases/cases.service.ts";
import { inboxRoutes } from "./inbox.routes.ts";
import { INBOX_KINDS } from "./inbox.schema.ts";
import { createInboxService } from "./inbox.service.ts";
import { createShowcaseInboxStore } from "./inbox.showcase.ts";
import { createInboxStore, createInboxWriter } from "./inbox.store.ts";
import { consumeForInbox, createDueReminders, type DueCasesDeps, INBOX_CONSUMER } from "./inbox.worker.ts";

export interface InboxNeeds {
  alerts: Pick<AlertsService, "get">;
  cases: Pick<CasesService, "look">;
  listDue: DueCasesDeps["listDue"];
  listNear: DueCasesDeps["listNear"];
  outbox: EventStream;
  beginConsumer: (db: Db, consumer: string) => Promise<void>;
}

const KEPT_MS = 90 * 24 * 3_600_000;
const MAX_ITEMS = 1000;
const SWEEP_BATCH_SIZE = 2000;

/** Collects notifications for each person from the events of all features. */
export function createInbox(base: Base, { alerts, cases, listDue, listNear, outbox, beginConsumer }: InboxNeeds) {
  const { db, runtime, changes, clock, ids, log } = base;
  const stores = base.sources(createInboxStore, createShowcaseInboxStore);
  const inbox = createInboxService({ runtime, stores, outbox, clock });
  const titles = {
    alert: (id: string) => alerts.get(ALL_SITES, id),
    case: (id: string) => cases.look(ALL_SITES, id, async (_source, found) => found),
  };
  const before = () => new Date(clock.now().getTime() - KEPT_MS);
  return {
    services: { inbox },
    registrations: {
      routes: [inboxRoutes({ inbox, changes, ids })],
      readers: { inbox: "subject" as const },
      onFirstAnswer: (answering: Db) => beginConsumer(answering, INBOX_CONSUMER),
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        const story = createShowcaseInboxStore(showcase);
        for (const { username } of showcase.users) {
          const { items } = await story.list(
            ALL_SITES,
            { username, kinds: INBOX_KINDS.filter((kind) => kind !== "waiting") },
            {},
          );
          await createInboxWriter(tx).insert(
            items.map((item) => ({ ...item, id: ids.next(), username, cause: `demo:${item.subject_id}` })),
          );
        }
      },
      sweeps: [{ name: "inbox", run: () => createInboxWriter(db).deleteOld(before(), MAX_ITEMS, SWEEP_BATCH_SIZE) }],
      createWork: () => {
        let consumption: Consumption | undefined;
        return {
          background: () => [
            {
              start() {
                consumption ??= consumeForInbox({ db, inbox, titles, outbox, ids });
              },
              close: async () => consumption?.close(),
            },
            createDueReminders({ db, inbox, ids, listDue, listNear, runtime, clock, log }),
          ],
        };
      },
    } satisfies Registrations,
  };
}
