import { type Window, windowEndAfter } from "./schedule.ts";

/** Who evaluates a rule: the dispatcher by its schedule, the stream, or nobody while it is not enabled. */
export type Owner = "schedule" | "stream" | "none";

/** A rule as far as it decides who evaluates it, and when. */
export interface OwnedRule {
  rule_id: string;
  version: number;
  owner: Owner;
  interval_minutes: number;
  source: string;
  changed_at: Date;
}

/** Up to where a rule's time is accounted for, and as what. Seconds add up: nothing is in two of them. */
export interface Coverage extends Omit<OwnedRule, "changed_at"> {
  accounted_from: Date;
  window_from: Date;
  next_run_at: Date | null;
  ran_s: number;
  skipped_s: number;
  capped_s: number;
  silent_s: number;
}

/** A window that is made up for in a lane of its own; its seconds are accounted for when it is done. */
export interface NewBackfill extends Window {
  rule_id: string;
  reason: "failed" | "changed";
  seconds: number;
}

export interface Transition {
  coverage: Coverage;
  backfill: NewBackfill | undefined;
}

/** Shares of the rule's time; together 1. */
export interface Account {
  rule_id: string;
  total_s: number;
  ran_s: number;
  late_s: number;
  skipped_s: number;
  capped_s: number;
  silent_s: number;
}

const secondsBetween = (from: Date, to: Date) => Math.max(0, (to.getTime() - from.getTime()) / 1000);
const later = (a: Date, b: Date) => (a.getTime() > b.getTime() ? a : b);

/**
 * What becomes of the coverage when the rule is new or has changed. `position` is how far the stream is: what it has passed
 * without this rule, as it is now, is a backfill.
 */
export function computeTransition(known: Coverage | undefined, rule: OwnedRule, position: Date): Transition {
  const { changed_at, ...owned } = rule;
  const settled = settle(known ?? buildInitialCoverage(rule), rule, position);
  const coverage = { ...settled, ...owned, next_run_at: computeNextRun(rule, settled.window_from) };
  if (rule.owner !== "stream") return { coverage, backfill: undefined };
  // What streamed before counts as it did; only what changed is made up for.
  const isStreaming = known?.owner === "stream";
  const from = isStreaming ? changed_at : settled.window_from;
  if (from.getTime() >= position.getTime()) return { coverage, backfill: undefined };
  const seconds = isStreaming ? 0 : secondsBetween(from, position);
  const backfill: NewBackfill = { rule_id: rule.rule_id, reason: "changed", from, to: position, seconds };
  return { coverage: isStreaming ? coverage : { ...coverage, window_from: position }, backfill };
}

function buildInitialCoverage(rule: OwnedRule): Coverage {
  const { changed_at, ...owned } = rule;
  return {
    ...owned,
    owner: "none",
    accounted_from: changed_at,
    window_from: changed_at,
    next_run_at: null,
    ran_s: 0,
    skipped_s: 0,
    capped_s: 0,
    silent_s: 0,
  };
}

/** Accounts for the time under the owner before, up to where the new one begins. */
function settle(known: Coverage, rule: OwnedRule, position: Date): Coverage {
  const { window_from } = known;
  if (known.owner === "none") {
    const begins = rule.owner === "none" ? window_from : later(window_from, rule.changed_at);
    return { ...known, window_from: begins, skipped_s: known.skipped_s + secondsBetween(window_from, begins) };
  }
  if (known.owner === "schedule" || rule.owner === "stream") return known;
  const begins = later(window_from, position);
  return { ...known, window_from: begins, ran_s: known.ran_s + secondsBetween(window_from, begins) };
}

function computeNextRun({ owner, interval_minutes }: OwnedRule, window_from: Date): Date | null {
  return owner === "schedule" ? windowEndAfter(window_from, interval_minutes) : null;
}

/** All of the rule's time until now. `waiting_s` is what is dispatched or to be backfilled, and not done. */
export function computeAccount(coverage: Coverage, waiting_s: number, position: Date, now: Date): Account {
  const { rule_id, owner, window_from, capped_s, silent_s } = coverage;
  const reached = owner === "stream" ? later(window_from, position) : window_from;
  const streamed = secondsBetween(window_from, reached);
  const open = secondsBetween(reached, now);
  return {
    rule_id,
    total_s: secondsBetween(coverage.accounted_from, now),
    ran_s: coverage.ran_s + streamed,
    late_s: waiting_s + (owner === "none" ? 0 : open),
    skipped_s: coverage.skipped_s + (owner === "none" ? open : 0),
    capped_s,
    silent_s,
  };
}
