import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { syncPath } from "./durable-file.ts";

/** The names of the files beside player.db. */
export interface DatabaseFiles {
  /** The database itself. */
  path: string;
  /** The copy of the last day. */
  copy: string;
  /** The copy from before the last upgrade, until the new version has proved itself. */
  formerVersion: string;
  /** A complete database that takes the place of one that is broken or newer. */
  replacement: string;
  /** Any of them while it is being written. */
  unfinished: string;
}

export function nameDatabaseFiles(folder: string): DatabaseFiles {
  const path = join(folder, "player.db");
  return {
    path,
    copy: `${path}.copy`,
    formerVersion: `${path}.before-upgrade`,
    replacement: `${path}.replacement`,
    unfinished: `${path}.new`,
  };
}

const PARTS = ["", "-wal", "-shm"] as const;
const ASIDE = /^player\.db\.(broken|newer)-/;

/** Deletes a database with its log. */
export function removeDatabase(path: string): void {
  for (const part of PARTS) rmSync(path + part, { force: true });
}

/** Keeps the database under another name; an earlier one that was kept in this way is deleted. */
export function moveAside(path: string, why: "broken" | "newer", epochS: number): void {
  removeMovedAside(path);
  for (const part of PARTS) {
    if (existsSync(path + part)) renameSync(path + part, `${path}.${why}-${epochS}${part}`);
  }
}

/** Renames a database that is complete and closed, so that its new name survives a power cut. */
export function renameDatabase(from: string, to: string): void {
  syncPath(from);
  renameSync(from, to);
  syncPath(dirname(to));
}

/** Puts back player.db, which is missing after a power cut during an earlier repair. */
export function putBackMissing({ path, replacement, copy, unfinished }: DatabaseFiles): void {
  if (existsSync(path)) return;
  if (existsSync(replacement)) {
    renameDatabase(replacement, path);
  } else if (existsSync(copy)) {
    removeDatabase(unfinished);
    copyFileSync(copy, unfinished);
    renameDatabase(unfinished, path);
  }
}

/** Deletes everything beside player.db that holds data of the owner. */
export function removeCopies({ path, copy, formerVersion, replacement, unfinished }: DatabaseFiles): void {
  removeMovedAside(path);
  for (const each of [copy, formerVersion, replacement, unfinished]) removeDatabase(each);
  syncPath(dirname(path));
}

function removeMovedAside(path: string): void {
  const folder = dirname(path);
  const old = readdirSync(folder).filter((name) => ASIDE.test(name) && name.startsWith(basename(path)));
  for (const name of old) rmSync(join(folder, name), { force: true });
}
