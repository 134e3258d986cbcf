import { Problem } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";

const FRESH_MS = 5 * 60_000;

/** Returns the time until which a second factor counts as fresh. */
export function computeFreshUntil(factorAt: Date): Date {
  return new Date(factorAt.getTime() + FRESH_MS);
}

/** An API key never has a factor. */
export function hasFreshFactor({ kind, factor_at }: Caller, now: Date): boolean {
  return kind === "user" && factor_at !== undefined && now < computeFreshUntil(factor_at);
}

/** For a user whose role requires a second factor, but who has not passed one. */
export function needsFactor(): Problem {
  const ways = "POST /api/v1/auth/step-up or /api/v1/me/factors/totp";
  return new Problem("forbidden", `a second factor is needed: ${ways}`, { code: "factor_missing" });
}

export function needsFreshFactor({ kind }: Pick<Caller, "kind">): Problem {
  const way = kind === "user" ? "POST /api/v1/auth/step-up" : "an API key has none";
  return new Problem("forbidden", `a fresh second factor is needed: ${way}`, { code: "factor_not_fresh" });
}
