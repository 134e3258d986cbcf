import { type ReadListPages, useListPages } from "../../design/list/use-list-pages.ts";
import type { QueryValue } from "../server/server.ts";
import type { Listed } from "../server/wire.ts";

const PAGE_ROWS = 100;

type Query = Readonly<Record<string, QueryValue>>;
type Read<Item> = (query: Query, signal: AbortSignal) => Promise<Listed<Item>>;

/** The pages of a list of the API. Another `query` reads from the beginning. */
export function useRecordPages<Item>(noun: string, query: Query, read: Read<Item>): ReadListPages<Item> {
  return useListPages<Item>(`${noun} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const page = await read({ ...query, limit: PAGE_ROWS, cursor }, signal);
    return { rows: page.items, next: page.next_cursor ?? undefined, total: page.total };
  });
}
