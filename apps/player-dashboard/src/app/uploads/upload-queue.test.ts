import type { UploadBody } from "@player/service/contract/uploads";
import { describe, expect, it } from "vitest";
import { ApiError } from "../api/api-client.ts";
import type { PieceToSend } from "./send-piece.ts";
import { createUploadQueue, type QueuedUpload } from "./upload-queue.ts";

const TARGET = { kind: "recitation", reciter: "Husary", surah: 36 } as const;
const MIB = 1024 * 1024;

/** A device with one upload, whose responses the test controls. */
function createDevice(bytes: number) {
  const upload: UploadBody = {
    id: "u",
    kind: "recitation",
    reciter: "Husary",
    surah: 36,
    name: "",
    bytes,
    fingerprint: "",
    offset: 0,
    changed_at: 0,
    complete: false,
    path: "",
  };
  const calls: string[] = [];
  const refusals: ApiError[] = [];
  const creations: unknown[] = [];
  let pieces = 0;
  return {
    upload,
    calls,
    refusals,
    creations,
    /** The next pieces are neither accepted nor refused until they are aborted. */
    isStuck: false,
    async post<Body>(path: string, body?: unknown): Promise<Body> {
      calls.push(`POST ${path}`);
      creations.push(body);
      return upload as Body;
    },
    async get<Body>(path: string): Promise<Body> {
      calls.push(`GET ${path}`);
      return upload as Body;
    },
    async remove(path: string): Promise<void> {
      calls.push(`DELETE ${path}`);
    },
    async sendPiece({ offset, bytes: piece, onSent, signal }: PieceToSend): Promise<UploadBody> {
      pieces += 1;
      calls.push(`piece ${pieces} at ${offset / MIB}`);
      if (this.isStuck) {
        await new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new ApiError(0, "")));
        });
      }
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      onSent(piece.size);
      upload.offset = offset + piece.size;
      if (upload.offset === bytes) Object.assign(upload, { complete: true, path: "Husary/036.mp3" });
      return { ...upload };
    },
  };
}

function start(bytes = 20 * MIB) {
  const device = createDevice(bytes);
  const queue = createUploadQueue({
    api: device,
    commands: { unlocked: (request) => request() },
    sendPiece: (piece) => device.sendPiece(piece),
    digest: undefined,
    after: (_delayMs, task) => {
      const timer = setTimeout(task, 0);
      return () => clearTimeout(timer);
    },
  });
  const file = new File([new Uint8Array(bytes)], "036.mp3");
  const first = (): QueuedUpload | undefined => queue.items.value[0];
  return { device, queue, file, first };
}

describe("the queue of uploads", () => {
  it("sends a file in pieces of 8 MiB", async () => {
    const { device, queue, file, first } = start();
    queue.add(file, TARGET);
    await expect.poll(() => first()?.state).toBe("done");
    expect(first()).toMatchObject({ path: "Husary/036.mp3", sentBytes: 20 * MIB });
    expect(device.calls).toEqual(["POST /uploads", "piece 1 at 0", "piece 2 at 8", "piece 3 at 16"]);
  });

  it("continues at the offset of the device after any temporary failure", async () => {
    const { device, queue, file, first } = start();
    device.refusals.push(
      new ApiError(0, ""),
      new ApiError(429, "", { retryAfterSeconds: 1 }),
      new ApiError(400, "", { code: "offset_mismatch" }),
      new ApiError(400, "", { code: "upload_busy" }),
    );
    device.upload.offset = 3 * MIB;
    queue.add(file, TARGET);
    await expect.poll(() => first()?.state).toBe("done");
    expect(device.calls.filter((call) => call === "GET /uploads/u")).toHaveLength(4);
    expect(device.calls.at(-1)).toBe("piece 7 at 19");
  });

  it("stops at a refusal, and replaces the file when the user agrees", async () => {
    const { device, queue, file, first } = start();
    device.refusals.push(new ApiError(400, "name: is on the card already", { code: "file_exists" }));
    queue.add(file, TARGET);
    await expect.poll(() => first()?.state).toBe("refused");
    expect(first()?.error?.code).toBe("file_exists");
    queue.resume(1, { isReplacing: true });
    await expect.poll(() => first()?.state).toBe("done");
    expect(device.creations).toMatchObject([{ replace: false }, { replace: true }]);
  });

  it("pauses immediately, lets the next file go first, and continues later", async () => {
    const { device, queue, file, first } = start(5 * MIB);
    device.isStuck = true;
    queue.add(file, TARGET);
    await expect.poll(() => device.calls).toContain("piece 1 at 0");
    queue.pause(1);
    device.isStuck = false;
    queue.add(file, { ...TARGET, surah: 37 });
    await expect.poll(() => queue.items.value[1]?.state).toBe("done");
    expect(first()?.state).toBe("paused");
    queue.resume(1);
    await expect.poll(() => first()?.state).toBe("done");
  });

  it("cancels, and deletes the partial upload from the card", async () => {
    const { device, queue, file } = start();
    device.isStuck = true;
    queue.add(file, TARGET);
    await expect.poll(() => device.calls).toContain("piece 1 at 0");
    queue.cancel(1);
    expect(queue.items.value).toEqual([]);
    await expect.poll(() => device.calls.at(-1)).toBe("DELETE /uploads/u");
  });

  it("asks to select a file again if it can no longer be read", async () => {
    const { queue, file, first } = start();
    const gone = new Blob();
    gone.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotReadableError"));
    gone.slice = () => gone;
    file.slice = () => gone;
    queue.add(file, TARGET);
    await expect.poll(() => first()?.state).toBe("unreadable");
  });
});
