import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { expect, it, onTestFinished } from "vitest";
import { createLinuxBoot } from "./linux-boot.ts";
import { createRaucUpdater } from "./rauc-updater.ts";

it("reads the id of the boot and the time since then from the kernel", async () => {
  const boot = createLinuxBoot({ procfs: "/proc" });
  const [first, second] = [await boot.read(), await boot.read()];
  expect(first.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(second.id).toBe(first.id);
  expect(first.uptime_ms).toBeGreaterThan(0);
  expect(second.uptime_ms).toBeGreaterThanOrEqual(first.uptime_ms);
});

it("reads hundredths of seconds, and refuses what it does not understand", async () => {
  const procfs = await mkdtemp(join(tmpdir(), "proc-"));
  onTestFinished(() => rm(procfs, { recursive: true }));
  await mkdir(join(procfs, "sys/kernel/random"), { recursive: true });
  await writeFile(join(procfs, "sys/kernel/random/boot_id"), "one\n");
  await writeFile(join(procfs, "uptime"), "3601.07 12.00\n");
  const boot = createLinuxBoot({ procfs });
  expect(await boot.read()).toEqual({ id: "one", uptime_ms: 3_601_070 });
  await writeFile(join(procfs, "uptime"), "soon\n");
  await expect(boot.read()).rejects.toThrow("boot: the kernel does not say how long it runs");
});

it("knows no slots without a bus", async () => {
  const busAddress = `unix:path=${join(tmpdir(), "no-such-bus")}`;
  const updater = createRaucUpdater({ busAddress, clock: createClock(), log: silentLog });
  expect(await updater.slots()).toEqual([]);
});
