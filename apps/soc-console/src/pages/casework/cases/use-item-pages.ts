import { useEffect, useRef } from "react";
import { after } from "../../../app/browser/clock.ts";
import { useLive } from "../../../app/context/use-live.ts";
import { useRecordPages } from "../../../app/lists/use-record-pages.ts";
import type { QueryValue } from "../../../app/server/server.ts";
import type { Listed } from "../../../app/server/wire.ts";
import type { ReadListPages } from "../../../design/list/use-list-pages.ts";
import { namesCase } from "./use-case-page.ts";

const GATHER_MS = 1000;

type Read<Item> = (query: Readonly<Record<string, QueryValue>>, signal: AbortSignal) => Promise<Listed<Item>>;

interface ItemPagesOptions<Item> {
  caseId: string;
  /** The noun of the list, which is also the beginning of its events: `task` of `task.updated`. */
  noun: string;
  read: Read<Item>;
}

/** The pages of one list of a case, read again when an event names it. */
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
