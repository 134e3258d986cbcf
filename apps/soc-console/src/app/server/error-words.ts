import { later, now } from "../browser/clock.ts";
import type { ApiError } from "./api-error.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Rounded up, so that a user who waits that long is not refused again. */
function waitWords(seconds: number): string {
  if (seconds < MINUTE) return counted(seconds, "second");
  if (seconds < HOUR) return counted(Math.ceil(seconds / MINUTE), "minute");
  return counted(Math.ceil(seconds / HOUR), "hour");
}

function timeWords(time: Date): string {
  return new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" }).format(time);
}

/** The service sends phrases; a page shows sentences. */
export function toSentence(detail: string): string {
  const sentence = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

interface ErrorWordsDeps {
  /** The time of day in so many seconds. */
  timeIn: (seconds: number) => Date;
}

const CLOCK: ErrorWordsDeps = { timeIn: (seconds) => later(now(), seconds) };

/** Why a request failed, for the analyst. */
export function errorWords({ status, message, retryAfterSeconds }: ApiError, { timeIn } = CLOCK): string {
  if (status === 0) return "The service did not answer. Check your connection and try again.";
  const detail = toSentence(message);
  if (status !== 429) return detail;
  if (retryAfterSeconds === undefined) return `${detail} Try again later.`;
  return `${detail} Try again in ${waitWords(retryAfterSeconds)}, at ${timeWords(timeIn(retryAfterSeconds))}.`;
}
