import type { InboxItem } from "./inbox-client.ts";

/** The page of the item's subject. */
export function subjectPath({ subject_type, subject_id }: Pick<InboxItem, "subject_type" | "subject_id">): string {
  const id = encodeURIComponent(subject_id);
  switch (subject_type) {
    case "alert":
      return `/alerts/${id}`;
    case "case":
      return `/cases/${id}`;
    case "approval":
      return `/approvals/${id}`;
    case "execution":
      return `/runs/${id}`;
    default:
      // A sign-in to the user's own account.
      return "/settings/me";
  }
}

export interface HeldRows {
  rows: InboxItem[];
  /** Number of items that arrived since the list was shown. */
  news: number;
}

/**
 * Rows do not move while the user reads: read and removed items change in place, new ones wait. An empty list shows new
 * items at once.
 */
export function holdRows(shown: readonly InboxItem[], latest: readonly InboxItem[], isComplete: boolean): HeldRows {
  if (shown.length === 0) return { rows: [...latest], news: 0 };
  const byId = new Map(latest.map((item) => [item.id, item]));
  const known = new Set(shown.map(({ id }) => id));
  const oldest = latest.at(-1)?.at;
  const rows = shown.flatMap((item) => {
    const now = byId.get(item.id);
    if (now) return now;
    // Older than the reloaded page: its state is unknown.
    const isBeyond = !isComplete && oldest !== undefined && item.at <= oldest;
    return isBeyond ? item : [];
  });
  return { rows, news: latest.filter(({ id }) => !known.has(id)).length };
}
