import { openSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Clock } from "@kit/clock";

/** Records running statements in a file, because a process that hangs or crashes can no longer be queried. */
export interface RunningStatements {
  /** Returns the function that marks the end of the statement. */
  begin(sql: string): () => void;
}

const SLOT_BYTES = 1024;
const HEAD_LENGTH = 500;
const TAIL_LENGTH = 200;
const EMPTY_SLOT = Buffer.alloc(SLOT_BYTES, " ");

/** The engine's process writes the file: one slot for each connection. */
export function createRunningStatements(path: string, clock: Pick<Clock, "now">): RunningStatements {
  const file = openSync(path, "w", 0o600);
  const free: number[] = [];
  let slots = 0;
  return {
    begin(sql) {
      const slot = free.pop() ?? slots++;
      const note = Buffer.from(EMPTY_SLOT);
      note.write(JSON.stringify([clock.now().getTime(), shorten(sql)]), 0, SLOT_BYTES);
      writeSync(file, note, 0, SLOT_BYTES, slot * SLOT_BYTES);
      return () => {
        writeSync(file, EMPTY_SLOT, 0, SLOT_BYTES, slot * SLOT_BYTES);
        free.push(slot);
      };
    },
  };
}

/** The parent reads the file: the statements that were running, longest-running first, each with its duration. */
export async function readRunningStatements(path: string, now: Date): Promise<string[]> {
  // A process that ended immediately has written no file.
  const text = await readFile(path, "utf8").catch(() => "");
  const notes = [...text.matchAll(/\[(\d+),("(?:[^"\\]|\\.)*")\]/g)].map(([, ms, sql = ""]) => ({
    seconds: (now.getTime() - Number(ms)) / 1000,
    sql: String(JSON.parse(sql)),
  }));
  return notes
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ seconds, sql }) => `running for ${seconds.toFixed(1)} s: ${sql}`);
}

/** ASCII only, so that the length in characters is the length in bytes. */
function shorten(sql: string): string {
  const line = sql.replaceAll(/\s+/g, " ").replaceAll(/[^\x20-\x7e]|["\\]/g, "?");
  if (line.length <= HEAD_LENGTH + TAIL_LENGTH) return line;
  return `${line.slice(0, HEAD_LENGTH)} ... ${line.slice(-TAIL_LENGTH)} (${sql.length} characters)`;
}
