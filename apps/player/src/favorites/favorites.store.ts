import Type, { type Static } from "typebox";
import type { Database } from "../storage/database.ts";
import type { Favorite, FavoriteKey } from "./favorite.ts";
import { FavoriteBody } from "./favorites.schema.ts";

export type FavoritesStore = ReturnType<typeof createFavoritesStore>;

export const StoredFavorite = Type.Omit(FavoriteBody, ["available"]);
export type StoredFavorite = Static<typeof StoredFavorite>;
const Id = Type.Object({ id: Type.Integer() });
const Count = Type.Object({ count: Type.Integer() });

export function createFavoritesStore(database: Database) {
  const selectAll = database.query(
    StoredFavorite,
    "SELECT id, type, reciter, surah, url, name, play_count, last_played, created_at FROM favorites ORDER BY id",
  );
  const selectCount = database.query(Count, "SELECT count(*) AS count FROM favorites");
  const selectSurah = database.query(Id, "SELECT id FROM favorites WHERE type = 'surah' AND reciter = ? AND surah = ?");
  const selectStream = database.query(Id, "SELECT id FROM favorites WHERE type = 'stream' AND url = ?");
  const insertSurah = database.command(
    "INSERT INTO favorites (type, reciter, surah, created_at) VALUES ('surah', ?, ?, ?)",
  );
  const insertStream = database.command(
    "INSERT INTO favorites (type, url, name, created_at) VALUES ('stream', ?, ?, ?)",
  );
  const restore = database.command(
    `INSERT INTO favorites (id, type, reciter, surah, url, name, play_count, last_played, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = database.command("DELETE FROM favorites WHERE id = ?");
  const removeAll = database.command("DELETE FROM favorites");
  const move = database.command("UPDATE favorites SET reciter = ?, surah = ? WHERE id = ?");
  const play = database.command("UPDATE favorites SET play_count = play_count + 1, last_played = ? WHERE id = ?");

  return {
    list(): StoredFavorite[] {
      return selectAll.all();
    },

    count(): number {
      return selectCount.first()?.count ?? 0;
    },

    findId(key: FavoriteKey): number | undefined {
      return ("url" in key ? selectStream.first(key.url) : selectSurah.first(key.reciter, key.surah))?.id;
    },

    /** Returns the id of the new favorite. */
    insert(favorite: Favorite, created_at: number): number {
      return favorite.type === "surah"
        ? insertSurah(favorite.reciter, favorite.surah, created_at).insertedId
        : insertStream(favorite.url, favorite.name, created_at).insertedId;
    },

    /** Restores a favorite from a backup, with its original id. */
    restore({ id, type, reciter, surah, url, name, play_count, last_played, created_at }: StoredFavorite): void {
      restore(id, type, reciter, surah, url, name, play_count, last_played, created_at);
    },

    removeAll(): void {
      removeAll();
    },

    /** Returns whether a favorite was removed. */
    remove(id: number): boolean {
      return remove(id).changes > 0;
    },

    move(id: number, { reciter, surah }: { reciter: string; surah: number }): void {
      move(reciter, surah, id);
    },

    countPlay(id: number, last_played: number): void {
      play(last_played, id);
    },
  };
}
