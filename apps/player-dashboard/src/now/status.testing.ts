import type { PlaybackStatus } from "@player/service/contract/playback";

/** A device that was just switched on, but for this. */
export function statusWith(change: Partial<PlaybackStatus>): PlaybackStatus {
  return {
    state: "stopped",
    mode: "idle",
    position: 0,
    duration: 0,
    volume: 50,
    underrun_count: 0,
    track: "",
    reciter: "",
    surah_number: 0,
    advance_mode: "off",
    hasResumeState: false,
    source: null,
    title: "",
    retry_in_s: null,
    sleep_timer_s: null,
    hifz_today: 0,
    ...change,
  };
}
