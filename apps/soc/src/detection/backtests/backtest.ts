import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import type { Role } from "../../foundation/caller/permissions.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { parsePreviewWindow } from "../execution/preview-window.ts";
import type { Execution, Member, Window } from "../matches/finding.ts";
import type { RuleRow } from "../rules/rule.ts";
import type {
  BacktestBody,
  BacktestDetailBody,
  BacktestResultBody,
  CreateBacktestRequest,
} from "./backtests.schema.ts";

export type Backtest = Static<typeof BacktestBody>;
export type BacktestDetail = Static<typeof BacktestDetailBody>;
export type BacktestResult = Static<typeof BacktestResultBody>;

/** The stored part of the rule. */
export type TestedRule = Pick<
  RuleRow,
  "id" | "name" | "type" | "query" | "threshold" | "source" | "host" | "match_severity" | "sigma_yaml" | "tags"
>;

export interface BacktestRow extends Omit<Backtest, "name" | "progress" | "matches"> {
  rule: TestedRule;
  role: Role;
  position: Date;
  more: number;
  result: BacktestResult | null;
  worker: string | null;
  leased_until: Date;
  failures: number;
  notified_at: Date;
}

/** The data that a worker needs to evaluate the next slice. */
export type ClaimedBacktest = Pick<
  BacktestRow,
  "id" | "rule_id" | "rule" | "requested_by" | "role" | "window_from" | "window_to" | "position" | "failures"
>;

export const NEWEST_FIRST: Order<Backtest> = newestFirst("created_at");

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 7;
/** The parts of the histogram; each is one slice. */
export const BUCKETS = 48;

export function toTestedRule(rule: RuleRow): TestedRule {
  const { id, name, type, query, threshold, source, host, match_severity, sigma_yaml, tags } = rule;
  return { id, name, type, query, threshold, source, host, match_severity, sigma_yaml, tags };
}

/** Parses the time range of a request. It ends now at the latest. */
export function parseBacktestWindow({ days, from, to }: CreateBacktestRequest, now: Date): Window {
  if (from === undefined && to === undefined) {
    return { from: new Date(now.getTime() - (days ?? DEFAULT_DAYS) * DAY_MS), to: now };
  }
  if (days !== undefined) throw invalidField("days", "must not be combined with from or to");
  const window = parsePreviewWindow({ from, to }, now);
  if (window.from >= now) throw invalidField("from", "must be in the past");
  return { from: window.from, to: window.to > now ? now : window.to };
}

/**
 * Returns the slice that begins at the position. Slices depend only on the window, so that all workers compute the same
 * ones.
 */
export function findSlice({
  window_from,
  window_to,
  position,
}: Pick<BacktestRow, "window_from" | "window_to" | "position">): Window {
  const sliceMs = Math.ceil((window_to.getTime() - window_from.getTime()) / BUCKETS);
  return { from: position, to: new Date(Math.min(position.getTime() + sliceMs, window_to.getTime())) };
}

/** The result of a slice: its matched logs, and how many more were counted. */
export function collectSlice({ findings, total, capped }: Execution): {
  logs: Member[];
  more: number;
  isCapped: boolean;
} {
  const logs = [...new Map(findings.flatMap(({ members }) => members).map((log) => [log.id, log])).values()];
  return { logs, more: Math.max(0, total - logs.length), isCapped: capped !== undefined };
}
