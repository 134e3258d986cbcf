import { existsSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import Type from "typebox";
import Value from "typebox/value";
import { syncFolder } from "../../foundation/records/sync-folder.ts";
import { Acceptance, CheckpointBody } from "./ledger.schema.ts";
import type { CheckpointLine } from "./ledger.ts";
import { Succession } from "./succession.ts";

/**
 * The checkpoints in a file outside the database, one per line: restoring an older database does not restore this file.
 */
export interface CheckpointFile {
  /** Undefined if the file is empty or missing. */
  last(): Promise<CheckpointLine | "damaged" | undefined>;
  /** Resolves when the lines are on disk. */
  append(...lines: readonly CheckpointLine[]): Promise<void>;
}

const SuccessionLine = Type.Object({ succession: Succession });
// A line has at most about 900 bytes. A crash may leave an incomplete line after the last complete one.
const TAIL_BYTES = 4096;

export function createCheckpointFile(path: string): CheckpointFile {
  async function tail(): Promise<string> {
    // Reading must not create the file, so that a missing file stays detectable.
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

    async append(...lines) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const written = await tail();
      const isIncomplete = written !== "" && !written.endsWith("\n");
      const file = await open(path, "a", 0o600);
      try {
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
        await file.writeFile(`${isIncomplete ? "\n" : ""}${text}`);
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
    const isLine =
      Value.Check(CheckpointBody, line) || Value.Check(Acceptance, line) || Value.Check(SuccessionLine, line);
    return isLine ? line : "damaged";
  } catch {
    return "damaged";
  }
}
