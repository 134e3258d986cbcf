import { invalidField, Problem } from "@kit/problem";
import type { Static, TSchema } from "typebox";
import Value from "typebox/value";

/** The part of a backup that one feature writes and restores. */
export interface BackupPart {
  /** The backup's field. */
  name: string;
  read(): unknown;
  /**
   * Validates the given data and names the wrong field. Returns a function that writes the data inside a transaction.
   */
  prepare(kept: unknown): Promise<() => void>;
  /** Called after the transaction: reads the memory state from the store again and notifies clients. */
  reload(): void;
}

export interface BackupPartDeps<Kept extends TSchema> {
  name: string;
  Kept: Kept;
  read: () => Static<Kept>;
  /** Checks that a schema cannot express. */
  check: (kept: Static<Kept>) => void | Promise<void>;
  /** Replaces everything stored. It opens no transaction of its own. */
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
  return invalidField(path, error?.message ?? "is malformed");
}

/** The error message starts with its own field; prefix it with the parent field. */
export function below(field: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { kind, message, code } = error;
    const below = error.field && `${field}.${error.field}`;
    throw new Problem(kind, `${field}.${message}`, { field: below, code, cause: error });
  }
}
