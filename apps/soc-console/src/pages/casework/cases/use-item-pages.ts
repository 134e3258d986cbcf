import { useEffect, useRef } from "react";
import { after } from "../../../app/browser/clock.ts";
import { useLive } from "../../../app/context/app-context.ts";
import { useRecordPages } from "../../../app/lists/record-list.tsx";
import type { ListResponse, QueryValue } from "../../../app/server/server.ts";
import type { ReadListPages } from "../../../design/list/use-list-pages.ts";
import { namesCase } from "./use-case-page.ts";

const GATHER_MS = 1000;

type PageReader<Item> = (
  query: Readonly<Record<string, QueryValue>>,
  signal: AbortSignal,
) => Promise<ListResponse<Item>>;

interface ItemPagesOptions<Item> {
  caseId: string;
  /** Noun of the list and prefix of its events: `task` for `task.updated`. */
  noun: string;
  read: PageReader<Item>;
}

/** The pages of one list of a case, reloaded when an event names it. */
export function useItemPages<Item>({ caseId, noun, read }: ItemPagesOptions<Item>): ReadListPages<Item> {
  const pages = useRecordPages<Item>(`${noun} ${caseId}`, {}, read);
  const waiting = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => waiting.current?.(), []);
  useLive({
    onEvents: (events) => {
      if (!events.some((event) => event.type.startsWith(`${noun}.`) && namesCase(event, caseId))) return;
      waiting.current?.();
      waiting.current = after(GATHER_MS, pages.reload);
    },
    onReset: pages.reload,
  });
  return pages;
}
