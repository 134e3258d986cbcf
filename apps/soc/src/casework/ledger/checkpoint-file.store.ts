import { existsSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import Value from "typebox/value";
import { syncFolder } from "../../foundation/records/sync-folder.ts";
import { Acceptance, CheckpointBody } from "./ledger.schema.ts";
import type { CheckpointLine } from "./ledger.ts";

/**
 * The checkpoints in a file outside the database, one per line: restoring an older database does not restore this file.
 */
export interface CheckpointFile {
  /** Undefined when the file is empty or missing. */
  last(): Promise<CheckpointLine | "damaged" | undefined>;
  /** Resolves when the line is on disk. */
  append(line: CheckpointLine): Promise<void>;
}

// A line has about 330 bytes; an incomplete line, cut by a crash, may follow the last complete one.
const TAIL_BYTES = 4096;

export function createCheckpointFile(path: string): CheckpointFile {
  async function tail(): Promise<string> {
    // Reading must not create the file: a missing file must stay detectable.
    if (!existsSync(path)) return "";
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const start = Math.max(0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(TAIL_BYTES), position: start });
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  }

  return {
    async last() {
      const line = (await tail()).split("\n").slice(0, -1).at(-1);
      return line === undefined ? undefined : parse(line);
    },

    async append(line) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const written = await tail();
      const isIncomplete = written !== "" && !written.endsWith("\n");
      const file = await open(path, "a", 0o600);
      try {
        await file.writeFile(`${isIncomplete ? "\n" : ""}${JSON.stringify(line)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      if (written === "") await syncFolder(dirname(path));
    },
  };
}

function parse(text: string): CheckpointLine | "damaged" {
  try {
    const line: unknown = JSON.parse(text);
    return Value.Check(CheckpointBody, line) || Value.Check(Acceptance, line) ? line : "damaged";
  } catch {
    return "damaged";
  }
}
