import type { FavoriteBody } from "@player/service/contract/favorites";
import type { PlaybackStatus } from "@player/service/contract/playback";
import { SURAH_NAMES, SURAH_NAMES_AR } from "@player/service/contract/surah-names";
import type { Language } from "../../app/language/language.ts";
import { counted } from "../../app/language/numbers.ts";
import { favoritesPhrases } from "./favorites-phrases.ts";

export function favoriteTitle({ type, surah, name, url }: FavoriteBody, language: Language): string {
  if (type === "stream") return name || url;
  return (language === "ar" ? SURAH_NAMES_AR : SURAH_NAMES)[surah - 1] ?? String(surah);
}

/** The reciter and the play count; a note instead if the surah is missing. */
export function favoriteAside({ type, reciter, available, play_count }: FavoriteBody, language: Language): string[] {
  const phrases = favoritesPhrases[language];
  const whose = type === "stream" ? phrases.stream : reciter;
  if (!available) return [whose, phrases.missing];
  return [whose, play_count === 0 ? phrases.neverPlayed : counted(play_count, phrases.played, language)];
}

export function isPlaying({ type, reciter, surah, url }: FavoriteBody, { state, source }: PlaybackStatus): boolean {
  if (state === "stopped" || source?.type !== type) return false;
  return source.type === "surah" ? source.reciter === reciter && source.surah === surah : source.url === url;
}
