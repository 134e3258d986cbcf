import type { FavoriteBody } from "@player/service/contract/favorites";
import type { PlaybackStatus } from "@player/service/contract/playback";
import type { StationBody } from "@player/service/contract/stations";

export type Tile =
  | { kind: "surah"; key: string; surah: number; reciter: string }
  | { kind: "stream"; key: string; name: string; url: string };

/** As many tiles as a child can distinguish and a phone can show. */
const MAX_TILES = 6;
/** The share of stations when there are enough favorites. */
const STATIONS = 2;

type Favorite = Pick<FavoriteBody, "id" | "type" | "reciter" | "surah" | "url" | "name" | "available" | "play_count">;
type Station = Pick<StationBody, "id" | "name" | "url" | "last_played">;

/** The most played favorites and the stations played last, ordered by age, so that a played tile keeps its place. */
export function chooseTiles(favorites: readonly Favorite[], stations: readonly Station[]): Tile[] {
  const loved = favorites.filter(({ available }) => available).toSorted((a, b) => b.play_count - a.play_count);
  const addresses = new Set(loved.map(({ url }) => url));
  const others = stations
    .filter(({ url }) => !addresses.has(url))
    .toSorted((a, b) => (b.last_played ?? 0) - (a.last_played ?? 0));
  const room = Math.min(others.length, Math.max(STATIONS, MAX_TILES - loved.length));
  return [
    ...loved
      .slice(0, MAX_TILES - room)
      .toSorted(byAge)
      .map(ofFavorite),
    ...others.slice(0, room).toSorted(byAge).map(ofStation),
  ].slice(0, MAX_TILES);
}

/** Ids are never reused, so they grow with time. */
function byAge(a: { id: number }, b: { id: number }): number {
  return a.id - b.id;
}

function ofFavorite({ id, type, surah, reciter, name, url }: Favorite): Tile {
  const key = `favorite-${id}`;
  return type === "surah" ? { kind: "surah", key, surah, reciter } : { kind: "stream", key, name, url };
}

function ofStation({ id, name, url }: Station): Tile {
  return { kind: "stream", key: `station-${id}`, name, url };
}

/** Whether the tile is the current source. */
export function isPlaying(tile: Tile, source: PlaybackStatus["source"]): boolean {
  if (tile.kind === "stream") return source?.type === "stream" && source.url === tile.url;
  return source?.type === "surah" && source.surah === tile.surah && source.reciter === tile.reciter;
}
