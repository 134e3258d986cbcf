import type { Condition } from "@kit/query/condition";
import type { LogEvent } from "../../ports/log-event.ts";
import type { Window } from "../rules/schedule.ts";

/** A rule's id and the version that was evaluated. */
export interface RuleVersion {
  id: string;
  version: number;
}

/** A rule as the workers see it. */
export interface WorkerRule extends RuleVersion {
  source: string;
  /** The condition of a log, if a single log is enough for a match. */
  condition: Condition | undefined;
}

export interface RuleOutcome {
  /** The run found more than it may raise; an alert reports this. */
  isCapped: boolean;
}

/** A run without findings. Many are recorded in one statement. */
export interface QuietRun {
  rule: RuleVersion;
  window: Window;
}

/** The hits of one pass over a window, by rule. */
export interface ScanHits {
  /**
   * Undefined if the pass has no answer: it did not evaluate the rule, or the rule had more hits than the pass keeps.
   */
  of(rule: RuleVersion): readonly LogEvent[] | undefined;
}

export const NO_HITS: ScanHits = { of: () => undefined };
