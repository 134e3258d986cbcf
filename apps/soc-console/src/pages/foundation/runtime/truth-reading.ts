import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { ApiError } from "../../../app/api/api-client.ts";
import { errorWords } from "../../../app/api/error-words.ts";

export interface TruthReading {
  /** What the service said last, and when. */
  known: { truth: RuntimeTruthBody; readAt: Date } | undefined;
  /** Why the last request failed. */
  trouble: string | undefined;
}

export interface NextReadingDeps {
  readAt: Date;
  timeIn: (seconds: number) => Date;
}

/** A failed request keeps the last truth: an analyst needs it and its age more than an empty page. */
export function nextReading(
  before: TruthReading,
  answer: RuntimeTruthBody | ApiError,
  { readAt, timeIn }: NextReadingDeps,
): TruthReading {
  if (answer instanceof ApiError) return { known: before.known, trouble: errorWords(answer, { timeIn }) };
  return { known: { truth: answer, readAt }, trouble: undefined };
}
