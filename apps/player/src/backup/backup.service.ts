import { invalidField } from "@kit/problem";
import type { BackupPart } from "../storage/backup-part.ts";
import type { Database } from "../storage/database.ts";
import type { BackupBody } from "./backup.schema.ts";

export interface BackupServiceDeps {
  parts: readonly BackupPart[];
  database: Pick<Database, "inTransaction">;
}
export type BackupService = ReturnType<typeof createBackupService>;

/** Everything that the owner has configured, in one document and without secrets. */
export function createBackupService({ parts, database }: BackupServiceDeps) {
  return {
    read: (): BackupBody => Object.fromEntries(parts.map((part) => [part.name, part.read()])),

    /** Replaces the given parts, all of them or none. Returns their names. */
    async restore(backup: BackupBody): Promise<string[]> {
      const fields = new Map<string, unknown>(Object.entries(backup));
      const given = parts.filter(({ name }) => fields.has(name));
      if (given.length === 0) {
        throw invalidField("body", `must have at least one of ${parts.map(({ name }) => name).join(", ")}`);
      }
      const replacements: (() => void)[] = [];
      for (const part of given) replacements.push(await part.prepare(fields.get(part.name)));
      database.inTransaction(() => {
        for (const replace of replacements) replace();
      });
      for (const part of given) part.reload();
      return given.map(({ name }) => name);
    },
  };
}
