import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { BootReader } from "../monitoring/attestation/boot-reader.ts";

export interface SimulatedBootDeps {
  clock: Pick<Clock, "monotonicMs">;
  ids: Pick<Ids, "next">;
}

/** A simulated device boots with its process. */
export function createSimulatedBoot({ clock, ids }: SimulatedBootDeps): BootReader {
  const id = ids.next();
  return { read: async () => ({ id, uptime_ms: Math.floor(clock.monotonicMs()) }) };
}
