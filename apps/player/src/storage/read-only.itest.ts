import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import Type from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "./database.ts";

const clock = createFakeClock();
// Only a separate disk can be mounted read-only or filled up, and only root may mount one.
const canMount = process.getuid?.() === 0;

function hasRun(command: string, ...parameters: string[]): boolean {
  return spawnSync(command, parameters).status === 0;
}

/** A disk of its own for each test: one with files that are still open cannot be mounted again as read-only. */
function mountDisk(): string {
  const disk = mkdtempSync(join(tmpdir(), "read-only-"));
  expect(hasRun("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk)).toBe(true);
  onTestFinished(() => {
    expect(hasRun("umount", "--lazy", disk)).toBe(true);
    rmSync(disk, { recursive: true });
  });
  return disk;
}

function makeReadOnly(disk: string): void {
  expect(hasRun("mount", "-o", "remount,ro", disk)).toBe(true);
}

function fillUp(disk: string): void {
  for (const sizeBytes of [65_536, 4096, 1]) {
    try {
      for (;;) appendFileSync(join(disk, "filler"), Buffer.alloc(sizeBytes));
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
}

const KEEP = "INSERT INTO settings (name, value) VALUES ('kept', '1')";

function open(disk: string) {
  const { database, boot_failure } = openDatabase(disk, clock);
  onTestFinished(() => database.close());
  const kept = () => database.query(Type.Unknown(), "SELECT value FROM settings WHERE name = 'kept'").first();
  return { database, boot_failure, kept };
}

describe.skipIf(!canMount)("a storage that is read-only", () => {
  const failure = { component: "storage", error: "the device's storage is read-only; changes are refused" };
  const refusal = expect.objectContaining({ kind: "failed", message: "storage: the device's storage is read-only" });

  it.each([
    ["closed", ["player.db"]],
    ["cut off, with its log", ["player.db", "player.db-wal"]],
    ["cut off, with its log and index", ["player.db", "player.db-wal", "player.db-shm"]],
  ])("gives all data of a database that was %s, and refuses changes", (how, names) => {
    const disk = mountDisk();
    const elsewhere = mkdtempSync(join(tmpdir(), "read-only-origin-"));
    const { database: origin } = openDatabase(elsewhere, clock);
    origin.command(KEEP)();
    if (how === "closed") origin.command("PRAGMA wal_checkpoint(TRUNCATE)")();
    for (const name of names) copyFileSync(join(elsewhere, name), join(disk, name));
    origin.close();
    makeReadOnly(disk);
    const { database, boot_failure, kept } = open(disk);
    expect(boot_failure).toEqual(failure);
    expect(kept()).toEqual({ value: "1" });
    expect(() => database.command("DELETE FROM settings")()).toThrow(refusal);
    const change = database.command("UPDATE settings SET value = '2'");
    expect(() => database.inTransaction(() => change())).toThrow(refusal);
    expect(kept()).toEqual({ value: "1" });
    expect(() => database.writeCopy()).not.toThrow();
  });

  it("opens empty when it has no database", () => {
    const disk = mountDisk();
    makeReadOnly(disk);
    const { boot_failure, kept } = open(disk);
    expect([boot_failure, kept()]).toEqual([failure, undefined]);
  });
});

it.skipIf(!canMount)("a storage that is full from the beginning opens empty and refuses changes", () => {
  const disk = mountDisk();
  fillUp(disk);
  const { database, boot_failure } = open(disk);
  expect(boot_failure).toEqual({ component: "storage", error: "the device's storage is full; changes are refused" });
  expect(() => database.command(KEEP)()).toThrow(expect.objectContaining({ kind: "failed" }));
});
