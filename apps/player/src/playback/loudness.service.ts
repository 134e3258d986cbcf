import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import type { SettingsService } from "../settings/settings.service.ts";
import type { AudioEngine } from "./audio-engine.ts";
import { createTimer } from "./timer.ts";
import type { TryWrite } from "./try-write.ts";

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

/** How loud it is: the listener's volume, that of an interruption meanwhile, and fades of either. */
export function createLoudnessService({ engine, settings, tryWrite, events, clock }: LoudnessServiceDeps) {
  const fade = createTimer(clock);
  let volume = settings.get().volume;
  let kept = volume;
  let overridden: number | undefined;
  /** From 0 to 1: how much of it is heard while it fades, and where the fade leads. */
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
    // A full storage keeps an older one: that does not count until it changes.
    volume = Math.min(stored === kept ? volume : stored, max_volume);
    kept = stored;
    if (overridden !== undefined) overridden = Math.min(overridden, max_volume);
    if (shown() === before) return;
    apply();
    events.emit("volume", { volume: shown() });
  });

  return {
    /** What is shown; while it fades, what it fades to or from. */
    volume: shown,
    apply,

    /** What somebody sets holds at once, also for an interruption, and stays after it. */
    set(wanted: number): number {
      const { max_volume } = settings.get();
      if (wanted > max_volume) throw new Problem("invalid", `volume: must be an integer from 0 to ${max_volume}`);
      // What is fading out goes on to do so: something else is about to be heard.
      if (goal === 1) resetFade();
      volume = wanted;
      overridden = undefined;
      apply();
      tryWrite(() => settings.change({ volume }));
      events.emit("volume", { volume });
      return volume;
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

    /** The listener's volume again, as it was or as it was set meanwhile. */
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
