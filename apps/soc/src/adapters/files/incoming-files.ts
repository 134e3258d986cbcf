import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import { fileTooLarge, type IncomingFiles, type ReceivedFile } from "../../ports/file-store.ts";
import { diskFull, refuseFull } from "./write-problems.ts";

export interface IncomingFilesDeps {
  folder: string;
  clock: Pick<Clock, "now" | "sleep">;
  ids: Pick<Ids, "next">;
  /** Free space reserved for the other parts of the platform that write to this disk. */
  reserveBytes?: number;
}

const RESERVE_BYTES = 256 * 1024 ** 2;
/** A slower sender occupies a slot that others wait for. */
const MIN_BYTES_PER_S = 16 * 1024;
const WINDOW_MS = 15_000;
/** No upload takes longer, at the minimum speed and the maximum size. */
const LEFT_BEHIND_MS = 96 * 60 * 60_000;
const SWEEP_BATCH_SIZE = 1000;

/** Incoming files in a folder of this machine. */
export function createIncomingFiles({ folder, clock, ids, reserveBytes = RESERVE_BYTES }: IncomingFilesDeps) {
  async function requireRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < bytes + reserveBytes) throw diskFull();
  }

  async function write(file: FileHandle, source: Readable, maxBytes: number): Promise<Omit<ReceivedFile, "path">> {
    const hash = createHash("sha256");
    const pace = { bytes: 0 };
    const ended = new AbortController();
    void cutSlow(source, pace, clock, ended.signal);
    try {
      // The source stays open after a refusal, because the caller still has to answer.
      const arriving: AsyncIterable<Buffer> = source.iterator({ destroyOnReturn: false });
      for await (const chunk of arriving) {
        pace.bytes += chunk.length;
        if (pace.bytes > maxBytes) throw fileTooLarge(maxBytes);
        hash.update(chunk);
        await file.appendFile(chunk);
      }
    } finally {
      ended.abort();
    }
    if (pace.bytes === 0) throw invalidField("body", "must not be empty");
    return { sha256: hash.digest("hex"), size_bytes: pace.bytes };
  }

  async function isLeftBehind(path: string): Promise<boolean> {
    const { mtimeMs } = await stat(path);
    return mtimeMs < clock.now().getTime() - LEFT_BEHIND_MS;
  }

  const incoming: IncomingFiles = {
    async receive(source, maxBytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseFull);
      await requireRoom(maxBytes);
      const path = join(folder, ids.next());
      const file = await open(path, "wx", 0o600).catch(refuseFull);
      try {
        const written = await write(file, source, maxBytes);
        await file.sync();
        await file.close();
        return { path, ...written };
      } catch (error) {
        await file.close().catch(() => undefined);
        await rm(path, { force: true });
        return refuseFull(error);
      }
    },

    async discard({ path }) {
      await rm(path, { force: true });
    },

    async sweep() {
      const names = await readdir(folder).catch(() => []);
      let swept = 0;
      for (const name of names.slice(0, SWEEP_BATCH_SIZE)) {
        const path = join(folder, name);
        if (!(await isLeftBehind(path).catch(() => false))) continue;
        await rm(path, { force: true });
        swept += 1;
      }
      return swept;
    },
  };
  return incoming;
}

/** Disconnects a sender that is too slow, because it would also never read the response. */
async function cutSlow(
  source: Readable,
  pace: Readonly<{ bytes: number }>,
  clock: Pick<Clock, "sleep">,
  ended: AbortSignal,
): Promise<void> {
  for (let before = 0; ; before = pace.bytes) {
    if (
      !(await clock.sleep(WINDOW_MS, ended).then(
        () => true,
        () => false,
      ))
    )
      return;
    if (pace.bytes - before >= (MIN_BYTES_PER_S * WINDOW_MS) / 1000) continue;
    source.destroy(invalidField("body", `was slower than ${MIN_BYTES_PER_S} bytes per second`, { code: "too_slow" }));
    return;
  }
}
