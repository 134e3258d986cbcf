import { type Window, windowEndAfter } from "../rules/schedule.ts";

/** Which worker evaluates a rule: the dispatcher by schedule, the stream, or none while it is disabled. */
export type Owner = "schedule" | "stream" | "none";

/** The part of a rule that decides which worker evaluates it, and when. */
export interface OwnedRule {
  rule_id: string;
  version: number;
  owner: Owner;
  interval_minutes: number;
  source: string;
  changed_at: Date;
}

/** The time up to which a rule is accounted for, and the sums. Each second is counted in exactly one sum. */
export interface Coverage extends Omit<OwnedRule, "changed_at"> {
  accounted_from: Date;
  window_from: Date;
  next_run_at: Date | null;
  ran_s: number;
  skipped_s: number;
  capped_s: number;
  silent_s: number;
}

/** A window that is evaluated later, in a separate lane; its seconds are accounted for when it is finished. */
export interface NewBackfill extends Window {
  rule_id: string;
  reason: "failed" | "changed";
  seconds: number;
}

/** Time that a rule did not evaluate, or not completely. */
export interface Gap extends Window {
  rule_id: string;
  reason: "skipped" | "capped" | "silent";
}

export interface Transition {
  coverage: Coverage;
  backfill: NewBackfill | undefined;
  /** The time that was skipped while the rule was disabled. */
  gap: Gap | undefined;
}

/** The rule's time in seconds: the parts add up to `total_s`. */
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
 * Computes the coverage of a new or changed rule. All logs before `position` were evaluated by the stream. From
 * `frontier` on, logs are evaluated by the new rules. The time before it, which the stream has passed without this
 * version of the rule, becomes a backfill.
 */
export function computeTransition(
  known: Coverage | undefined,
  rule: OwnedRule,
  position: Date,
  frontier = position,
): Transition {
  const before = known ?? buildInitialCoverage(rule);
  const settled = settle(before, rule, position);
  const isStreaming = known?.owner === "stream";
  return { ...handOver(settled, rule, frontier, isStreaming), gap: findSkipped(before, settled) };
}

function findSkipped(before: Coverage, settled: Coverage): Gap | undefined {
  if (settled.skipped_s === before.skipped_s) return undefined;
  return { rule_id: settled.rule_id, reason: "skipped", from: before.window_from, to: settled.window_from };
}

function handOver(
  settled: Coverage,
  rule: OwnedRule,
  frontier: Date,
  isStreaming: boolean,
): Pick<Transition, "coverage" | "backfill"> {
  const { changed_at, ...owned } = rule;
  const coverage = { ...settled, ...owned, next_run_at: computeNextRun(rule, settled.window_from) };
  if (rule.owner !== "stream") return { coverage, backfill: undefined };
  // Time that was already streamed stays counted; the backfill only evaluates the changed rule and adds no seconds.
  const from = isStreaming ? changed_at : settled.window_from;
  if (from.getTime() >= frontier.getTime()) return { coverage, backfill: undefined };
  const seconds = isStreaming ? 0 : secondsBetween(from, frontier);
  const backfill: NewBackfill = { rule_id: rule.rule_id, reason: "changed", from, to: frontier, seconds };
  return { coverage: isStreaming ? coverage : { ...coverage, window_from: frontier }, backfill };
}

/** The coverage of a rule that has run on all its logs up to `position`. */
export function buildRanCoverage(rule: OwnedRule, position: Date): Coverage {
  return {
    ...buildInitialCoverage(rule),
    owner: rule.owner,
    window_from: position,
    next_run_at: computeNextRun(rule, position),
    ran_s: secondsBetween(rule.changed_at, position),
  };
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

/** Accounts for the time under the previous owner, up to where the new owner begins. */
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

/**
 * Accounts for all of the rule's time until now. `waiting_s` is dispatched or waiting for backfill, and not finished.
 */
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
