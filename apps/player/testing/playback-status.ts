import type { PlaybackStatus } from "../src/playback/playback.schema.ts";

/** Nothing is playing, as on a new device. */
export const STOPPED: PlaybackStatus = {
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
};
