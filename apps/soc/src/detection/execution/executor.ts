import { type Execution, RUN_LIMITS, toFindings, type Window } from "../matches/finding.ts";
import { type AskingRule, buildRuleCondition, buildRuleSteps, type Rule } from "../rules/rule.ts";
import { readNewTerms, readSequence, readThreshold, toSpanMs } from "../rules/rule-details.ts";
import { findNewTerms } from "./executor-new-terms.ts";
import { findSequences } from "./executor-sequence.ts";
import { findBursts } from "./executor-threshold.ts";
import type { LogReader, Reading } from "./log-reader.ts";

export type ExecutedRule = AskingRule & Pick<Rule, "type" | "threshold">;

/**
 * Evaluates a rule on the logs that were ingested within the window. Manual runs, schedule, backfills and previews all
 * use it. It changes nothing; the caller decides what to do with the findings.
 */
export async function executeRule(
  rule: ExecutedRule,
  window: Window,
  logs: LogReader,
  signal?: AbortSignal,
): Promise<Execution> {
  const condition = buildRuleCondition(rule);
  const reading = { logs, window, condition, ...(signal && { signal }) };
  switch (rule.type) {
    case "query":
      return findEvents(reading);
    case "threshold":
      return findBursts(reading, readThreshold(rule.threshold));
    case "new_terms":
      return findNewTerms(reading, readNewTerms(rule.threshold));
    case "sequence": {
      const details = readSequence(rule.threshold);
      const steps = buildRuleSteps(rule, details.steps);
      const lookback = lookingBack(window, toSpanMs(details));
      return { window, ...(await findSequences({ ...reading, window: lookback }, details, steps, window)) };
    }
    default:
      return rule.type satisfies never;
  }
}

async function findEvents({ logs, window, condition, signal }: Reading): Promise<Execution> {
  const found = await logs.search(condition, window, RUN_LIMITS.matches, signal);
  const findings = toFindings(found);
  if (found.length < RUN_LIMITS.matches) return { window, findings, total: found.length };
  const total = await logs.count(condition, window, RUN_LIMITS.counted, signal);
  if (total <= RUN_LIMITS.matches) return { window, findings, total };
  return { window, findings, total, capped: `more than ${RUN_LIMITS.matches} logs match` };
}

/** Extends the window back, so that a group that began before it is complete. */
function lookingBack({ from, to }: Window, spanMs: number): Window {
  return { from: new Date(from.getTime() - spanMs), to };
}
