/** Where the time of a rule went, in seconds. The parts add up to `total_s`. */
export interface RuleTime {
  total_s: number;
  ran_s: number;
  late_s: number;
  skipped_s: number;
  capped_s: number;
  silent_s: number;
}

export const TIME_KINDS = ["ran", "late", "skipped", "capped", "silent"] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

/** Colours of the parts. */
export const TIME_FILLS: Readonly<Record<TimeKind, string>> = {
  ran: "var(--ok)",
  late: "var(--fill-medium)",
  skipped: "var(--fill-high)",
  capped: "var(--fill-low)",
  silent: "var(--fill-info)",
};

/** Shares of the rules' time from 0 to 1, which add up to 1. Undefined without any recorded time. */
export function sumRuleTime(rules: readonly RuleTime[]): Readonly<Record<TimeKind, number>> | undefined {
  const sum = (read: (rule: RuleTime) => number) => rules.reduce((all, rule) => all + read(rule), 0);
  const seconds = {
    ran: sum(({ ran_s }) => ran_s),
    late: sum(({ late_s }) => late_s),
    skipped: sum(({ skipped_s }) => skipped_s),
    capped: sum(({ capped_s }) => capped_s),
    silent: sum(({ silent_s }) => silent_s),
  };
  const total = TIME_KINDS.reduce((all, kind) => all + seconds[kind], 0);
  if (total === 0) return undefined;
  return {
    ran: seconds.ran / total,
    late: seconds.late / total,
    skipped: seconds.skipped / total,
    capped: seconds.capped / total,
    silent: seconds.silent / total,
  };
}

/** Percentages with one decimal that add up to exactly 100. A nonzero share is at least 0.1. */
export function toPercentages(shares: readonly number[]): number[] {
  const tenths = shares.map((share) => share * 1000);
  const rounded = tenths.map((value) => (value > 0 ? Math.max(1, Math.floor(value)) : 0));
  const missing = 1000 - rounded.reduce((all, value) => all + value, 0);
  const largest = rounded.indexOf(Math.max(...rounded));
  const byRest = tenths
    .map((value, index) => ({ index, rest: value - (rounded[index] ?? 0) }))
    .toSorted((a, b) => b.rest - a.rest);
  const raised = new Set(byRest.slice(0, Math.max(0, missing)).map(({ index }) => index));
  return rounded.map((value, index) => {
    const lowered = index === largest ? Math.min(0, missing) : 0;
    return (value + (raised.has(index) ? 1 : 0) + lowered) / 10;
  });
}

const ENOUGH = 0.95;

/** Rules that have an error, or ran less than 95 % of their time. */
export function listUnwell<Rule extends RuleTime & { last_error: string | null }>(rules: readonly Rule[]): Rule[] {
  return rules.filter(
    ({ last_error, ran_s, total_s }) => last_error !== null || (total_s > 0 && ran_s / total_s < ENOUGH),
  );
}
