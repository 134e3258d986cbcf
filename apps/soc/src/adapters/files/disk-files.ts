import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Problem } from "@kit/problem";
import { syncFolder } from "../../foundation/records/sync-folder.ts";
import type { FileStore } from "../../ports/file-store.ts";
import { refuseFull } from "./write-problems.ts";

const SHA256 = /^[0-9a-f]{64}$/;

/** File contents in a folder that all hosts of a platform share. */
export function createDiskFiles(folder: string): FileStore {
  function findPath(sha256: string): string {
    if (!SHA256.test(sha256)) throw new Error("a file is named by its SHA-256");
    return join(folder, sha256.slice(0, 2), sha256.slice(2));
  }

  return {
    /** The received file is already on disk, so the rename makes it appear completely or not at all. */
    async keep({ path, sha256 }) {
      const place = findPath(sha256);
      try {
        await mkdir(dirname(place), { recursive: true, mode: 0o700 });
        await rename(path, place);
        await syncFolder(dirname(place));
        await syncFolder(folder);
      } catch (error) {
        refuseFull(error);
      }
    },

    async open(sha256) {
      try {
        const file = await open(findPath(sha256), "r");
        return file.createReadStream();
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw new Problem("unavailable", "the folder of files cannot be read", { cause: error });
      }
    },

    async remove(sha256) {
      await rm(findPath(sha256), { force: true });
    },
  };
}
