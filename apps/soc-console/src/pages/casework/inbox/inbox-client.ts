import type { InboxCount, InboxItemBody } from "@soc/service/contract/cases/inbox/inbox";
import type { Static } from "typebox";
import type { ListResponse, Server, Wire } from "../../../app/server/server.ts";

export type InboxItem = Wire<Static<typeof InboxItemBody>>;
export type InboxKind = InboxItem["kind"];

export const INBOX_KEY = ["inbox"] as const;
export const COUNT_KEY = ["inbox", "count"] as const;
export const LIST_KEY = ["inbox", "list"] as const;

const PAGE_ROWS = 100;

export interface InboxFilter {
  kind: InboxKind | undefined;
  isUnread: boolean;
}

export const readInbox = (server: Server, { kind, isUnread }: InboxFilter, cursor?: string, signal?: AbortSignal) =>
  server.get<ListResponse<InboxItem>>("/inbox", {
    query: { kind, unread: isUnread || undefined, limit: PAGE_ROWS, cursor },
    signal,
  });

export const readInboxCount = (server: Server, signal: AbortSignal) =>
  server.get<InboxCount>("/inbox/count", { signal });

export const markRead = (server: Server, what: { ids: readonly string[] } | { all: true }) =>
  server.post<{ read: number } | { dry_run: boolean; preview: { read: number } }>("/inbox/read", what);
