import Type from "typebox";
import type { Database } from "../storage/database.ts";
import { type AddStationRequest, StationBody } from "./stations.schema.ts";

export type StationsStore = ReturnType<typeof createStationsStore>;

const Id = Type.Object({ id: Type.Integer() });
const Count = Type.Object({ count: Type.Integer() });
const FIELDS = "id, name, url, last_played, last_ok";

export function createStationsStore(database: Database) {
  const selectAll = database.query(StationBody, `SELECT ${FIELDS} FROM stations ORDER BY id`);
  const select = database.query(StationBody, `SELECT ${FIELDS} FROM stations WHERE id = ?`);
  const selectId = database.query(Id, "SELECT id FROM stations WHERE url = ?");
  const selectCount = database.query(Count, "SELECT count(*) AS count FROM stations");
  const insert = database.command("INSERT INTO stations (name, url) VALUES (?, ?)");
  const restore = database.command("INSERT INTO stations (id, name, url, last_played, last_ok) VALUES (?, ?, ?, ?, ?)");
  const removeAll = database.command("DELETE FROM stations");
  const rename = database.command("UPDATE stations SET name = ? WHERE id = ?");
  const remove = database.command("DELETE FROM stations WHERE id = ?");
  const date = {
    last_played: database.command("UPDATE stations SET last_played = ? WHERE id = ?"),
    last_ok: database.command("UPDATE stations SET last_ok = ? WHERE id = ?"),
  };

  return {
    list(): StationBody[] {
      return selectAll.all();
    },

    count(): number {
      return selectCount.first()?.count ?? 0;
    },

    find(id: number): StationBody | undefined {
      return select.first(id);
    },

    findId(url: string): number | undefined {
      return selectId.first(url)?.id;
    },

    /** Returns the id of the new station. */
    insert({ name, url }: AddStationRequest): number {
      return insert(name, url).insertedId;
    },

    rename(id: number, name: string): void {
      rename(name, id);
    },

    /** Restores a station from a backup, with its original id. */
    restore({ id, name, url, last_played, last_ok }: StationBody): void {
      restore(id, name, url, last_played, last_ok);
    },

    removeAll(): void {
      removeAll();
    },

    /** Returns whether a station was removed. */
    remove(id: number): boolean {
      return remove(id).changes > 0;
    },

    date(id: number, field: "last_played" | "last_ok", epoch: number): void {
      date[field](epoch, id);
    },
  };
}
