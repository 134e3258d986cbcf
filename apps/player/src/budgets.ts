import type { Budget } from "@kit/http/limits";

/** The classes of docs/api/player.md, section "Budgets". A request belongs to exactly one. */
export const BUDGETS = {
  status: { name: "status", limit: 120, windowMs: 10_000 },
  read: { name: "read", limit: 60, windowMs: 10_000 },
  playback: { name: "playback", limit: 20, windowMs: 10_000 },
  mutation: { name: "mutation", limit: 30, windowMs: 10_000 },
  pairing: { name: "pairing", limit: 5, windowMs: 60_000 },
  wifi: { name: "wifi", limit: 3, windowMs: 60_000 },
  sleep: { name: "sleep", limit: 3, windowMs: 60_000 },
  reset: { name: "reset", limit: 3, windowMs: 60_000 },
  upload: { name: "upload", limit: 2, windowMs: 60_000 },
  card_upload: { name: "card_upload", limit: 120, windowMs: 10_000 },
  pull: { name: "pull", limit: 2, windowMs: 60_000 },
  screenshot: { name: "screenshot", limit: 10, windowMs: 10_000 },
  socket: { name: "socket", limit: 10, windowMs: 10_000 },
  static: { name: "static", limit: 300, windowMs: 10_000 },
} as const satisfies Record<string, Budget>;

export type BudgetName = keyof typeof BUDGETS;

/**
 * The same limits, counted separately for requests with the right token: requests without it cannot use up the owner's
 * budget.
 */
export function chooseBudget(name: BudgetName, isOwner: boolean): Budget {
  const budget = BUDGETS[name];
  return isOwner ? { ...budget, name: `${name} of the owner` } : budget;
}
