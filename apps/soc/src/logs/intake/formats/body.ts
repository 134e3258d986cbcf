import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Clock } from "@kit/clock";
import { createMutex } from "@kit/clock/mutex";
import { invalidField, type Problem, rateLimited } from "@kit/problem";

export interface BodiesDeps {
  clock: Pick<Clock, "deadline">;
  limits?: Partial<BodyLimits>;
}

export interface BodyLimits {
  /** Limit for a body as sent, and again after decompression. */
  bytes: number;
  /** Limit for all bodies in flight, so that many large ones do not exhaust the memory. */
  maxBytesInFlight: number;
  readMs: number;
}
export type Bodies = ReturnType<typeof createBodies>;

const LIMITS: BodyLimits = { bytes: 32 * 1024 * 1024, maxBytesInFlight: 256 * 1024 * 1024, readMs: 60_000 };
const RETRY_MS = 1000;
const decompress = promisify(gunzip);

/** Reads the bodies of intake requests, which are larger than others and may be compressed. */
export function createBodies({ clock, ...options }: BodiesDeps) {
  const limits = { ...LIMITS, ...options.limits };
  let heldBytes = 0;
  const mutex = createMutex();

  function tooLarge(): Problem {
    return invalidField("body", `must be at most ${limits.bytes} bytes`);
  }

  /** Reserves memory for received bytes; `use` releases it. */
  function hold(bytes: number, room: { bytes: number }): void {
    if (heldBytes > room.bytes && heldBytes + bytes > limits.maxBytesInFlight) {
      throw rateLimited("the intake is full; see Retry-After", RETRY_MS);
    }
    heldBytes += bytes;
    room.bytes += bytes;
  }

  async function readBytes(request: IncomingMessage, room: { bytes: number }): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    const late = clock.deadline(limits.readMs);
    const cut = () => request.destroy(invalidField("body", "was not complete in time"));
    late.addEventListener("abort", cut, { once: true });
    try {
      const arriving: AsyncIterable<Buffer> = request;
      for await (const chunk of arriving) {
        size += chunk.length;
        if (size > limits.bytes) throw tooLarge();
        hold(chunk.length, room);
        chunks.push(chunk);
      }
    } finally {
      late.removeEventListener("abort", cut);
    }
    return Buffer.concat(chunks);
  }

  async function decompressed(compressed: Buffer): Promise<Buffer> {
    try {
      return await decompress(compressed, { maxOutputLength: limits.bytes });
    } catch (cause) {
      const isBomb = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
      if (isBomb) throw invalidField("body", `must be at most ${limits.bytes} bytes after decompression`);
      throw invalidField("body", "is not valid gzip", { cause });
    }
  }

  /** One at a time, because the decompressed size is known only afterwards. */
  async function decompressInTurn(compressed: Buffer, room: { bytes: number }): Promise<Buffer> {
    const body = await mutex("gzip", () => decompressed(compressed));
    hold(body.length, room);
    return body;
  }

  return {
    /** Calls `work` with the whole decompressed body, and releases its memory afterwards. */
    async use<Result>(request: IncomingMessage, work: (body: Buffer) => Promise<Result>): Promise<Result> {
      const { "content-encoding": encoding = "identity", "content-length": length } = request.headers;
      if (encoding !== "identity" && encoding !== "gzip") {
        throw invalidField("Content-Encoding", "must be one of identity, gzip");
      }
      if (Number(length ?? 0) > limits.bytes) throw tooLarge();
      const room = { bytes: 0 };
      try {
        const sent = await readBytes(request, room);
        return await work(encoding === "gzip" ? await decompressInTurn(sent, room) : sent);
      } finally {
        heldBytes -= room.bytes;
      }
    },
  };
}
