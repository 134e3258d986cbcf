import type { PlaybackStatus } from "./playback.schema.ts";

/**
 * Whether the adhan or the built-in tone plays instead of the source. The status then names its file as the track, and
 * keeps the source that resumes after it.
 */
export function isCall({
  mode,
  source,
  track,
  surah_number,
}: Pick<PlaybackStatus, "mode" | "source" | "track" | "surah_number">): boolean {
  if (mode !== "file") return false;
  if (source?.type === "surah") return surah_number !== source.surah;
  return source?.type !== "file" || source.path !== track;
}
