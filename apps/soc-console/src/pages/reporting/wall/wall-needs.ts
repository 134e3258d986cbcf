import type { Approval, Case, Source } from "./wall-client.ts";

type Due = Pick<Case, "due_at" | "sla">;

/** The deadline of a case: the manually set date, or its SLA. */
export function findDue({ due_at, sla }: Due): string | undefined {
  return due_at ?? sla?.resolve_by ?? undefined;
}

/** Overdue cases, longest overdue first. */
export function listOverdue<Item extends Due>(cases: readonly Item[], now: Date): Item[] {
  const isOver = (record: Item) => {
    const due = findDue(record);
    return record.sla?.state === "breached" || (due !== undefined && Date.parse(due) < now.getTime());
  };
  return cases.filter(isOver).toSorted((a, b) => (findDue(a) ?? "").localeCompare(findDue(b) ?? ""));
}

/** Cases that need a person: overdue ones first, then those without an assignee. */
export function listCaseNeeds<Item extends Due & Pick<Case, "assignee">>(cases: readonly Item[], now: Date): Item[] {
  const overdue = listOverdue(cases, now);
  return [...overdue, ...cases.filter((record) => record.assignee === null && !overdue.includes(record))];
}

/** Pending requests, soonest expiry first. */
export function listWaiting<Item extends Pick<Approval, "expires_at">>(approvals: readonly Item[], now: Date): Item[] {
  return approvals
    .filter(({ expires_at }) => Date.parse(expires_at) > now.getTime())
    .toSorted((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at));
}

/** Sources that are silent although monitored, longest silent first. */
export function listSilent<Item extends Pick<Source, "silent_since">>(
  sources: readonly Item[],
): (Item & { silent_since: string })[] {
  return sources
    .flatMap((source) => {
      const { silent_since } = source;
      return silent_since === null ? [] : [{ ...source, silent_since }];
    })
    .toSorted((a, b) => Date.parse(a.silent_since) - Date.parse(b.silent_since));
}

const SOON_MS = 3_600_000;

/** Whether the first request expires within the hour. */
export function isSoon(end: string | undefined, now: Date): boolean {
  return end !== undefined && Date.parse(end) - now.getTime() < SOON_MS;
}
