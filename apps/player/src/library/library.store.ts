import type { Dirent } from "node:fs";
import { opendir, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import type { CardMount, CardSnapshot } from "./card-mount.ts";
import { type CardPlace, resolvePlace } from "./card-path.ts";
import { isHidden } from "./file-name.ts";
import {
  byName,
  createScanBuilder,
  type FolderContent,
  type FolderEntry,
  mayBeReciter,
  SCAN_LIMITS,
  type Scan,
} from "./scan.ts";

type Folder = Omit<CardPlace, "kind">;

export interface LibraryStore extends CardMount {
  /** Reads only the names on the card. */
  scan(signal: AbortSignal): Promise<{ scan: Scan; snapshot: CardSnapshot }>;
  list(folder: Folder): Promise<FolderContent>;
  /** In the order of the files. A file that no longer exists has size 0. */
  readSizes(files: readonly Pick<FolderEntry, "absolute">[]): Promise<number[]>;
}

const TOP = "";
/** A folder with a larger list of names would exhaust the memory of a device. */
const MAX_FOLDER_BYTES = 8 * 1024 * 1024;

export interface LibraryStoreDeps {
  /** The mount point of the memory card. It need not exist: a card may be inserted later. */
  cardFolder: string;
  /** Whether the card is a file system of its own; otherwise any folder is a card. */
  mountsCard: boolean;
}

export function createLibraryStore({ cardFolder, mountsCard }: LibraryStoreDeps): LibraryStore {
  return {
    list: (folder) => readFolder(cardFolder, folder),

    async identify() {
      try {
        const isEmpty = await isEmptyFolder(cardFolder);
        const own = await stat(cardFolder);
        const parent = await stat(`${cardFolder}/..`);
        // An empty folder that is not a mount point is where a card will be mounted.
        return mountsCard && isEmpty && own.dev === parent.dev ? undefined : `${own.dev}:${own.ino}`;
      } catch (error) {
        if (isFileError(error)) return undefined;
        throw error;
      }
    },

    async stampFolders(folders) {
      return (await mapInTurn(folders, (folder) => stampOne(join(cardFolder, folder)))).join("\n");
    },

    async scan(signal) {
      const root = { path: TOP, absolute: await realpath(cardFolder) };
      const builder = createScanBuilder();
      const seen = new Map([[TOP, await stampOne(root.absolute)]]);
      const top = await readFolder(cardFolder, root);
      builder.addTop(top);
      for (const folder of top.folders.filter(({ name }) => mayBeReciter(name)).sort(byName)) {
        signal.throwIfAborted();
        if (!builder.accepts(folder.name)) continue;
        // Stamp the folder before its names are read, so that a change in between is detected.
        seen.set(folder.name, await stampOne(folder.absolute));
        const place = { path: folder.name, absolute: folder.absolute };
        builder.addFolder(folder.name, await readFolder(cardFolder, place).catch(unreadable(folder.name)));
      }
      return { scan: builder.build(), snapshot: { folders: [...seen.keys()], stamp: [...seen.values()].join("\n") } };
    },

    readSizes: (files) =>
      mapInTurn(files, ({ absolute }) =>
        stat(absolute).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  };
}

async function readFolder(cardFolder: string, { absolute, path }: Folder): Promise<FolderContent> {
  const content: FolderContent = { files: [], folders: [], problems: [] };
  const { size } = await stat(absolute);
  if (size > MAX_FOLDER_BYTES) {
    content.problems.push({ path, problem: "has more names than can be read" });
    return content;
  }
  const entries = await readdir(absolute, { withFileTypes: true });
  if (entries.length > SCAN_LIMITS.namesPerFolder) {
    content.problems.push({ path, problem: `only ${SCAN_LIMITS.namesPerFolder} names of a folder are read` });
  }
  for (const entry of entries.slice(0, SCAN_LIMITS.namesPerFolder)) {
    if (isHidden(entry.name)) continue;
    const found = { name: entry.name, absolute: `${absolute}/${entry.name}` };
    if (entry.isFile()) content.files.push(found);
    else if (entry.isDirectory()) content.folders.push(found);
    else await addSpecial(content, entry, join(path, entry.name), cardFolder);
  }
  return content;
}

/** A link counts as its target, if the target is on the card. */
async function addSpecial(content: FolderContent, entry: Dirent, path: string, cardFolder: string): Promise<void> {
  const place = entry.isSymbolicLink() ? await resolveLink(cardFolder, path) : undefined;
  if (!place) {
    content.problems.push({ path, problem: "leads to no file or folder of the card" });
    return;
  }
  const kept = place.kind === "file" ? content.files : content.folders;
  kept.push({ name: entry.name, absolute: place.absolute });
}

async function resolveLink(cardFolder: string, path: string): Promise<CardPlace | undefined> {
  try {
    return await resolvePlace(cardFolder, path);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function unreadable(path: string) {
  return (error: unknown): FolderContent => {
    if (!isFileError(error)) throw error;
    return { files: [], folders: [], problems: [{ path, problem: `cannot be read (${error.code})` }] };
  };
}

async function isEmptyFolder(path: string): Promise<boolean> {
  const folder = await opendir(path);
  try {
    return (await folder.read()) === null;
  } finally {
    await folder.close();
  }
}

function stampOne(path: string): Promise<string> {
  return stat(path).then(
    ({ ino, mtimeMs }) => `${ino}:${mtimeMs}`,
    // A folder that is no longer readable counts as a change.
    () => "gone",
  );
}

function isFileError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/** One at a time: a card that hangs must not take several threads of the pool. */
async function mapInTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
