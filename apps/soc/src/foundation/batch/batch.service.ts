import type { BatchedRequest } from "./batch.schema.ts";
import { type BatchedAnswer, findBatchRefusal, refuseItem } from "./batch.ts";

/** Sends one GET through all checks of its route, as the caller of the batch. */
export type AnswerGet = (path: string) => Promise<BatchedAnswer>;

export type BatchService = ReturnType<typeof createBatchService>;

/** Kept low so that one batch cannot take all connections of the database. */
const CONCURRENCY = 4;
const MAX_BYTES = 4 * 1024 * 1024;
const TOO_LARGE = refuseItem(400, `path: the responses of a batch may have at most ${MAX_BYTES} bytes in total`);

export function createBatchService(maxBytes = MAX_BYTES) {
  return {
    /**
     * Answers in the order of the requests. A failing request does not affect the others. After an abort, no further
     * request starts.
     */
    async answer(requests: readonly BatchedRequest[], get: AnswerGet, signal?: AbortSignal): Promise<BatchedAnswer[]> {
      const answers: BatchedAnswer[] = requests.map(() => TOO_LARGE);
      let left = maxBytes;
      const waiting = requests.entries();

      async function answerOne(request: BatchedRequest): Promise<BatchedAnswer> {
        const refusal = findBatchRefusal(request);
        if (refusal !== undefined) return refuseItem(400, refusal);
        if (left <= 0) return TOO_LARGE;
        const answered = await get(request.path);
        left -= Buffer.byteLength(answered.body);
        return left < 0 ? TOO_LARGE : answered;
      }

      const work = async () => {
        for (const [i, request] of waiting) {
          signal?.throwIfAborted();
          answers[i] = await answerOne(request);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
      return answers;
    },
  };
}
