import { readFileSync, statSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { Problem } from "@kit/problem";
import Type from "typebox";
import { Compile } from "typebox/compile";
import { syncFolder } from "../../foundation/records/sync-folder.ts";
import { OldDay } from "./old-day.ts";

/** The list of the days in the bucket, in a file that all processes of the machine read. */
export type OldDaysFile = ReturnType<typeof createOldDaysFile>;

/** Compiled, so that a year of days with many sources is parsed within milliseconds. */
const OldDays = Compile(Type.Object({ days: Type.Array(OldDay) }));

export function parseOldDays(text: string): OldDay[] {
  return OldDays.Parse(JSON.parse(text)).days;
}

export function formatOldDays(days: readonly OldDay[]): string {
  return `${JSON.stringify({ days: days.toSorted((a, b) => a.day - b.day) })}\n`;
}

export function createOldDaysFile(path: string) {
  let known: { version: string; days: readonly OldDay[] } = { version: "", days: [] };

  return {
    /** The current list. Throws if the file cannot be read, because logs would silently be missing from responses. */
    read(): readonly OldDay[] {
      const version = readVersion(path);
      if (version === known.version) return known.days;
      try {
        known = { version, days: version === "" ? [] : parseOldDays(readFileSync(path, "utf8")) };
      } catch (cause) {
        throw new Problem("unavailable", "the list of the days in the bucket cannot be read", { cause });
      }
      return known.days;
    },

    exists: (): boolean => readVersion(path) !== "",

    /** A reader sees the previous list or this one; a power failure leaves one of them. */
    async write(days: readonly OldDay[]): Promise<void> {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const draft = await open(`${path}.next`, "w", 0o600);
      try {
        await draft.writeFile(formatOldDays(days));
        await draft.sync();
      } finally {
        await draft.close();
      }
      await rename(`${path}.next`, path);
      await syncFolder(dirname(path));
    },
  };
}

/** Every write creates another file. Empty if there is none. */
function readVersion(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : "";
}
