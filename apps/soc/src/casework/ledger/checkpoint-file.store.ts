import { existsSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { CheckpointBody } from "./ledger.schema.ts";

/** Somebody answers for the database as it is: the checkpoints before this line do not speak against it any more. */
const Acceptance = Type.Object({ accepted_by: Type.String({ minLength: 1 }), reason: Type.String({ minLength: 1 }) });
type Acceptance = Static<typeof Acceptance>;

export type CheckpointLine = CheckpointBody | Acceptance;

/** The checkpoints outside the database, one a line: whoever restores an older database does not restore this. */
export interface CheckpointFile {
  /** Undefined when there is no line at all, or no file. */
  last(): Promise<CheckpointLine | "damaged" | undefined>;
  /** Resolves when it is on the disk. */
  append(line: CheckpointLine): Promise<void>;
}

export function isAcceptance(line: CheckpointLine): line is Acceptance {
  return "accepted_by" in line;
}

// A line has about 330 bytes; a line that a crash cut short may follow the last whole one.
const TAIL_BYTES = 4096;

export function createCheckpointFile(path: string): CheckpointFile {
  async function tail(): Promise<string> {
    // Not made by looking at it: a file that is gone must stay gone.
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
      const isCutShort = written !== "" && !written.endsWith("\n");
      const file = await open(path, "a", 0o600);
      try {
        await file.writeFile(`${isCutShort ? "\n" : ""}${JSON.stringify(line)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
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
