import { Problem } from "@kit/problem";
import type { EventReader } from "../investigations/event-reader.ts";
import type { RetryPolicy } from "./retry-policy.ts";

/** Repeats reads that fail because the log store or the database is unavailable, within the time limit. */
export function createRetryingReader(reader: EventReader, patience: Pick<RetryPolicy, "wait">): EventReader {
  async function repeat<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== "unavailable" || !(await patience.wait())) throw error;
      }
    }
  }

  return {
    find: (...given) => repeat(() => reader.find(...given)),
    ofProcess: (...given) => repeat(() => reader.ofProcess(...given)),
    ofSession: (...given) => repeat(() => reader.ofSession(...given)),
    ofUser: (...given) => repeat(() => reader.ofUser(...given)),
    ofAddress: (...given) => repeat(() => reader.ofAddress(...given)),
    alertsOn: (...given) => repeat(() => reader.alertsOn(...given)),
    ruleFeedback: (...given) => repeat(() => reader.ruleFeedback(...given)),
    ruleDayShares: (...given) => repeat(() => reader.ruleDayShares(...given)),
    imageDayShare: (...given) => repeat(() => reader.imageDayShare(...given)),
    iocHits: (...given) => repeat(() => reader.iocHits(...given)),
    deviceVerdict: (...given) => repeat(() => reader.deviceVerdict(...given)),
  };
}
