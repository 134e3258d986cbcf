import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createFakeClock } from "@kit/clock/fake";
import { afterAll, describe, expect, it } from "vitest";
import { TRANSFER_LIMITS, transfer } from "./transfer.ts";

const MIB = 1024 * 1024;
const disk = mkdtempSync(join(tmpdir(), "transfer-room-"));
// Only a separate disk has a size of its own, and only root may mount one.
const mounted = hasRun("mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", disk);

function hasRun(command: string, ...parameters: string[]): boolean {
  return spawnSync(command, parameters).status === 0;
}

afterAll(() => {
  if (mounted) expect(hasRun("umount", "--lazy", disk)).toBe(true);
  rmSync(disk, { recursive: true });
});

const send = (sizeBytes: number, isAnnounced: boolean) =>
  transfer({
    field: "body",
    source: Readable.from(Array.from({ length: sizeBytes / MIB }, () => Buffer.alloc(MIB))),
    sizeBytes: isAnnounced ? sizeBytes : undefined,
    path: join(disk, "bundle"),
    limits: TRANSFER_LIMITS,
    clock: createFakeClock(),
    onReceived: () => undefined,
  });

describe.skipIf(!mounted)("an update for a storage of 20 MiB", () => {
  it("is taken when it leaves room for everything else", async () => {
    await send(3 * MIB, true);
    rmSync(join(disk, "bundle"));
  });

  it("is refused before a byte is written when it is announced and too large", async () => {
    await expect(send(5 * MIB, true)).rejects.toMatchObject({
      kind: "failed",
      code: "storage_full",
      message: "storage: the device's storage has no room for 5242880 bytes",
    });
  });

  it("is refused at the reserve when it is not announced", async () => {
    await expect(send(20 * MIB, false)).rejects.toMatchObject({
      message: "storage: the device's storage has no room for the update",
    });
    const { bavail, bsize } = statfsSync(disk);
    expect(bavail * bsize).toBeGreaterThanOrEqual(16 * MIB);
  });
});
