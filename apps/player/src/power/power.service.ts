import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import type { Settings } from "../settings/settings.schema.ts";
import type { ClockChip } from "../time/clock-chip.ts";
import type { PowerManager } from "./power-manager.ts";

export interface PowerServiceDeps {
  /** Undefined when this device cannot sleep. */
  manager: PowerManager | undefined;
  /** Undefined when no clock chip is fitted: then only the button wakes the device. */
  chip: Pick<ClockChip, "setAlarm"> | undefined;
  settings: { get: () => Pick<Settings, "auto_off_minutes"> };
  /** What keeps the device awake, as text; empty when it may sleep. */
  awakeReasons: () => string[];
  /** The next scheduled instant, in epoch seconds. */
  nextWake: () => number | undefined;
  /** Saves the position and stops all sound. */
  quiet: () => void;
  /** Epoch milliseconds. */
  now: () => number;
  events: Pick<Events, "emit" | "onEvent">;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "info" | "error">;
}
export type PowerService = ReturnType<typeof createPowerService>;

const CHECK_INTERVAL_MS = 5000;
const ANSWER_DELAY_MS = 500;
// A small machine needs some seconds to wake up, and scheduled tasks must not be late.
const WAKE_AHEAD_S = 10;
const MIN_SLEEP_S = 5;
const WAKING_MS = 1000;
/** Events that the device emits by itself. All other events mean that a user did something. */
const UNPROMPTED: ReadonlySet<string> = new Set([
  "battery",
  "error",
  "library",
  "metadata",
  "position",
  "prayer",
  "system",
]);

/** Suspends the device on request, or after it was idle long enough. */
export function createPowerService(deps: PowerServiceDeps) {
  const { manager, chip, settings, awakeReasons, nextWake, quiet, now, events, clock, log } = deps;
  const idleTimer = createTimer(clock);
  let idleSinceMs = clock.monotonicMs();
  let sleeping: Promise<void> | undefined;
  let wokenMs = Number.NEGATIVE_INFINITY;
  /** Undefined when the manager could not be started. */
  let available = manager;

  function touch(): void {
    idleSinceMs = clock.monotonicMs();
  }

  function checkIdle(): void {
    idleTimer.set(CHECK_INTERVAL_MS, checkIdle);
    if (awakeReasons().length > 0) touch();
    const { auto_off_minutes } = settings.get();
    const idleMs = clock.monotonicMs() - idleSinceMs;
    if (auto_off_minutes === 0 || !available || sleeping || idleMs < auto_off_minutes * 60_000) return;
    log.info({ auto_off_minutes }, "idle, going to sleep");
    sleepInBackground(available);
  }

  function wakesAt(): number | null {
    const next = chip ? nextWake() : undefined;
    return next ?? null;
  }

  function sleepInBackground(sleeper: PowerManager): void {
    sleeping = sleep(sleeper)
      .catch((error: unknown) => {
        log.error({ err: error }, "suspend failed");
        if (error instanceof Problem) events.emit("error", { code: "power", message: error.message });
      })
      .finally(() => {
        sleeping = undefined;
        wokenMs = clock.monotonicMs();
        touch();
      });
  }

  async function sleep(sleeper: PowerManager): Promise<void> {
    quiet();
    const already = awakeReasons();
    events.emit("system", { phase: "sleeping", wakes_at: wakesAt() });
    // The answer and the event must be sent before the network goes down.
    await clock.sleep(ANSWER_DELAY_MS);
    try {
      const wakes_at = wakesAt();
      const alarm = wakes_at === null ? null : wakes_at - WAKE_AHEAD_S;
      if (alarm !== null && alarm < now() / 1000 + MIN_SLEEP_S) return;
      await chip?.setAlarm(alarm);
      // Check again: a card, a play or an adhan may have started since; earlier reasons to stay awake do not count.
      const since = awakeReasons().filter((reason) => !already.includes(reason));
      if (since.length === 0) await sleeper.suspend();
      else log.info({ since }, "suspend cancelled");
    } finally {
      await chip?.setAlarm(null);
      events.emit("system", { phase: "awake", wakes_at: null });
    }
  }

  const stopListening = events.onEvent(({ type }) => {
    if (!UNPROMPTED.has(type)) touch();
  });

  return {
    async start(): Promise<void> {
      touch();
      idleTimer.set(CHECK_INTERVAL_MS, checkIdle);
      if (!manager) throw cannotSleep();
      available = undefined;
      await manager.start();
      available = manager;
    },

    close(): void {
      idleTimer.cancel();
      stopListening();
    },

    /** Returns when the device will wake, and suspends it afterwards. */
    sleep(): { wakes_at: number | null } {
      if (!available) throw cannotSleep();
      if (sleeping) events.emit("system", { phase: "sleeping", wakes_at: wakesAt() });
      else sleepInBackground(available);
      return { wakes_at: wakesAt() };
    },

    canSleep: (): boolean => available !== undefined,

    /** A user is active: the idle time restarts. */
    touch,

    /** Also for a moment after waking up: the press that woke the device may be reported late. */
    isAsleep: (): boolean => sleeping !== undefined || clock.monotonicMs() - wokenMs < WAKING_MS,
  };
}

function cannotSleep(): Problem {
  return new Problem("failed", "power: this device cannot sleep");
}
