import type { InboxItem } from "./inbox-client.ts";

/** Where the item's subject is shown. */
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
  /** How many came since the list was shown. */
  news: number;
}

/**
 * The rows do not move while the user reads them: what was read or has gone changes in place, what is new waits. A list
 * without rows shows the new ones at once.
 */
export function holdRows(shown: readonly InboxItem[], latest: readonly InboxItem[], isComplete: boolean): HeldRows {
  if (shown.length === 0) return { rows: [...latest], news: 0 };
  const byId = new Map(latest.map((item) => [item.id, item]));
  const known = new Set(shown.map(({ id }) => id));
  const oldest = latest.at(-1)?.at;
  const rows = shown.flatMap((item) => {
    const now = byId.get(item.id);
    if (now) return now;
    // Older than the page that was read again: nothing is known of it.
    const isBeyond = !isComplete && oldest !== undefined && item.at <= oldest;
    return isBeyond ? item : [];
  });
  return { rows, news: latest.filter(({ id }) => !known.has(id)).length };
}
