import type { Account } from "./accounting.ts";

export const HOUR_MS = 60 * 60_000;
/** Gaps are kept for this long. */
export const HISTORY_RETENTION_MS = 31 * 24 * HOUR_MS;

/** How an hour of a rule is accounted for: the parts add up to `total_s`. */
export interface AccountedHour extends Omit<Account, "rule_id"> {
  hour: Date;
}

/** The hours of a rule whose accounting is known. */
export interface History {
  history_from: Date;
  hours: AccountedHour[];
}

/**
 * Accounts for the rest of the hour as ran. Gaps may overlap briefly; each second counts once, for the first of them.
 */
export function computeHour({ hour, total_s, ...gaps }: Omit<AccountedHour, "ran_s">): AccountedHour {
  let rest = total_s;
  const take = (seconds: number) => {
    const taken = Math.min(seconds, rest);
    rest -= taken;
    return taken;
  };
  const [late_s, skipped_s] = [take(gaps.late_s), take(gaps.skipped_s)];
  const [silent_s, capped_s] = [take(gaps.silent_s), take(gaps.capped_s)];
  return { hour, total_s, ran_s: rest, late_s, skipped_s, capped_s, silent_s };
}

export const toHourStart = (time: Date) => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
export const toHourEnd = (time: Date) => new Date(Math.ceil(time.getTime() / HOUR_MS) * HOUR_MS);
