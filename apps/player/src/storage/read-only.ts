import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { isDamage } from "./sqlite-errors.ts";

/**
 * Opens a file that may be broken, or on a disk that is full or read-only; throws the first error if nothing of it can be
 * read. SQLite closes a connection only after its last statement was collected as garbage, and an ordinary connection
 * then deletes the log by its name, even if a new file has this name by now. A read-only connection deletes nothing.
 */
export function openReadOnly(path: string): DatabaseSyncInstance {
  const uri = `file:${encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23")}`;
  const ways = [
    { path, setting: "" },
    // Where the index of the log cannot be created, it is kept in memory, and no file is locked.
    { path: `${uri}?vfs=unix-none`, setting: "PRAGMA locking_mode = EXCLUSIVE" },
    // The last resort ignores the log.
    { path: `${uri}?immutable=1`, setting: "" },
  ];
  const errors: unknown[] = [];
  for (const way of ways) {
    const connection = new DatabaseSync(way.path, { readOnly: true, open: false, timeout: 2000 });
    try {
      connection.open();
      connection.exec(`${way.setting}; SELECT count(*) FROM sqlite_schema`);
      return connection;
    } catch (error) {
      errors.push(error);
      if (connection.isOpen) connection.close();
      if (isDamage(error)) break;
    }
  }
  throw errors[0];
}
