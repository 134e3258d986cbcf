import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Clock } from "@kit/clock";
import { createS3Client, type S3Settings } from "../files/s3-client.ts";

/** The objects that we store in the bucket beside the engine's files: its owner, and the list of its days. */
export type OldDaysBucket = ReturnType<typeof createOldDaysBucket>;

export interface OldDaysBucketDeps {
  settings: S3Settings;
  clock: Pick<Clock, "now" | "sleep" | "monotonicMs">;
}

export const OWNER = "owner";
const NOT_FOUND = 404;
const ANSWER_MS = 3000;
const YES_MS = 2000;
const NO_MS = 1000;

export function createOldDaysBucket({ settings, clock }: OldDaysBucketDeps) {
  const s3 = createS3Client({ name: "bucket of old logs", settings, clock });
  let known: { answer: Promise<boolean>; untilMs: number } | undefined;

  async function ask(): Promise<boolean> {
    const answer = await s3.ask({ method: "HEAD", key: OWNER });
    answer.resume();
    return answer.statusCode === 200 || answer.statusCode === NOT_FOUND;
  }

  async function askInTime(): Promise<boolean> {
    const over = new AbortController();
    const late = clock.sleep(ANSWER_MS, over.signal).then(() => false);
    const isThere = await Promise.race([ask(), late])
      .catch(() => false)
      .finally(() => over.abort());
    if (known) known.untilMs = clock.monotonicMs() + (isThere ? YES_MS : NO_MS);
    return isThere;
  }

  return {
    /** Undefined if there is no such object. */
    async readText(name: string): Promise<string | undefined> {
      const answer = await s3.ask({ method: "GET", key: name });
      if (answer.statusCode === 200) return (await buffer(answer)).toString("utf8");
      await s3.require(answer, [NOT_FOUND]);
      return undefined;
    },

    async writeText(name: string, text: string): Promise<void> {
      const bytes = Buffer.from(text);
      const body = { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
      await s3.require(await s3.ask({ method: "PUT", key: name, body }), [200]);
    },

    /** Whether the bucket responded recently; it is pinged at most every few seconds. */
    answers(): Promise<boolean> {
      if (!known || known.untilMs <= clock.monotonicMs()) known = { answer: askInTime(), untilMs: Infinity };
      return known.answer;
    },
  };
}
