import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { onTestFinished } from "vitest";

const clock = createClock();
const MOUNTED_MS = 10_000;
const PIECE_BYTES = 1024 ** 2;

/** A separate disk that only processes started `inside` see. It is always removed at the end of the test. */
export async function mountSmallDisk(mebibytes: number) {
  const folder = await mkdtemp(join(tmpdir(), "small-disk-"));
  const mount = `mount -t tmpfs -o size=${mebibytes}m,mode=777 tmpfs "$0" && echo mounted && exec sleep infinity`;
  const holder = spawn("/usr/bin/unshare", ["--mount", "sh", "-c", mount, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    const ended = once(holder, "exit");
    holder.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await once(holder.stdout, "data", { signal: clock.deadline(MOUNTED_MS) });
  const inside = ["nsenter", "--mount", `--target=${holder.pid}`] as const;
  const seen = `/proc/${holder.pid}/root${folder}`;
  const filler = join(seen, "filler");
  return {
    /** As processes inside name it. */
    folder,
    /** The words before a command that is to see the disk. */
    inside,
    run: (command: string, args: readonly string[], options = {}) =>
      execFileSync(inside[0], [...inside.slice(1), command, ...args], { encoding: "utf8", ...options }),
    /** Writes until nothing fits any more. What others free meanwhile is taken as well when it is called again. */
    async fill(): Promise<void> {
      const file = await open(filler, "a");
      try {
        for (let piece = PIECE_BYTES; piece >= 4096; ) {
          const isWritten = await file.write(Buffer.alloc(piece)).then(
            ({ bytesWritten }) => bytesWritten === piece,
            () => false,
          );
          if (!isWritten) piece /= 2;
        }
      } finally {
        await file.close();
      }
    },
    makeRoom: () => rm(filler),
  };
}
