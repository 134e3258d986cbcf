import { pageInMemory } from "../../foundation/lists/order.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { InboxQuery } from "./inbox.schema.ts";
import type { InboxStore, Owner } from "./inbox.store.ts";
import { type InboxItem, NEWEST_FIRST } from "./inbox-item.ts";

type Story = Pick<Showcase, "alerts" | "approvals" | "cases">;

/** Lists assigned alerts and cases and pending approvals of the showcase for a user. */
function listItems({ alerts, approvals, cases }: Story, { username, kinds }: Owner): InboxItem[] {
  const unread = { actor: null, read_at: null };
  const assigned = { kind: "assigned", ...unread } as const;
  const items: InboxItem[] = [
    ...alerts
      .filter(({ assignee }) => assignee === username)
      .map(({ id, title, updated_at: at }) => ({ ...assigned, id, subject_type: "alert", subject_id: id, title, at })),
    ...cases
      .filter(({ assignee }) => assignee === username)
      .map(({ id, title, updated_at: at }) => ({ ...assigned, id, subject_type: "case", subject_id: id, title, at })),
    ...approvals
      .filter(({ status }) => status === "pending")
      .map(({ id, action: title, requested_by: actor, requested_at: at }) => {
        return {
          id,
          kind: "waiting" as const,
          subject_type: "approval",
          subject_id: id,
          title,
          actor,
          at,
          read_at: null,
        };
      }),
  ];
  return items.filter(({ kind }) => kinds.includes(kind));
}

export function createShowcaseInboxStore(story: Story): InboxStore {
  return {
    async list(_scope, owner, { kind, unread, ...query }: InboxQuery) {
      const items = listItems(story, owner).filter((item) => kind?.includes(item.kind) ?? true);
      return pageInMemory(unread === false ? [] : items, NEWEST_FIRST, query);
    },

    async countUnread(_scope, owner) {
      const by_kind: Record<string, number> = {};
      const items = listItems(story, owner);
      for (const { kind } of items) by_kind[kind] = (by_kind[kind] ?? 0) + 1;
      return { unread: items.length, by_kind };
    },
  };
}
