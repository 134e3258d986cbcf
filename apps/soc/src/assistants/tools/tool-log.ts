import { toLogBody } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";

const MAX_MESSAGE = 2000;
const MAX_ATTRIBUTES = 4000;

/** Converts a log for a tool: without its original and with shortened texts, because a model pays per token. */
export function toToolLog(log: LogEvent) {
  const { raw: _, message, attributes, ...fields } = toLogBody(log);
  const isLong = (message?.length ?? 0) > MAX_MESSAGE;
  const isLarge = JSON.stringify(attributes).length > MAX_ATTRIBUTES;
  return {
    ...fields,
    message: isLong ? `${message?.slice(0, MAX_MESSAGE)}…` : message,
    attributes: isLarge ? {} : attributes,
    is_shortened: isLong || isLarge,
  };
}
