import type { Approval, ApprovalDetail } from "./approvals-client.ts";

/** Why the user cannot decide; undefined if the user can. */
export type Bar = "decided" | "expired" | "own" | "wrote" | "voted" | "permission";

interface Person {
  username: string;
  mayDecide: boolean;
}

/** A request of an agent that stopped waiting can be decided until it expires. */
export function isOpen({ status, kind, expires_at }: Pick<Approval, "status" | "kind" | "expires_at">, now: Date) {
  return (status === "pending" || (status === "timeout" && kind === "request")) && now < new Date(expires_at);
}

export function findBar(approval: ApprovalDetail, { username, mayDecide }: Person, now: Date): Bar | undefined {
  const { status, policy, requested_by, requesters, votes } = approval;
  if (status === "approved" || status === "rejected") return "decided";
  if (!isOpen(approval, now)) return "expired";
  if (!mayDecide) return "permission";
  if (policy.four_eyes && username === requested_by) return "own";
  if (policy.four_eyes && requesters.includes(username)) return "wrote";
  if (votes.some(({ decided_by }) => decided_by === username)) return "voted";
  return undefined;
}

/** The remaining share of its lifetime, from 1 to 0. */
export function shareLeft({ requested_at, expires_at }: Pick<Approval, "requested_at" | "expires_at">, now: Date) {
  const [start, end] = [Date.parse(requested_at), Date.parse(expires_at)];
  return Math.max(0, Math.min(1, (end - now.getTime()) / Math.max(1, end - start)));
}

export interface KeptRow {
  approval: Approval;
  /** No longer in the list: another user decided, or it ended. */
  isGone: boolean;
}

/** Rows keep their place while the list changes below the cursor: removed ones are marked, new ones are appended. */
export function keepRows(shown: readonly KeptRow[], listed: readonly Approval[]): KeptRow[] {
  const byId = new Map(listed.map((approval) => [approval.id, approval]));
  const kept = shown.map(({ approval }) => {
    const now = byId.get(approval.id);
    byId.delete(approval.id);
    return { approval: now ?? approval, isGone: !now };
  });
  return [...kept, ...[...byId.values()].map((approval) => ({ approval, isGone: false }))];
}

/** Soonest expiry first. */
export function soonestFirst(approvals: readonly Approval[]): Approval[] {
  return approvals.toSorted((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at));
}
