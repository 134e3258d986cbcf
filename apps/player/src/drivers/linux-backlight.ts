import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import type { Backlight } from "../settings/backlight.ts";

export interface LinuxBacklightDeps {
  /** Where sysfs is mounted. */
  sysfs: string;
}

const MAX_BRIGHTNESS = 255;

/** The first backlight that the kernel lists (Documentation/ABI/stable/sysfs-class-backlight). */
export function createLinuxBacklight({ sysfs }: LinuxBacklightDeps): Backlight {
  let light: { folder: string; max: number } | undefined;
  return {
    async start() {
      const [name] = await namesIn(join(sysfs, "class/backlight"));
      if (name === undefined) throw new Problem("failed", "backlight: none is fitted");
      const folder = join(sysfs, "class/backlight", name);
      const max = Number(await readFile(join(folder, "max_brightness"), "utf8"));
      if (!Number.isInteger(max) || max < 1) throw new Problem("failed", "backlight: it does not say how bright it is");
      light = { folder, max };
    },

    async set(brightness) {
      if (!light) throw new Problem("failed", "backlight: none is fitted");
      // The lowest brightness is not dark: only 0 is.
      const steps = brightness === 0 ? 0 : Math.max(1, Math.round((brightness * light.max) / MAX_BRIGHTNESS));
      try {
        await writeFile(join(light.folder, "brightness"), String(steps));
      } catch (cause) {
        throw new Problem("failed", "backlight: it cannot be set", { cause });
      }
    },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
