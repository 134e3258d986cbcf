import { Problem } from "@kit/problem";
import type { Static, TSchema } from "typebox";
import Value from "typebox/value";

/** What one feature gives to a backup, and takes back from one. */
export interface BackupPart {
  /** The backup's field. */
  name: string;
  read(): unknown;
  /** Refuses what the feature would not keep, naming the field. The answer puts it in place, inside a transaction. */
  prepare(kept: unknown): Promise<() => void>;
  /** After the transaction: what memory holds is read anew, and clients are told. */
  reload(): void;
}

export interface BackupPartDeps<Kept extends TSchema> {
  name: string;
  Kept: Kept;
  read: () => Static<Kept>;
  /** What a schema cannot say. */
  check: (kept: Static<Kept>) => void | Promise<void>;
  /** Replaces all that is kept. It opens no transaction of its own. */
  replace: (kept: Static<Kept>) => void;
  reload: () => void;
}

export function backupPart<Kept extends TSchema>(deps: BackupPartDeps<Kept>): BackupPart {
  const { name, Kept, read, check, replace, reload } = deps;
  return {
    name,
    read,
    async prepare(given) {
      const kept: unknown = Value.Clean(Kept, given);
      if (!Value.Check(Kept, kept)) throw buildRefusal(name, Kept, kept);
      await check(kept);
      return () => replace(kept);
    },
    reload,
  };
}

function buildRefusal(name: string, Kept: TSchema, kept: unknown): Problem {
  const [error] = Value.Errors(Kept, kept);
  const path = [name, ...(error?.instancePath.split("/").slice(1) ?? [])].join(".");
  return new Problem("invalid", `${path}: ${error?.message ?? "is malformed"}`);
}

/** A refusal names its own field first; here that field lies below another one. */
export function below(field: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.kind, `${field}.${error.message}`, { cause: error });
  }
}
