import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Events } from "../events.ts";
import type { SettingsService } from "../settings/settings.service.ts";
import type { TryWrite } from "../storage/try-write.ts";
import type { AudioEngine } from "./audio-engine.ts";

export interface LoudnessServiceDeps {
  engine: Pick<AudioEngine, "setVolume">;
  settings: Pick<SettingsService, "get" | "change" | "onChange">;
  tryWrite: TryWrite;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "sleep">;
}
export type LoudnessService = ReturnType<typeof createLoudnessService>;

const MIN_STEP_MS = 50;
const MAX_STEPS = 100;

/** The volume: the listener's, that of an interruption, and fades of both. */
export function createLoudnessService({ engine, settings, tryWrite, events, clock }: LoudnessServiceDeps) {
  const fade = createTimer(clock);
  let volume = settings.get().volume;
  let kept = volume;
  let overridden: number | undefined;
  /** The listener's volume while an interruption overrides it. */
  let lender: number | undefined;
  /** From 0 to 1: the current share of the volume during a fade, and the share at its end. */
  let share = 1;
  let goal = 1;

  const shown = () => overridden ?? volume;
  const apply = () => engine.setVolume(Math.round(shown() * share));

  function ramp(to: 0 | 1, ms: number, done: () => void): void {
    const from = share;
    goal = to;
    const steps = Math.min(MAX_STEPS, Math.max(1, Math.ceil(ms / MIN_STEP_MS)));
    const step = (taken: number) => {
      fade.set(ms / steps, () => {
        share = from + ((to - from) * taken) / steps;
        apply();
        if (taken < steps) step(taken + 1);
        else done();
      });
    };
    step(1);
  }

  function resetFade(): void {
    fade.cancel();
    share = 1;
    goal = 1;
  }

  const stopListening = settings.onChange(({ volume: stored, max_volume }) => {
    const before = shown();
    if (stored !== kept) lender = undefined;
    // If the store was full, it still has an older volume, which is ignored until it changes.
    volume = Math.min(stored === kept ? volume : stored, max_volume);
    kept = stored;
    if (overridden !== undefined) overridden = Math.min(overridden, max_volume);
    if (shown() === before) return;
    apply();
    events.emit("volume", { volume: shown() });
  });

  return {
    /** The volume that clients see; during a fade, the volume without the fade. */
    volume: shown,
    apply,

    /**
     * A volume set by a user applies immediately, also during an interruption, and stays after it. Returns the volume
     * in force, which is never above the device's limit.
     */
    set(wanted: number): number {
      // A fade-out continues: another sound is about to start.
      if (goal === 1) resetFade();
      const applied = Math.min(wanted, settings.get().max_volume);
      volume = applied;
      lender = undefined;
      overridden = undefined;
      apply();
      tryWrite(() => settings.change({ volume: applied }), "volume");
      events.emit("volume", { volume: applied });
      return applied;
    },

    /** A volume for one recitation, which the clock started. The listener's own stays stored. */
    lend(wanted: number): void {
      lender ??= volume;
      volume = Math.min(wanted, settings.get().max_volume);
      apply();
      events.emit("volume", { volume: shown() });
    },

    /** The recitation is over: the listener's volume applies again, unless a person has set another one since. */
    endLoan(): void {
      if (lender === undefined) return;
      volume = Math.min(lender, settings.get().max_volume);
      lender = undefined;
      apply();
      events.emit("volume", { volume: shown() });
    },

    fadeIn(ms: number): void {
      share = 0;
      apply();
      ramp(1, ms, () => undefined);
    },

    fadeOut(ms: number, done: () => void): void {
      ramp(0, ms, done);
    },

    endFade(): void {
      if (share === 1) return;
      resetFade();
      apply();
    },

    /** For an interruption; 0 keeps the listener's volume. Never above the device's limit. */
    override(wanted: number): void {
      resetFade();
      overridden = wanted === 0 ? undefined : Math.min(wanted, settings.get().max_volume);
      apply();
    },

    /** Restores the listener's volume, including changes during the interruption. */
    restoreVolume(): void {
      resetFade();
      overridden = undefined;
      apply();
    },

    close(): void {
      fade.cancel();
      stopListening();
    },
  };
}
