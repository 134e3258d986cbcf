import type { Budget } from "@kit/http/limits";

/** The classes of docs/api/player.md, section "Budgets". A request belongs to exactly one. */
export const BUDGETS = {
  status: { name: "status", limit: 120, windowMs: 10_000 },
  static: { name: "static", limit: 300, windowMs: 10_000 },
} as const satisfies Record<string, Budget>;

export type BudgetName = keyof typeof BUDGETS;
