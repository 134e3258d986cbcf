import type { FavoriteBody } from "@player/service/contract/favorites";

/** A possible favorite, in the shape of the request. */
export type FavoriteTarget =
  | { type: "surah"; reciter: string; surah: number }
  | { type: "stream"; url: string; name: string };

/** Streams are compared by address, regardless of their names. */
export function isSameFavorite(favorite: FavoriteBody, target: FavoriteTarget): boolean {
  return target.type === "surah"
    ? favorite.type === "surah" && favorite.reciter === target.reciter && favorite.surah === target.surah
    : favorite.type === "stream" && favorite.url === target.url;
}
