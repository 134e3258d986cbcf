import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { ATTENTION_KEY } from "../../../app/attention/attention.ts";
import { useApp, useLive } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import {
  COUNT_KEY,
  INBOX_KEY,
  type InboxFilter,
  type InboxItem,
  LIST_KEY,
  markRead,
  readInbox,
} from "./inbox-client.ts";
import { inboxPhrases } from "./inbox-phrases.ts";
import { holdRows } from "./inbox-rows.ts";

export interface InboxReading {
  rows: readonly InboxItem[];
  news: number;
  total: number;
  hasMore: boolean;
  isFirst: boolean;
  error: unknown;
  showNews: () => void;
  readMore: () => void;
  readAgain: () => void;
}

/** The rows of a view. New items wait until the user loads them. */
export function useInbox(filter: InboxFilter): InboxReading {
  const { server } = useApp();
  const queries = useQueryClient();
  const [shown, setShown] = useState<readonly InboxItem[]>([]);
  const [news, setNews] = useState(0);
  const [cursor, setCursor] = useState<string | null>();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...LIST_KEY, filter.kind ?? "", filter.isUnread],
    queryFn: ({ signal }) => readInbox(server, filter, undefined, signal),
  });
  useLive({
    onEvents: (events) => {
      if (events.some(({ type }) => type === "inbox.changed")) void queries.invalidateQueries({ queryKey: INBOX_KEY });
    },
    onReset: () => void queries.invalidateQueries({ queryKey: INBOX_KEY }),
  });
  useEffect(() => {
    if (!data) return;
    setShown((before) => {
      const held = holdRows(before, data.items, data.next_cursor === null);
      setNews(held.news);
      return held.rows;
    });
    setCursor((before) => (before === undefined ? (data.next_cursor ?? null) : before));
  }, [data]);
  const showNews = useCallback(() => {
    if (!data) return;
    setShown(data.items);
    setNews(0);
    setCursor(data.next_cursor ?? null);
  }, [data]);
  const readMore = async () => {
    if (typeof cursor !== "string") return;
    const { items, next_cursor } = await readInbox(server, filter, cursor);
    setShown((before) => [...before, ...items.filter(({ id }) => !before.some((item) => item.id === id))]);
    setCursor(next_cursor ?? null);
  };
  return {
    rows: shown,
    news,
    total: data?.total ?? 0,
    hasMore: typeof cursor === "string",
    isFirst: isPending,
    error,
    showNews,
    readMore: () => void readMore(),
    readAgain: () => void refetch(),
  };
}

/** Marks items as read. `isQuiet` for a side effect, such as opening an item. */
export function useMarkRead() {
  const words = usePhrases(inboxPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const { notify } = useNotices();
  const queries = useQueryClient();
  return useCallback(
    async (what: { ids: readonly string[] } | { all: true }, isQuiet = false): Promise<void> => {
      try {
        const answer = await markRead(server, what);
        if ("preview" in answer) {
          if (!isQuiet) notify({ text: words.preview, tone: "waiting" });
          return;
        }
        if ("all" in what) notify({ text: numbers.count(answer.read, words.marked), tone: "ok" });
        await queries.invalidateQueries({ queryKey: LIST_KEY });
        await queries.invalidateQueries({ queryKey: COUNT_KEY });
        await queries.invalidateQueries({ queryKey: ATTENTION_KEY });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (!isQuiet) notify({ text: error.message, tone: "failed" });
      }
    },
    [server, notify, queries, words, numbers],
  );
}
