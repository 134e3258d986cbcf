import Type, { type Static } from "typebox";
import type { Database } from "../storage/database.ts";
import type { ResumePosition } from "./resume-position.ts";

export type ResumePositionStore = ReturnType<typeof createResumePositionStore>;

const Row = Type.Object({
  path: Type.String(),
  reciter: Type.String(),
  surah: Type.Integer(),
  position_ms: Type.Integer(),
  was_running: Type.Integer(),
  saved_at: Type.Integer(),
});

export function createResumePositionStore(database: Database) {
  const select = database.query(
    Row,
    "SELECT path, reciter, surah, position_ms, was_running, saved_at FROM resume_position WHERE id = 1",
  );
  const replace = database.command(
    `REPLACE INTO resume_position (id, path, reciter, surah, position_ms, was_running, saved_at)
     VALUES (1, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = database.command("DELETE FROM resume_position");
  return {
    get(): ResumePosition | undefined {
      const row = select.first();
      return row && isUsable(row) ? { ...row, was_running: row.was_running === 1 } : undefined;
    },

    save({ path, reciter, surah, position_ms, was_running, saved_at }: ResumePosition): void {
      replace(path, reciter, surah, position_ms, was_running ? 1 : 0, saved_at);
    },

    clear(): void {
      remove();
    },
  };
}

function isUsable({ path, surah, position_ms }: Static<typeof Row>): boolean {
  return path !== "" && surah >= 0 && surah <= 114 && position_ms >= 0;
}
