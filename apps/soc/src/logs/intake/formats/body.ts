import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Clock } from "@kit/clock";
import { invalidField, type Problem, rateLimited } from "@kit/problem";

export interface BodiesDeps {
  clock: Pick<Clock, "deadline">;
  limits?: Partial<BodyLimits>;
}

export interface BodyLimits {
  /** Of a body as it is sent, and once more as it is unpacked. */
  bytes: number;
  /** Of all that are being read, so that many large ones do not take all memory. */
  maxBytesInFlight: number;
  readMs: number;
}
export type Bodies = ReturnType<typeof createBodies>;

const LIMITS: BodyLimits = { bytes: 32 * 1024 * 1024, maxBytesInFlight: 256 * 1024 * 1024, readMs: 60_000 };
const RETRY_MS = 1000;
const unpack = promisify(gunzip);

/** Reads the bodies of the intake, which are larger than others and may be packed. */
export function createBodies({ clock, ...options }: BodiesDeps) {
  const limits = { ...LIMITS, ...options.limits };
  let heldBytes = 0;
  let unpacking: Promise<unknown> = Promise.resolve();

  function tooLarge(): Problem {
    return invalidField("body", `must be at most ${limits.bytes} bytes`);
  }

  /** Room for what has come; whoever has it gives it back. */
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

  async function unpacked(packed: Buffer): Promise<Buffer> {
    try {
      return await unpack(packed, { maxOutputLength: limits.bytes });
    } catch (cause) {
      const isBomb = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
      if (isBomb) throw invalidField("body", `must be at most ${limits.bytes} bytes once it is unpacked`);
      throw invalidField("body", "is not packed with gzip", { cause });
    }
  }

  /** One after the other: how large it will be is known only afterwards. */
  async function unpackedInTurn(packed: Buffer, room: { bytes: number }): Promise<Buffer> {
    const mine = unpacking.then(() => unpacked(packed));
    unpacking = mine.catch(() => undefined);
    const body = await mine;
    hold(body.length, room);
    return body;
  }

  return {
    /** Calls back with the whole body, unpacked, and gives its room back afterwards. */
    async use<Result>(request: IncomingMessage, work: (body: Buffer) => Promise<Result>): Promise<Result> {
      const { "content-encoding": encoding = "identity", "content-length": length } = request.headers;
      if (encoding !== "identity" && encoding !== "gzip") {
        throw invalidField("Content-Encoding", "must be one of identity, gzip");
      }
      if (Number(length ?? 0) > limits.bytes) throw tooLarge();
      const room = { bytes: 0 };
      try {
        const sent = await readBytes(request, room);
        return await work(encoding === "gzip" ? await unpackedInTurn(sent, room) : sent);
      } finally {
        heldBytes -= room.bytes;
      }
    },
  };
}
