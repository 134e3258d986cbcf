import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import type { Answer } from "../../app/api/answer.ts";
import { refusalWords } from "../../app/api/refusal-words.ts";

export interface TruthReading {
  /** What the service said last, and when. */
  known: { truth: RuntimeTruthBody; readAt: Date } | undefined;
  /** Why the last question failed. */
  trouble: string | undefined;
}

export interface NextReadingDeps {
  readAt: Date;
  timeIn: (seconds: number) => Date;
}

/** A failed question keeps what is known: an analyst needs the last truth and its age more than an empty page. */
export function nextReading(
  before: TruthReading,
  answer: Answer<RuntimeTruthBody>,
  { readAt, timeIn }: NextReadingDeps,
): TruthReading {
  if (answer.kind === "given") return { known: { truth: answer.body, readAt }, trouble: undefined };
  return { known: before.known, trouble: refusalWords(answer, { timeIn }) };
}
