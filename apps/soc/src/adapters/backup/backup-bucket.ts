import { createHash } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { createS3Client, type S3Body, type S3Request, type S3Settings } from "../files/s3-client.ts";

export interface BackupBucketDeps {
  settings: S3Settings;
  clock: Pick<Clock, "now" | "sleep">;
}

/** One backup in a bucket: its files by their paths. Transient failures are retried. */
export type BackupBucket = ReturnType<typeof createBackupBucket>;

const NAME = "bucket of the backup";
/** The size of a part of a file. A store refuses more than 10,000 parts, and parts below 5 MiB. */
const PIECE_BYTES = 16 * 1024 ** 2;
const MAX_PIECES = 10_000;
const MAX_TEXT_BYTES = 256 * 1024 ** 2;
const WAITS_MS = [500, 1000, 2000, 4000, 8000, 16_000];
/** Too many requests, or a fault of the store: a later attempt may succeed. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);
const NOT_FOUND = 404;

export function createBackupBucket({ settings, clock }: BackupBucketDeps) {
  const s3 = createS3Client({ name: NAME, settings, clock });

  /** Retries an exchange after a transient failure; every other response is used. */
  async function repeat<Result>(
    asked: S3Request,
    accepted: readonly number[],
    use: (answer: IncomingMessage) => Promise<Result>,
  ): Promise<Result> {
    for (let turn = 0; ; turn += 1) {
      let status = 0;
      try {
        const answer = await s3.ask(asked);
        status = answer.statusCode ?? 0;
        if (!accepted.includes(status)) await s3.require(answer, accepted);
        return await use(answer);
      } catch (error) {
        const waitMs = WAITS_MS[turn];
        const isPassing = status === 0 || PASSING.has(status) || accepted.includes(status);
        if (waitMs === undefined || !isPassing) throw toProblem(error);
        await clock.sleep(waitMs);
      }
    }
  }

  const readAnswer = (answer: IncomingMessage) => s3.require(answer, [200, 204, NOT_FOUND]);
  const put = (path: string, bytes: Uint8Array) =>
    repeat({ method: "PUT", key: encode(path), body: toBody(bytes) }, [200], readAnswer);

  /** A file larger than one part appears in the bucket once all of its parts are there. */
  async function putPieces(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const key = encode(path);
    const begun = await repeat({ method: "POST", key, query: { uploads: "" } }, [200], readAnswer);
    const uploadId = /<UploadId>([^<]{1,1024})<\/UploadId>/.exec(begun)?.[1];
    if (uploadId === undefined) throw new Problem("unavailable", `the ${NAME} began no upload`);
    try {
      const tags: string[] = [];
      for await (const piece of pieces) {
        const query = { partNumber: String(tags.length + 1), uploadId };
        const tag = await repeat({ method: "PUT", key, query, body: toBody(piece) }, [200], async (answer) => {
          await readAnswer(answer);
          return String(answer.headers.etag);
        });
        tags.push(tag);
      }
      const parts = tags.map((tag, place) => `<Part><PartNumber>${place + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = toBody(Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`));
      const ended = await repeat({ method: "POST", key, query: { uploadId }, body }, [200], readAnswer);
      // The store may answer 200 and fail afterwards.
      if (!ended.includes("CompleteMultipartUploadResult"))
        throw new Problem("unavailable", `the ${NAME} lost ${path}`);
    } catch (error) {
      // Abandoned parts cost money, and no listing shows them.
      await repeat({ method: "DELETE", key, query: { uploadId } }, [204, NOT_FOUND], readAnswer).catch(() => undefined);
      throw error;
    }
  }

  /** Undefined if there is no such file. */
  function measure(path: string): Promise<number | undefined> {
    return repeat({ method: "HEAD", key: encode(path) }, [200, NOT_FOUND], async (answer) => {
      answer.resume();
      return answer.statusCode === 200 ? Number(answer.headers["content-length"]) : undefined;
    });
  }

  /** A range that begins at the end of a file would be refused, so an empty file is not requested. */
  async function* getPieces(path: string, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const end = Math.min(at + PIECE_BYTES, size);
      const headers = { range: `bytes=${at}-${end - 1}` };
      yield await repeat({ method: "GET", key: encode(path), headers }, [206], async (answer) => {
        const bytes = await buffer(answer);
        if (bytes.length !== end - at) throw new Error("the response is incomplete");
        return bytes;
      });
    }
  }

  return {
    /** Undefined if there is no such file. */
    async readText(path: string): Promise<string | undefined> {
      const size = await measure(path);
      if (size === undefined) return undefined;
      if (size > MAX_TEXT_BYTES) throw new Problem("failed", `the ${NAME} has a ${path} of ${size} bytes`);
      const pieces: Buffer[] = [];
      for await (const piece of getPieces(path, size)) pieces.push(piece);
      return Buffer.concat(pieces).toString("utf8");
    },

    /** Copies a file of the folder into the bucket. */
    async upload(folder: string, path: string): Promise<void> {
      const file = await open(join(folder, path));
      try {
        const { size } = await file.stat();
        const pieceBytes = Math.max(PIECE_BYTES, Math.ceil(size / MAX_PIECES));
        if (size > pieceBytes) await putPieces(path, readPieces(file, pieceBytes));
        else await put(path, await file.readFile());
      } finally {
        await file.close();
      }
    },

    /** Copies a file of the bucket into the folder. */
    async download(folder: string, path: string): Promise<void> {
      const size = await measure(path);
      if (size === undefined) throw new Problem("failed", `the ${NAME} has no ${path}`);
      await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
      const file = await open(join(folder, path), "wx", 0o600);
      try {
        for await (const piece of getPieces(path, size)) await file.appendFile(piece);
      } finally {
        await file.close();
      }
    },
  };
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem("unavailable", `the ${NAME} broke off its response`, { cause: error });
}

async function* readPieces(file: Awaited<ReturnType<typeof open>>, pieceBytes: number) {
  for (;;) {
    const { bytesRead, buffer: bytes } = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes);
    if (bytesRead === 0) return;
    yield bytes.subarray(0, bytesRead);
  }
}

function toBody(bytes: Uint8Array): S3Body {
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** Encodes a path as S3 does before it computes the signature. */
function encode(path: string): string {
  const toHex = (text: string) => `%${text.charCodeAt(0).toString(16).toUpperCase()}`;
  return path
    .split("/")
    .map((name) => encodeURIComponent(name).replaceAll(/[!'()*]/g, toHex))
    .join("/");
}
