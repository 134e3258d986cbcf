import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import type { BootReader } from "../monitoring/attestation/boot-reader.ts";

/** Seconds since the start of the kernel, with two decimals, then the idle time. */
const UPTIME = /^(\d+)\.(\d\d) /;

/** The boot as the kernel knows it. */
export function createLinuxBoot({ procfs }: { procfs: string }): BootReader {
  return {
    async read() {
      const id = (await readFile(join(procfs, "sys/kernel/random/boot_id"), "utf8")).trim();
      const [, seconds, hundredths] = UPTIME.exec(await readFile(join(procfs, "uptime"), "utf8")) ?? [];
      if (seconds === undefined) throw new Problem("failed", "boot: the kernel does not say how long it runs");
      return { id, uptime_ms: Number(seconds) * 1000 + Number(hundredths) * 10 };
    },
  };
}
