import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import { createTimer } from "../playback/timer.ts";
import type { Settings } from "../settings/settings.schema.ts";
import type { ClockChip } from "../time/clock-chip.ts";
import type { PowerManager } from "./power-manager.ts";

export interface PowerServiceDeps {
  /** Undefined when this device cannot sleep. */
  manager: PowerManager | undefined;
  /** Undefined when no clock chip is fitted: then only the button wakes. */
  chip: Pick<ClockChip, "setAlarm"> | undefined;
  settings: { get: () => Pick<Settings, "auto_off_minutes"> };
  /** What keeps the device awake, in words; nothing when it may sleep. */
  awakeReasons: () => string[];
  /** The next instant at which something is to happen, in epoch seconds. */
  nextWake: () => number | undefined;
  /** Saves the position and makes silence. */
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
// A small machine needs some seconds to wake up, and what is due must not wait for it.
const WAKE_AHEAD_S = 10;
const MIN_SLEEP_S = 5;
/** What the device says by itself. Everything else is said because somebody did something. */
const UNPROMPTED: ReadonlySet<string> = new Set([
  "battery",
  "error",
  "library",
  "metadata",
  "position",
  "prayer",
  "system",
]);

/** Sleeps when it is told to, or when nothing has happened for long enough. */
export function createPowerService(deps: PowerServiceDeps) {
  const { manager, chip, settings, awakeReasons, nextWake, quiet, now, events, clock, log } = deps;
  const idleTimer = createTimer(clock);
  let idleSinceMs = clock.monotonicMs();
  let sleeping: Promise<void> | undefined;
  /** Undefined once it turned out that it does not work. */
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
    log.info({ auto_off_minutes }, "nothing happens, so the device sleeps");
    sleepInBackground(available);
  }

  function wakesAt(): number | null {
    const next = chip ? nextWake() : undefined;
    return next ?? null;
  }

  function sleepInBackground(sleeper: PowerManager): void {
    sleeping = sleep(sleeper)
      .catch((error: unknown) => {
        log.error({ err: error }, "the device does not sleep");
        if (error instanceof Problem) events.emit("error", { code: "power", message: error.message });
      })
      .finally(() => {
        sleeping = undefined;
        touch();
      });
  }

  async function sleep(sleeper: PowerManager): Promise<void> {
    quiet();
    const wakes_at = wakesAt();
    events.emit("system", { phase: "sleeping", wakes_at });
    // The answer and the event must have left before the network goes.
    await clock.sleep(ANSWER_DELAY_MS);
    const soonest = Math.ceil(now() / 1000) + MIN_SLEEP_S;
    await chip?.setAlarm(wakes_at === null ? null : Math.max(wakes_at - WAKE_AHEAD_S, soonest));
    try {
      await sleeper.suspend();
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

    /** Answers when the device will wake, and goes to sleep after that. */
    sleep(): { wakes_at: number | null } {
      if (!available) throw cannotSleep();
      if (sleeping) events.emit("system", { phase: "sleeping", wakes_at: wakesAt() });
      else sleepInBackground(available);
      return { wakes_at: wakesAt() };
    },

    /** Somebody uses the device: the idle minutes begin anew. */
    touch,
  };
}

function cannotSleep(): Problem {
  return new Problem("failed", "power: this device cannot sleep");
}
