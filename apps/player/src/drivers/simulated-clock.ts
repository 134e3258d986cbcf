import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import { Problem } from "@kit/problem";
import type { ClockChip } from "../time/clock-chip.ts";
import type { SystemClock } from "../time/system-clock.ts";

export interface SimulatedSystemClockDeps {
  clock: Pick<Clock, "now">;
  /** Whether a time server is reachable; the given clock is then its time. */
  hasServers: () => boolean;
}

export interface SimulatedClockChip extends ClockChip {
  alarm(): number | null;
}

const TEMPERATURE = 24.25;

/** A system clock that can be set without changing the clock of the machine. */
export function createSimulatedSystemClock({ clock, hasServers }: SimulatedSystemClockDeps): SystemClock {
  let aheadMs = 0;
  let mayServersSet = true;
  return {
    now: () => clock.now().getTime() + aheadMs,

    isSynchronised: async () => mayServersSet && hasServers(),

    async allowServers(isAllowed) {
      mayServersSet = isAllowed;
      if (mayServersSet && hasServers()) aheadMs = 0;
    },

    async set(epochS) {
      if (mayServersSet) throw new Problem("failed", "system clock: it cannot be set while time servers set it");
      aheadMs = epochS * 1000 - clock.now().getTime();
    },
  };
}

/** A clock chip that runs independently of the system clock, starting at the time of its creation. */
export function createSimulatedClockChip(
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">,
  ring: () => void = () => undefined,
): SimulatedClockChip {
  const alarmTimer = createTimer(clock);
  let aheadMs = clock.now().getTime() - clock.monotonicMs();
  let alarm: number | null = null;
  return {
    read: async () => ({ epochS: Math.floor((clock.monotonicMs() + aheadMs) / 1000), temperature: TEMPERATURE }),

    async write(epochS) {
      aheadMs = epochS * 1000 - clock.monotonicMs();
    },

    async setAlarm(epochS) {
      alarm = epochS;
      alarmTimer.cancel();
      if (epochS !== null) alarmTimer.set(epochS * 1000 - clock.monotonicMs() - aheadMs, ring);
    },

    alarm: () => alarm,
  };
}
