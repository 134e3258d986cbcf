import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Clock } from "@kit/clock";
import { createS3Client, type S3Settings } from "../files/s3-client.ts";

/** What we keep in the bucket beside the engine's files: whose it is, and which days it has. */
export interface OldDaysBucket {
  /** Undefined when there is no such object. */
  readText(name: string): Promise<string | undefined>;
  writeText(name: string, text: string): Promise<void>;
  /** Whether the bucket answered just now; it is asked at most every few seconds. */
  answers(): Promise<boolean>;
}

export interface OldDaysBucketDeps {
  settings: S3Settings;
  clock: Pick<Clock, "now" | "sleep" | "monotonicMs">;
}

export const OWNER = "owner";
const NOT_FOUND = 404;
const ANSWER_MS = 3000;
const YES_MS = 2000;
const NO_MS = 1000;

export function createOldDaysBucket({ settings, clock }: OldDaysBucketDeps): OldDaysBucket {
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
    async readText(name) {
      const answer = await s3.ask({ method: "GET", key: name });
      if (answer.statusCode === 200) return (await buffer(answer)).toString("utf8");
      await s3.require(answer, [NOT_FOUND]);
      return undefined;
    },

    async writeText(name, text) {
      const bytes = Buffer.from(text);
      const body = { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
      await s3.require(await s3.ask({ method: "PUT", key: name, body }), [200]);
    },

    answers() {
      if (!known || known.untilMs <= clock.monotonicMs()) known = { answer: askInTime(), untilMs: Infinity };
      return known.answer;
    },
  };
}
