import { lstat, mkdir, readdir, realpath, rename, rm, rmdir, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncFolder } from "../storage/durable-file.ts";
import { foldCardName } from "./card-name.ts";
import { hasCode } from "./card-writing.ts";
import { isHidden } from "./file-name.ts";

/** Every change is on the card when its call resolves. */
export function createCardFilesStore(cardFolder: string) {
  async function findFolder(name: string): Promise<string | undefined> {
    const entries = await readdir(cardFolder, { withFileTypes: true });
    const alike = entries.filter((entry) => entry.isDirectory() && foldCardName(entry.name) === foldCardName(name));
    return (alike.find((entry) => entry.name === name) ?? alike[0])?.name;
  }

  return {
    /** The folder as the card spells it: another spelling in capitals or accents is the same folder. */
    findFolder,

    /** The visible files of a folder; none when it does not exist. */
    async listFiles(folder: string): Promise<string[]> {
      const entries = await readdir(join(cardFolder, folder), { withFileTypes: true }).catch((error: unknown) => {
        if (hasCode(error, "ENOENT")) return [];
        throw error;
      });
      return entries.filter((entry) => entry.isFile() && !isHidden(entry.name)).map(({ name }) => name);
    },

    /** Returns whether it had to be created. */
    async createFolder(folder: string): Promise<boolean> {
      if ((await findFolder(folder)) !== undefined) return false;
      // Not recursive: a card that was pulled a moment ago must not reappear as a folder of the device.
      await mkdir(join(cardFolder, folder));
      await syncFolder(cardFolder);
      return true;
    },

    /** Removes a folder that has nothing in it. */
    async removeEmptyFolder(folder: string): Promise<void> {
      await rmdir(join(cardFolder, folder));
      await syncFolder(cardFolder);
    },

    /** What the card finds by this path, links not followed: FAT finds a name by more than one spelling. */
    async findIdentity(path: string): Promise<string | undefined> {
      try {
        const { dev, ino } = await lstat(join(cardFolder, path));
        return `${dev}:${ino}`;
      } catch (error) {
        if (hasCode(error, "ENOENT")) return undefined;
        throw error;
      }
    },

    /** Whether the path leads to itself, and not over a link to another place of the card. */
    async isPlain(path: string): Promise<boolean> {
      return (await realpath(join(cardFolder, path))) === join(await realpath(cardFolder), path);
    },

    /** Atomic: under the new path is the whole file or the former one, also after a power cut. */
    async rename(from: string, to: string): Promise<void> {
      await rename(join(cardFolder, from), join(cardFolder, to));
      await syncFolder(dirname(join(cardFolder, to)));
      if (dirname(from) !== dirname(to)) await syncFolder(dirname(join(cardFolder, from)));
    },

    async removeFile(path: string): Promise<void> {
      await unlink(join(cardFolder, path));
      await syncFolder(dirname(join(cardFolder, path)));
    },

    /** With everything in it; links in it are removed, not followed. */
    async removeFolder(folder: string): Promise<void> {
      await rm(join(cardFolder, basename(folder)), { recursive: true });
      await syncFolder(cardFolder);
    },
  };
}
