import type { Refusal } from "./answer.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Rounded up: whoever comes back then is not turned away again. */
function waitWords(seconds: number): string {
  if (seconds < MINUTE) return counted(seconds, "second");
  if (seconds < HOUR) return counted(Math.ceil(seconds / MINUTE), "minute");
  return counted(Math.ceil(seconds / HOUR), "hour");
}

export function timeWords(time: Date): string {
  return new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" }).format(time);
}

/** The service's details are phrases; on a page they are sentences. */
function sentenceOf(detail: string): string {
  const sentence = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

export interface RefusalWordsDeps {
  /** The time of day in so many seconds. */
  timeIn: (seconds: number) => Date;
}

export function refusalWords(refusal: Refusal, { timeIn }: RefusalWordsDeps): string {
  if (refusal.kind === "silent") return "The service did not answer. Check your connection and try again.";
  const detail = sentenceOf(refusal.detail);
  if (refusal.status !== 429) return detail;
  const { retryAfterSeconds: seconds } = refusal;
  if (seconds === undefined) return `${detail} Try again later.`;
  return `${detail} Try again in ${waitWords(seconds)}, at ${timeWords(timeIn(seconds))}.`;
}
