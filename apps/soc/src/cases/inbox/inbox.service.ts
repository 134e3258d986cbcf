import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import { type Caller, isCallerAllowed, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { EventStream } from "../../foundation/events/event-stream.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { INBOX_KINDS, type InboxCount, type InboxQuery, type ReadRequest } from "./inbox.schema.ts";
import { createInboxWriter, type InboxStore, type Owner } from "./inbox.store.ts";
import type { InboxItem } from "./inbox-item.ts";

export interface InboxServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: InboxStore; showcase: InboxStore };
  outbox: Pick<EventStream, "publish">;
  clock: Pick<Clock, "now">;
}
export type InboxService = ReturnType<typeof createInboxService>;

/** Serves the inbox: users see only their own items. */
export function createInboxService({ runtime, stores, outbox, clock }: InboxServiceDeps) {
  // Requests of callers with some sites must not read the outbox, not even to check whether it contains an event.
  const outside = AsyncLocalStorage.snapshot();

  /** A user who may no longer decide about approvals sees no pending approvals. */
  function toOwner(caller: Caller): Owner {
    const mayDecide = isCallerAllowed(caller, ["approvals:manage"]);
    return { username: caller.username, kinds: INBOX_KINDS.filter((kind) => mayDecide || kind !== "waiting") };
  }

  return {
    async list(caller: Caller, query: InboxQuery): Promise<Page<InboxItem>> {
      return (await runtime.choose(stores)).list(toScope(caller), toOwner(caller), query);
    },

    async countUnread(caller: Caller): Promise<InboxCount> {
      return (await runtime.choose(stores)).countUnread(toScope(caller), toOwner(caller));
    },

    /** Makes the pages of these users count again. The same cause announces it only once. */
    async announce(usernames: readonly string[], cause: string): Promise<void> {
      const at = clock.now().toISOString();
      const events = usernames.map((username) => ({
        id: `inbox:${cause}:${username}`,
        at,
        type: "inbox.changed",
        subject_id: username,
        data: {},
      }));
      await outside(() => outbox.publish(events));
    },

    /** Writes no audit entry, because it concerns only this person. */
    async markRead(tx: Tx, caller: Caller, { ids, all }: ReadRequest): Promise<{ read: number }> {
      if ((ids === undefined) === (all === undefined)) throw invalidField("ids", "is required unless all is true");
      const { username } = caller;
      return { read: await createInboxWriter(tx).markRead(toScope(caller), username, ids, clock.now()) };
    },
  };
}
