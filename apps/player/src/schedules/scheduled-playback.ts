import type { PlaybackService } from "../playback/playback.service.ts";

/** What schedules need of playback. */
export interface ScheduledPlayback {
  /** Changes whenever something else is chosen, or playback is stopped; a pause does not count. */
  choices(): number;
  isSilentStream(): boolean;
  /** Returns whether it was played to its end. */
  playTone(): Promise<boolean>;
  stopRecitation(): void;
}

export function toScheduledPlayback(
  playback: Pick<PlaybackService, "choices" | "stopRecitation" | "status" | "untilFree" | "interrupt">,
  openTone: () => Promise<string>,
): ScheduledPlayback {
  return {
    choices: () => playback.choices(),
    stopRecitation: () => playback.stopRecitation(),
    isSilentStream: () => playback.status().mode === "stream" && playback.status().state === "buffering",
    async playTone() {
      const path = await openTone();
      // An adhan goes first.
      await playback.untilFree();
      return (await playback.interrupt({ path, name: "", volume: 0, after: "resume" })) === "ended";
    },
  };
}
