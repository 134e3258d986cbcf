import type { Alert } from "../../alerts/module.ts";
import type { AskingRule } from "../../detection/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { DeviceVerdict, InvestigatedAlert, IocHit, RuleFeedback } from "../investigations/event-reader.ts";
import type { Reply } from "../models/reply.ts";
import type { Envelope } from "../tools/tools.service.ts";
import type { AgentSlot, AgentsNow } from "./ports.ts";
import { isRecord } from "./recording-limits.ts";

// The forms of recorded answers distinguish a valid answer from one that was truncated to nothing or recorded by
// another release. The fields were validated when the platform first read them.

const BEGUN: readonly unknown[] = ["granted", "parked", "disabled", "busy"] satisfies AgentSlot["state"][];
const DEVICE_VERDICTS: readonly unknown[] = ["trusted", "untrusted", "stale", "failed"] satisfies DeviceVerdict[];

export function isNumber(answer: unknown): answer is number {
  return typeof answer === "number";
}

function isListOfRecords(answer: unknown): answer is Record<string, unknown>[] {
  return Array.isArray(answer) && answer.every(isRecord);
}

export function isEvents(answer: unknown): answer is LogEvent[] {
  return isListOfRecords(answer) && answer.every(({ id }) => typeof id === "string");
}

export function isAlerts(answer: unknown): answer is InvestigatedAlert[] {
  return isListOfRecords(answer) && answer.every(({ id }) => typeof id === "string");
}

export function isHits(answer: unknown): answer is IocHit[] {
  return isListOfRecords(answer) && answer.every(({ log_id }) => typeof log_id === "string");
}

export function isFeedback(answer: unknown): answer is RuleFeedback {
  return isRecord(answer) && isNumber(answer.true_positives) && isNumber(answer.false_positives);
}

export function isShares(answer: unknown): answer is [string, number][] {
  if (!Array.isArray(answer)) return false;
  return answer.every((each) => Array.isArray(each) && typeof each[0] === "string" && isNumber(each[1]));
}

export function isDeviceVerdict(answer: unknown): answer is DeviceVerdict | null {
  return answer === null || DEVICE_VERDICTS.includes(answer);
}

export function isAlert(answer: unknown): answer is Alert {
  return isRecord(answer) && typeof answer.id === "string" && typeof answer.title === "string";
}

export function isRuleOrNull(answer: unknown): answer is AskingRule | null {
  return answer === null || isRecord(answer);
}

export function isAgentsNow(answer: unknown): answer is AgentsNow {
  return isRecord(answer) && isListOfRecords(answer.agents) && isListOfRecords(answer.sites);
}

export function isBegun(answer: unknown): answer is AgentSlot {
  return isRecord(answer) && BEGUN.includes(answer.state);
}

export function isEnvelope(answer: unknown): answer is Envelope {
  return isRecord(answer) && typeof answer.status === "string" && "error_code" in answer;
}

const REPLIES: readonly unknown[] = ["complete", "refused", "failed", "budget"] satisfies Reply["kind"][];

export function isReply(answer: unknown): answer is Reply {
  if (!isRecord(answer) || !REPLIES.includes(answer.kind) || typeof answer.text !== "string") return false;
  const { usage } = answer;
  const isCounted = isRecord(usage) && isNumber(usage.input) && isNumber(usage.output);
  return isCounted && (answer.kind === "complete" ? isListOfRecords(answer.calls) : typeof answer.detail === "string");
}
