import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { notFound } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { StreamEvent } from "../../foundation/events/event-stream.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { ParkedEventBody } from "./parked-events.schema.ts";
import { createParkedEventsStore, type ParkedEventsStore } from "./parked-events.store.ts";

export interface ParkedEventsServiceDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ParkedEventsStore; showcase: ParkedEventsStore };
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "info" | "warn" | "error">;
}
export type ParkedEventsService = ReturnType<typeof createParkedEventsService>;

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 3_600_000;
const RETRY_BATCH_SIZE = 20;
const ACTOR = "automations";
const MAX_ERROR_LENGTH = 1000;

/** Events that the automations could not handle: stored with the reason, reported, and retried until they are handled. */
export function createParkedEventsService(deps: ParkedEventsServiceDeps) {
  const { db, runtime, stores, audit, clock, ids, log } = deps;
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  function record(tx: Tx, actor: string, action: string, subject_id: string, details: object): Promise<void> {
    return audit.record(tx, { actor, action, subject_type: "parked_event", subject_id, details });
  }

  return {
    async list(query: PageQuery): Promise<Page<ParkedEventBody>> {
      return (await runtime.choose(stores)).list(query);
    },

    /** Throws if the event could not be stored; the stream then delivers it again. */
    async park(event: StreamEvent, failure: unknown): Promise<void> {
      const { type, subject_id } = event;
      const [id, error] = [ids.next(), toMessage(failure)];
      await db.transaction().execute(async (tx) => {
        const parked = { id, event, error, at: clock.now(), retryAt: after(FIRST_RETRY_MS) };
        if (!(await createParkedEventsStore(tx).insert(parked))) return;
        await record(tx, ACTOR, "automation.event_parked", id, { type, subject_id, error });
      });
      log.error({ err: failure, id, type, subject_id }, "automation event parked after repeated failures");
    },

    /** Handles due events. The delay after a failure grows up to an hour. */
    async retryDue(handle: (event: StreamEvent) => Promise<void>): Promise<void> {
      const store = createParkedEventsStore(db);
      for (const { id, event, retries } of await store.claim(clock.now(), after(MAX_RETRY_MS), RETRY_BATCH_SIZE)) {
        try {
          await handle(event);
          await db.transaction().execute(async (tx) => {
            await createParkedEventsStore(tx).remove(id);
            await record(tx, ACTOR, "automation.event_handled", id, { type: event.type, subject_id: event.subject_id });
          });
          log.info({ id, retries }, "parked automation event handled");
        } catch (error) {
          const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(retries, 10), MAX_RETRY_MS);
          await store.update(id, { error: toMessage(error), retryAt: after(waitMs) });
          log.warn({ err: error, id, retries, wait_ms: waitMs }, "parked automation event failed again");
        }
      }
    },

    /** Makes the event due; a worker handles it within seconds. */
    async requestRetry(tx: Tx, caller: Caller, id: string): Promise<ParkedEventBody> {
      const due = await createParkedEventsStore(tx).makeDue(id, clock.now());
      if (!due) throw notFound("parked event", id);
      await record(tx, caller.username, "automation.retry_requested", id, { type: due.type });
      return due;
    },
  };
}

function toMessage(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);
}
