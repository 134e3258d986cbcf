import type { Clock } from "@kit/clock";
import { invalidField, notFound } from "@kit/problem";
import { listPart } from "../backup/list-part.ts";
import type { Events } from "../events.ts";
import { type CardMove, moveRecitation } from "../library/card-move.ts";
import { below } from "../storage/backup-part.ts";
import { type Favorite, type FavoriteKey, parseFavorite } from "./favorite.ts";
import type { FavoriteBody, FavoriteRequest, ListChange } from "./favorites.schema.ts";
import { type FavoritesStore, StoredFavorite } from "./favorites.store.ts";

export interface FavoritesServiceDeps {
  store: FavoritesStore;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "now">;
  /** Whether the surah is on the card now. */
  isAvailable: (reciter: string, surah: number) => boolean;
  /** Refuses an invalid stream address and names the field. */
  checkUrl: (field: string, url: string) => Promise<void>;
}
export type FavoritesService = ReturnType<typeof createFavoritesService>;

const MAX_FAVORITES = 200;

export function createFavoritesService({ store, events, clock, isAvailable, checkUrl }: FavoritesServiceDeps) {
  /**
   * Reads and checks the request. An existing favorite is always accepted: it must stay removable even if its URL is no
   * longer allowed.
   */
  async function readFavorite(request: FavoriteRequest): Promise<Favorite> {
    const favorite = parseFavorite(request);
    if (favorite.type === "stream" && store.findId(favorite) === undefined) await checkUrl("url", favorite.url);
    return favorite;
  }

  function insert(favorite: Favorite): number {
    if (store.count() >= MAX_FAVORITES) {
      throw invalidField("favorites", `there are ${MAX_FAVORITES} already, and no more can be kept`, {
        code: "storage_limit",
      });
    }
    return store.insert(favorite, epochSeconds());
  }

  function emitChange(action: ListChange["action"], id: number): void {
    events.emit("favorites", { action, id, count: store.count() });
  }

  function reload(): void {
    emitChange("replaced", 0);
  }

  const epochSeconds = () => Math.floor(clock.now().getTime() / 1000);

  const toBody = (favorite: StoredFavorite): FavoriteBody => ({
    ...favorite,
    available: favorite.type === "stream" || isAvailable(favorite.reciter, favorite.surah),
  });

  return {
    list: (): FavoriteBody[] => store.list().map(toBody),

    async add(request: FavoriteRequest): Promise<{ id: number; created: boolean }> {
      const favorite = await readFavorite(request);
      const known = store.findId(favorite);
      const id = known ?? insert(favorite);
      emitChange("added", id);
      return { id, created: known === undefined };
    },

    async toggle(request: FavoriteRequest): Promise<{ id: number; favorited: boolean }> {
      const favorite = await readFavorite(request);
      const known = store.findId(favorite);
      if (known === undefined) {
        const id = insert(favorite);
        emitChange("added", id);
        return { id, favorited: true };
      }
      store.remove(known);
      emitChange("removed", known);
      return { id: known, favorited: false };
    },

    remove(id: string): void {
      if (!ID.test(id) || !store.remove(Number(id))) throw notFound("favorite", id);
      emitChange("removed", Number(id));
    },

    backup: listPart({
      name: "favorites",
      Item: StoredFavorite,
      maxItems: MAX_FAVORITES,
      list: () => store.list(),
      keysOf: ({ id, ...favorite }) => [`id ${id}`, keyOf(favorite)],
      check: (favorite, field) => below(field, () => void parseFavorite(favorite)),
      removeAll: () => store.removeAll(),
      insert: (kept) => store.restore(kept),
      reload,
    }),

    /** The store was replaced by a backup or a reset. */
    reload,

    /** A recitation has another name on the card: its favorite names it by that, unless it is a favorite already. */
    follow(move: CardMove): void {
      const moves = store.list().flatMap(({ id, type, reciter, surah }) => {
        const to = type === "surah" ? moveRecitation(move, { reciter, surah }) : undefined;
        return to ? [{ id, to }] : [];
      });
      for (const { id, to } of moves) {
        if (store.findId(to) === undefined) store.move(id, to);
        else store.remove(id);
      }
      if (moves.length > 0) reload();
    },

    /** Counts one play, if the played item is a favorite. */
    countPlay(played: FavoriteKey): void {
      const id = store.findId(played);
      if (id === undefined) return;
      store.countPlay(id, epochSeconds());
      emitChange("played", id);
    },
  };
}

const ID = /^[1-9]\d{0,14}$/;

function keyOf({ type, reciter, surah, url }: Omit<StoredFavorite, "id">): string {
  return type === "surah" ? `surah ${surah} of ${reciter}` : `url ${url}`;
}
