import type { FavoriteBody } from "@player/service/contract/favorites";

/** What can be a favorite, as the device is asked for it. */
export type FavoriteTarget =
  | { type: "surah"; reciter: string; surah: number }
  | { type: "stream"; url: string; name: string };

/** A stream is the same by its address, whatever it is called. */
export function isSameFavorite(favorite: FavoriteBody, target: FavoriteTarget): boolean {
  return target.type === "surah"
    ? favorite.type === "surah" && favorite.reciter === target.reciter && favorite.surah === target.surah
    : favorite.type === "stream" && favorite.url === target.url;
}
