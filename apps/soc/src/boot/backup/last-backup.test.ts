import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createBackupMeasure, recordLastBackup } from "./last-backup.ts";

it("shows the instant of the last backup, and no value before the first one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "soc-last-backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const measure = createBackupMeasure(folder);
  const read = () => measure.read();
  expect(await read()).toBeUndefined();
  await recordLastBackup(folder, { instant: "2026-11-17T00:00:00.000Z" });
  await recordLastBackup(folder, { instant: "2026-11-18T00:00:00.500Z" });
  expect(await read()).toBe(1_794_960_000.5);
  expect(await readdir(folder)).toEqual(["last-backup"]);
});
