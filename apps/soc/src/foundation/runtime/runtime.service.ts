import { Problem } from "@kit/problem";
import { MAX_CLOCK_OFFSET_MS } from "../database/clock-offset.ts";
import type { Mode, RuntimeTruthBody } from "./runtime.schema.ts";
import { buildTruth } from "./runtime.ts";

const CLOCK_RETRY_SECONDS = 5;

export interface RuntimeServiceDeps {
  mode: Mode;
  database: { isAvailable(): Promise<boolean>; clockOffsetMs?(): number | undefined };
}
export type RuntimeService = ReturnType<typeof createRuntimeService>;

export function createRuntimeService({ mode, database }: RuntimeServiceDeps) {
  const clockOffsetMs = () => database.clockOffsetMs?.();
  const isClockRight = () => Math.abs(clockOffsetMs() ?? 0) <= MAX_CLOCK_OFFSET_MS;

  async function truth(): Promise<RuntimeTruthBody> {
    const built = buildTruth(mode, await database.isAvailable());
    // Background work also waits while the clock of this host is wrong.
    return isClockRight() ? built : { ...built, is_mutations_allowed: false, is_internal_workflows_allowed: false };
  }

  return {
    truth,

    /** How far the clock of this host is ahead of the database clock. */
    clockOffsetMs,

    /** Refuses to write while the clock of this host is wrong. */
    requireClock(): void {
      if (isClockRight()) return;
      throw new Problem(
        "unavailable",
        `the clock of this host differs from the database clock by ${clockOffsetMs()} ms`,
        {
          code: "clock_off",
          retryAfterSeconds: CLOCK_RETRY_SECONDS,
        },
      );
    },

    /** Returns the source for reads. Throws if the database is unavailable and the mode has no showcase. */
    async choose<Source>(sources: { database: Source; showcase: Source }): Promise<Source> {
      const { read_data_source } = await truth();
      if (read_data_source === "unavailable") throw new Problem("unavailable", "the database is unavailable");
      return sources[read_data_source];
    },
  };
}
