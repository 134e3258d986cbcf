import { readFile } from "node:fs/promises";
import type { Measure } from "./metrics.ts";

/** A measure of the instant that a file holds; no value before there is one. */
export function createInstantMeasure({ path, ...named }: Pick<Measure, "name" | "help"> & { path: string }): Measure {
  return {
    ...named,
    kind: "gauge",
    async read() {
      const text = await readFile(path, "utf8").catch(() => "");
      const epochS = Date.parse(text.trim()) / 1000;
      return Number.isNaN(epochS) ? undefined : epochS;
    },
  };
}
