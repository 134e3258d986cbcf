import type { PlaybackStatus } from "@player/service/contract/playback";

/**
 * Whether choosing a recitation ends the drill. The device repeats whatever plays while the mode is on, so a forgotten
 * drill would apply to everything played later.
 */
export function endsDrill(
  { advance_mode, hifz, reciter, surah_number }: PlaybackStatus,
  chosen: Pick<PlaybackStatus, "reciter" | "surah_number">,
): boolean {
  if (advance_mode !== "hifz_repeat" && advance_mode !== "hifz_ab") return false;
  const { ab_start = surah_number, ab_end = surah_number } = hifz ?? {};
  const isPart = chosen.reciter === reciter && chosen.surah_number >= ab_start && chosen.surah_number <= ab_end;
  return !isPart;
}
