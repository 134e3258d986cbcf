import { invalidField } from "@kit/problem";
import { parseWindowTime } from "../../logs/module.ts";
import type { Window } from "../matches/finding.ts";

const DAY_MS = 24 * 60 * 60_000;
const LONGEST_PREVIEW_MS = 31 * DAY_MS;

/** The 24 hours up to and including now. */
export function lastDay(now: Date): Window {
  return { from: new Date(now.getTime() - DAY_MS), to: new Date(now.getTime() + 1) };
}

/** The window of a preview; the default is the last 24 hours. */
export function parsePreviewWindow(given: { from?: string | undefined; to?: string | undefined }, now: Date): Window {
  const { from, to } = given;
  const end = to === undefined ? now : parseWindowTime("to", to, now);
  const start = from === undefined ? new Date(end.getTime() - DAY_MS) : parseWindowTime("from", from, now);
  if (start >= end) throw invalidField("from", "must be earlier than to");
  if (end.getTime() - start.getTime() > LONGEST_PREVIEW_MS) {
    throw invalidField("from", "must be at most 31 days before to");
  }
  return { from: start, to: end };
}
