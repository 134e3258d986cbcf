import Type, { type Static } from "typebox";
import type { Database } from "../storage/database.ts";
import type { ResumePosition } from "./resume-position.ts";

export type ResumePositionStore = ReturnType<typeof createResumePositionStore>;

/** One for each file that was left in the middle; the one that was saved first is forgotten first. */
export const MAX_PLACES = 200;
const Row = Type.Object({
  path: Type.String(),
  reciter: Type.String(),
  surah: Type.Integer(),
  position_ms: Type.Integer(),
  was_running: Type.Integer(),
  saved_at: Type.Integer(),
});

export function createResumePositionStore(database: Database) {
  const selectAll = database.query(
    Row,
    "SELECT path, reciter, surah, position_ms, was_running, saved_at FROM resume_places ORDER BY id",
  );
  const replace = database.command(
    `REPLACE INTO resume_places (path, reciter, surah, position_ms, was_running, saved_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const remove = database.command("DELETE FROM resume_places WHERE path = ?");
  const forgetOldest = database.command(
    "DELETE FROM resume_places WHERE id <= (SELECT id FROM resume_places ORDER BY id DESC LIMIT 1 OFFSET ?)",
  );
  return {
    /** The one that was saved last comes last. */
    list(): ResumePosition[] {
      const usable = selectAll.all().filter(isUsable);
      return usable.map((row) => ({ ...row, was_running: row.was_running === 1 }));
    },

    save({ path, reciter, surah, position_ms, was_running, saved_at }: ResumePosition): void {
      database.inTransaction(() => {
        replace(path, reciter, surah, position_ms, was_running ? 1 : 0, saved_at);
        forgetOldest(MAX_PLACES);
      });
    },

    remove(path: string): void {
      remove(path);
    },
  };
}

function isUsable({ path, surah, position_ms }: Static<typeof Row>): boolean {
  return path !== "" && surah >= 0 && surah <= 114 && position_ms >= 0;
}
