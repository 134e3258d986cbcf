import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { PlaybackStatus } from "./playback.schema.ts";

interface PendingDuration {
  track: string;
  over: Promise<void>;
  end: () => void;
}

const LIMIT_MS = 1000;

/** The engine knows the duration of a file a moment after it has loaded it. Answers that show the status wait for it. */
export function createDurationWait(clock: Pick<Clock, "sleep">) {
  const limit = createTimer(clock);
  let current: PendingDuration | undefined;

  function begin(track: string): PendingDuration {
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    limit.set(LIMIT_MS, end);
    return { track, over, end };
  }

  function end(): void {
    limit.cancel();
    current?.end();
    current = undefined;
  }

  return {
    /** Call it whenever the status changes. */
    review({ state, mode, duration, track }: PlaybackStatus): void {
      const isUnknown = mode === "file" && duration === 0 && (state === "playing" || state === "buffering");
      if (!isUnknown || current?.track !== track) end();
      if (isUnknown) current ??= begin(track);
    },

    /** Resolves when the duration is known, when no file plays, or a second after the file was loaded. */
    over: (): Promise<void> => current?.over ?? Promise.resolve(),

    close: end,
  };
}
