import type { Condition } from "@kit/query/condition";
import type { LogEvent } from "../../ports/log-event.ts";
import { type ExecutedRule, executeRule } from "../execution/executor.ts";
import type { LogReader } from "../execution/log-reader.ts";
import { type Execution, RUN_LIMITS, toFindings, type Window } from "../matches/finding.ts";
import { buildRuleCondition, buildRuleSteps } from "../rules/rule.ts";
import { readSequence } from "../rules/rule-details.ts";
import type { ExceptionMatcher } from "./exception.ts";

/**
 * Evaluates a rule of any kind on the logs that its exceptions do not hide: a hidden log counts in no group. One more
 * query finds the hidden logs.
 */
export async function executeExcept(
  rule: ExecutedRule,
  window: Window,
  logs: LogReader,
  excepting: ExceptionMatcher | undefined,
  signal?: AbortSignal,
): Promise<Execution> {
  if (!excepting) return executeRule(rule, window, logs, signal);
  const execution = await executeRule(rule, window, withoutLogs(logs, excepting.condition), signal);
  const condition = { kind: "and", of: [buildReadCondition(rule), excepting.condition] } as const;
  const hidden = await logs.search(condition, window, RUN_LIMITS.matches, signal);
  return { ...execution, excepted: attribute(hidden, excepting) };
}

/** The same for logs that are known to match the rule. */
export function exceptFound(
  found: readonly LogEvent[],
  window: Window,
  excepting: ExceptionMatcher | undefined,
): Execution {
  if (!excepting) return { window, findings: toFindings(found), total: found.length };
  const open = found.filter((log) => excepting.find(log) === undefined);
  return { window, findings: toFindings(open), total: open.length, excepted: attribute(found, excepting) };
}

function attribute(logs: readonly LogEvent[], excepting: ExceptionMatcher): NonNullable<Execution["excepted"]> {
  return logs.flatMap((log) => {
    const exception_id = excepting.find(log);
    return exception_id === undefined ? [] : [{ exception_id, log }];
  });
}

function withoutLogs(logs: LogReader, hidden: Condition): LogReader {
  const left = (condition: Condition): Condition => ({ kind: "and", of: [condition, { kind: "not", of: hidden }] });
  return {
    search: (condition, ...rest) => logs.search(left(condition), ...rest),
    count: (condition, ...rest) => logs.count(left(condition), ...rest),
    stream: (condition, ...rest) => logs.stream(left(condition), ...rest),
  };
}

/** The condition for a log to be read by the rule. */
function buildReadCondition(rule: ExecutedRule): Condition {
  const condition = buildRuleCondition(rule);
  if (rule.type !== "sequence") return condition;
  return { kind: "and", of: [condition, { kind: "or", of: buildRuleSteps(rule, readSequence(rule.threshold).steps) }] };
}
