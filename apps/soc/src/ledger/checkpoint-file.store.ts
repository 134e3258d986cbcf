import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import Value from "typebox/value";
import { CheckpointBody } from "./ledger.schema.ts";

/** The checkpoints outside the database, one a line: whoever restores an older database does not restore this. */
export interface CheckpointFile {
  last(): Promise<CheckpointBody | "damaged" | undefined>;
  /** Resolves when it is on the disk. */
  append(checkpoint: CheckpointBody): Promise<void>;
}

// A line has about 330 bytes; a line that a crash cut short may follow the last whole one.
const TAIL_BYTES = 4096;

export function createCheckpointFile(path: string): CheckpointFile {
  async function tail(): Promise<string> {
    const file = await open(path, "a+", 0o600);
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
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const line = (await tail()).split("\n").slice(0, -1).at(-1);
      return line === undefined ? undefined : parse(line);
    },

    async append(checkpoint) {
      const written = await tail();
      const isCutShort = written !== "" && !written.endsWith("\n");
      const file = await open(path, "a", 0o600);
      try {
        await file.writeFile(`${isCutShort ? "\n" : ""}${JSON.stringify(checkpoint)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}

function parse(line: string): CheckpointBody | "damaged" {
  try {
    const checkpoint: unknown = JSON.parse(line);
    return Value.Check(CheckpointBody, checkpoint) ? checkpoint : "damaged";
  } catch {
    return "damaged";
  }
}
