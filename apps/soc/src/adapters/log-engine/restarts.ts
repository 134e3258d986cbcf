import type { Clock } from "@kit/clock";
import type { Restarts } from "../../foundation/health/health.ts";

const DAY_MS = 24 * 60 * 60_000;
const MAX_TIMES = 10_000;

export function createRestarts(clock: Pick<Clock, "now">) {
  let timesMs: number[] = [];
  let last_reason: string | null = null;
  const recent = () => timesMs.filter((ms) => ms > clock.now().getTime() - DAY_MS);
  return {
    note(reason: string): void {
      timesMs = [...recent(), clock.now().getTime()].slice(-MAX_TIMES);
      last_reason = reason;
    },
    read: (): Restarts => ({ restarts_24h: recent().length, last_reason }),
  };
}
