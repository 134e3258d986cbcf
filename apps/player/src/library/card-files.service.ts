import { extname } from "node:path";
import { createMutex } from "@kit/clock/mutex";
import type { Log } from "@kit/log";
import { invalidField } from "@kit/problem";
import { createCardFilesStore } from "./card-files.store.ts";
import type { CardMove } from "./card-move.ts";
import { foldCardName, parseCardName } from "./card-name.ts";
import { resolvePlace } from "./card-path.ts";
import { hasCode, noCard, refuseUnwritable } from "./card-writing.ts";
import { isAudio, isHidden, parseSurah } from "./file-name.ts";
import type { LibraryService } from "./library.service.ts";
import { mayBeReciter } from "./scan.ts";

export interface CardFilesServiceDeps {
  cardFolder: string;
  library: Pick<LibraryService, "hasCard" | "refresh">;
  /** Whether the file plays, is paused, or continues after an adhan. */
  isInUse: (path: string) => boolean;
  /** Called after a name on the card has changed. */
  changed: () => void;
  log: Pick<Log, "info" | "warn">;
}
export type CardFilesService = ReturnType<typeof createCardFilesService>;

/** The place of a file that is not on the card yet. */
export interface FileSlot {
  folder: string;
  /** The file name without its extension. */
  stem: string;
}

/** Puts files onto the card, renames and removes them; one change at a time. */
export function createCardFilesService(deps: CardFilesServiceDeps) {
  const { cardFolder, library, isInUse, changed, log } = deps;
  const store = createCardFilesStore(cardFolder);
  const mutex = createMutex();

  /** Checks and change belong together, so that two requests cannot both find a name free. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    return mutex("card", async () => {
      if (!library.hasCard()) throw noCard();
      return work().catch(refuseUnwritable);
    });
  }

  function announce(): void {
    library.refresh();
    changed();
  }

  /** The files that a new one in this slot would replace: of the same surah, or else of the same name. */
  async function listRivals({ folder, stem }: FileSlot): Promise<string[]> {
    const actual = await store.findFolder(folder);
    if (actual === undefined) return [];
    const surah = parseSurah(`${stem}.mp3`);
    const isRival = (name: string) =>
      surah > 0
        ? parseSurah(name) === surah
        : isAudio(name) && foldCardName(name.slice(0, -extname(name).length)) === foldCardName(stem);
    return (await store.listFiles(actual)).filter(isRival).map((name) => `${actual}/${name}`);
  }

  function refuseInUse(path: string): void {
    if (!isInUse(path)) return;
    throw invalidField("path", "the file is playing; stop it first", { code: "file_playing" });
  }

  async function refuseFolderInUse(folder: string): Promise<void> {
    for (const name of await store.listFiles(folder)) refuseInUse(`${folder}/${name}`);
  }

  async function findOwnPlace(path: string) {
    const place = await resolvePlace(cardFolder, path);
    const segments = place.path.split("/");
    const isDeep = segments.length > (place.kind === "file" ? 2 : 1);
    if (place.path === "" || isDeep || segments.some(isHidden) || !(await store.isPlain(place.path))) {
      throw invalidField("path", "must be a reciter's folder, or a file in it or in the root of the card");
    }
    return place;
  }

  async function moveFile(from: string, to: readonly string[]): Promise<string> {
    const [folder = "", name = folder] = to;
    if (to.length > 2) throw invalidField("to", "must be a file in the root of the card or in one folder");
    if (extname(name).toLowerCase() !== extname(from).toLowerCase()) {
      throw invalidField("to", `must keep the extension ${extname(from)}`, { code: "name_refused" });
    }
    refuseInUse(from);
    return to.length === 1 ? moveTo(from, name) : inFolder(folder, (actual) => moveTo(from, `${actual}/${name}`));
  }

  /** A folder that had to be created does not stay when the work fails. */
  async function inFolder(wanted: string, work: (folder: string) => Promise<string>): Promise<string> {
    const isNew = await store.createFolder(wanted).catch((error: unknown) => {
      throw hasCode(error, "EEXIST") ? occupied("name", wanted) : error;
    });
    try {
      return await work((await store.findFolder(wanted)) ?? wanted);
    } catch (error) {
      if (isNew) await store.removeEmptyFolder(wanted);
      throw error;
    }
  }

  /** Replaces one of the rivals at most: FAT may find another file by this path. */
  async function put(part: string, path: string, rivals: readonly string[]): Promise<string> {
    const holder = await store.findIdentity(path);
    const replaceable = await Promise.all(rivals.map((rival) => store.findIdentity(rival)));
    if (holder !== undefined && !replaceable.includes(holder)) throw occupied("name", path);
    await store.rename(part, path);
    return path;
  }

  async function moveFolder(from: string, to: readonly string[]): Promise<string> {
    const [name = ""] = to;
    if (to.length > 1) throw invalidField("to", "must be a folder in the root of the card");
    if (!mayBeReciter(name)) throw invalidField("to", "is not a name for a reciter", { code: "name_refused" });
    await refuseFolderInUse(from);
    return moveTo(from, name);
  }

  /** Another spelling of the same name is no second file, but a name that FAT keeps for another file is. */
  async function moveTo(from: string, to: string): Promise<string> {
    const holder = await store.findIdentity(to);
    if (holder !== undefined && holder !== (await store.findIdentity(from))) throw occupied("to", to);
    await store.rename(from, to);
    return to;
  }

  return {
    /** The files that are in this place already. */
    findRivals: (slot: FileSlot): Promise<string[]> => inTurn(() => listRivals(slot)),

    /** Moves a finished file of the card into its place. Returns its path. */
    place: (part: string, slot: FileSlot, extension: string, isReplacing: boolean): Promise<string> =>
      inTurn(async () => {
        const rivals = await listRivals(slot);
        const [first] = rivals;
        if (first !== undefined && !isReplacing) throw occupied("name", first);
        for (const rival of rivals) refuseInUse(rival);
        const path = await inFolder(slot.folder, (folder) => put(part, `${folder}/${slot.stem}${extension}`, rivals));
        for (const rival of rivals) if (foldCardName(rival) !== foldCardName(path)) await store.removeFile(rival);
        log.info({ path }, "file added to the card");
        announce();
        return path;
      }),

    rename: (path: string, to: string): Promise<CardMove> =>
      inTurn(async () => {
        const place = await findOwnPlace(path);
        const segments = to.split("/").map((segment) => parseCardName("to", segment));
        const move = place.kind === "file" ? moveFile : moveFolder;
        const moved = { kind: place.kind, from: place.path, to: await move(place.path, segments) };
        log.info(moved, "file of the card renamed");
        announce();
        return moved;
      }),

    remove: (path: string): Promise<void> =>
      inTurn(async () => {
        const place = await findOwnPlace(path);
        if (place.kind === "file") {
          refuseInUse(place.path);
          await store.removeFile(place.path);
        } else {
          await refuseFolderInUse(place.path);
          await store.removeFolder(place.path);
        }
        log.info({ path: place.path }, "file of the card removed");
        announce();
      }),
  };
}

function occupied(field: string, path: string) {
  return invalidField(field, `'${path}' is on the card already`, { code: "file_exists" });
}
