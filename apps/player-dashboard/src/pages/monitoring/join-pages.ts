import type { SentBody } from "@player/service/contract/monitoring";

/** The newest page, which grows while the page is open, and the older ones that were loaded; each message once. */
export function joinPages(newest: SentBody, older: readonly SentBody[]): Pick<SentBody, "items" | "next_cursor"> {
  const pages = [newest, ...older];
  const items = new Map(pages.flatMap((page) => page.items.map((message) => [message.id, message] as const)));
  const next_cursor = (pages.at(-1) ?? newest).next_cursor;
  return { items: [...items.values()].toSorted((one, other) => other.id - one.id), next_cursor };
}
