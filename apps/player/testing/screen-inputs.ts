import type { ScreenInputs } from "../src/screen/choose-screen.ts";
import type { WallTime } from "../src/screen/wording.ts";
import { STOPPED } from "./playback-status.ts";

const MECCA_HOURS = 3;

/** Mecca, 15 November 2026, 14:41:20. */
export const AFTERNOON_MS = Date.UTC(2026, 10, 15, 11, 41, 20);

/** The wall clock of a zone without summer time. */
function toWallTime(epochS: number): WallTime {
  const shifted = new Date((epochS + MECCA_HOURS * 3600) * 1000);
  return {
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    weekday: shifted.getUTCDay(),
  };
}

/** An instant of that day by the clock of Mecca. */
export function toEpoch(hour: number, minute: number): number {
  return Date.UTC(2026, 10, 15, hour - MECCA_HOURS, minute) / 1000;
}

export const RECITING: ScreenInputs["playback"] = {
  ...STOPPED,
  state: "playing",
  mode: "file",
  position: 187_400,
  duration: 1_562_000,
  track: "Mishary Alafasy/018.mp3",
  reciter: "Mishary Alafasy",
  surah_number: 18,
  source: { type: "surah", reciter: "Mishary Alafasy", surah: 18 },
};

export const LISTENING: ScreenInputs["playback"] = {
  ...STOPPED,
  state: "playing",
  mode: "stream",
  position: 60_000,
  source: { type: "stream", url: "https://radio.example/quran?key=secret", name: "" },
};

/** An afternoon an hour before Asr, with nothing playing. */
export function buildInputs(changes: Partial<ScreenInputs> = {}): ScreenInputs {
  return {
    now: AFTERNOON_MS,
    clock_ok: true,
    toWallTime,
    settings: { language: "en", time_format_24h: false },
    playback: STOPPED,
    stream_name: "",
    prayer: {
      epochs: [toEpoch(5, 17), toEpoch(6, 35), toEpoch(12, 5), toEpoch(15, 16), toEpoch(17, 38), toEpoch(19, 8)],
      next: { index: 3, epoch: toEpoch(15, 16) },
      hijri: { day: 5, year: 1448, month_name: "Jumada al-Akhirah", month_name_ar: "جمادى الآخرة" },
    },
    adhan: undefined,
    card: { uid: "", age_ms: -1 },
    ota: { in_progress: false, progress: 0, status: "idle" },
    access_point: undefined,
    is_set_up: true,
    fingerprint: undefined,
    pairing: undefined,
    boot_failures: [],
    gap_age_ms: 0,
    age_ms: 60_000,
    ...changes,
  };
}
