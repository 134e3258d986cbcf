import type { Clock } from "@kit/clock";
import { createMutex } from "@kit/clock/mutex";
import type { Log } from "@kit/log";
import { invalidField, notFound } from "@kit/problem";
import type { Events } from "../events.ts";
import type { CardFile } from "./card-file.ts";
import { createCardGate } from "./card-gate.ts";
import { type CardSnapshot, watchCard } from "./card-mount.ts";
import { pathOnCard, refuseUnreadable, resolveFile, resolveFolder } from "./card-path.ts";
import { noCard } from "./card-writing.ts";
import { findNameProblem, isAudio, parseSurah } from "./file-name.ts";
import type { FilesBody, RecitersBody, SurahsBody } from "./library.schema.ts";
import { createLibraryStore, type LibraryStoreDeps } from "./library.store.ts";
import { byName, EMPTY_SCAN, type FolderEntry, mayBeReciter, normalizeReciterName, type Reciter } from "./scan.ts";
import { SURAH_NAMES, SURAH_NAMES_AR } from "./surah-names.ts";

export interface LibraryServiceDeps extends LibraryStoreDeps {
  /** The files that a setting, a card or a schedule names: they need no surah number. */
  usedFiles: () => ReadonlySet<string>;
  clock: Pick<Clock, "now" | "sleep">;
  events: Pick<Events, "emit">;
  log: Log;
}
export type LibraryService = ReturnType<typeof createLibraryService>;

const MAX_LISTED = 1000;
/** An adhan waits for its file, so this is short. */
const LOOK_UP_TIMEOUT_MS = 2000;
/** A slow card needs seconds for a thousand sizes. */
const LISTING_TIMEOUT_MS = 10_000;

export function createLibraryService(deps: LibraryServiceDeps) {
  const { cardFolder, usedFiles, clock, events, log } = deps;
  const store = createLibraryStore(deps);
  // With the watcher, three threads at most wait for a card that hangs; the pool of the process has four.
  const lookUps = createCardGate({ clock, maxWaitMs: LOOK_UP_TIMEOUT_MS });
  const listings = createCardGate({ clock, maxWaitMs: LISTING_TIMEOUT_MS });
  const closing = new AbortController();
  const listeners = new Set<(change: "inserted" | "pulled") => void>();
  let watching: Promise<void> | undefined;
  let measuring = { stop: new AbortController(), done: Promise.resolve() };
  let hasCard = false;
  let isScanning = false;
  let scan = EMPTY_SCAN;
  let scanned_at: number | null = null;
  let sizes: ReadonlyMap<string, number> = new Map();
  /** Changes with every card, so that a scan of a former card is dropped. */
  let cardCount = 0;
  const mutex = createMutex();
  let isRefreshQueued = false;

  function emitChange(): void {
    const { reciters, surah_count } = scan;
    events.emit("library", { card: hasCard, scanning: isScanning, reciters: reciters.size, surahs: surah_count });
  }

  function notifyListeners(change: "inserted" | "pulled"): void {
    log.info({ change }, "memory card");
    for (const listener of listeners) listener(change);
  }

  function pulled(): void {
    measuring.stop.abort();
    cardCount += 1;
    hasCard = false;
    scan = EMPTY_SCAN;
    scanned_at = null;
    sizes = new Map();
    emitChange();
    notifyListeners("pulled");
  }

  function inserted(): void {
    cardCount += 1;
    hasCard = true;
    notifyListeners("inserted");
  }

  /** One scan after the other: a later one has seen more. */
  const read = () => mutex("card", scanCard);

  async function scanCard(): Promise<CardSnapshot> {
    const card = cardCount;
    // A scan that begins now finds every change until now.
    isRefreshQueued = false;
    if (!hasCard) throw noCard();
    measuring.stop.abort();
    isScanning = true;
    emitChange();
    try {
      const seen = await store.scan(closing.signal);
      if (card !== cardCount) return seen.snapshot;
      scan = seen.scan;
      scanned_at = Math.floor(clock.now().getTime() / 1000);
      measureLater();
      return seen.snapshot;
    } finally {
      isScanning = false;
      emitChange();
    }
  }

  /** Measuring sizes needs one stat per file, so it runs after the names are known, in the background. */
  function measureLater(): void {
    const stop = new AbortController();
    const done = measure(stop.signal).catch((err: unknown) => log.warn({ err }, "measuring file sizes failed"));
    measuring = { stop, done };
  }

  async function measure(signal: AbortSignal): Promise<void> {
    const measured = new Map<string, number>();
    for (const { name, files } of scan.reciters.values()) {
      const bytes = await listings.runInBackground(() => store.readSizes(files.filter((file) => file !== undefined)));
      if (signal.aborted) return;
      measured.set(
        name,
        bytes.reduce((sum, size) => sum + size, 0),
      );
    }
    sizes = measured;
    emitChange();
  }

  function findReciter(name: string): Reciter | undefined {
    return scan.reciters.get(normalizeReciterName(name));
  }

  /** The path determines the owner, also before the card is scanned; a file without a number needs a known reciter. */
  function findOwner(path: string): Pick<CardFile, "reciter" | "surah"> {
    const [folder = "", ...below] = path.split("/");
    const surah = parseSurah(below.at(-1) ?? folder);
    const isReciter = below.length === 1 && (findReciter(folder) !== undefined || (surah > 0 && mayBeReciter(folder)));
    return { reciter: isReciter ? normalizeReciterName(folder) : "", surah };
  }

  async function listFiles(path: string): Promise<FilesBody> {
    const place = await resolveFolder(cardFolder, path);
    const { folders, files } = await store.list(place).catch(refuseUnreadable);
    const toCardPath = ({ name }: FolderEntry) => (place.path === "" ? name : `${place.path}/${name}`);
    // The route needs no token, so what is not audio stays private.
    const audio = files.filter(({ name }) => isAudio(name));
    const listedFolders = listable(folders).slice(0, MAX_LISTED);
    const listedFiles = listable(audio).slice(0, MAX_LISTED - listedFolders.length);
    const bytes = await store.readSizes(listedFiles);
    return {
      path: place.path,
      folders: listedFolders.map((folder) => ({ name: folder.name, path: toCardPath(folder) })),
      files: listedFiles.map((file, index) => ({
        name: file.name,
        path: toCardPath(file),
        bytes: bytes[index] ?? 0,
        surah: parseSurah(file.name),
      })),
      left_off: folders.length + audio.length - listedFolders.length - listedFiles.length,
    };
  }

  return {
    /** Starts to watch for cards. The first card is read in the background. */
    start(): void {
      watching ??= watchCard({ mount: store, listener: { pulled, inserted, read }, clock, log }, closing.signal);
    },

    async close(): Promise<void> {
      closing.abort();
      measuring.stop.abort();
      await watching;
      await mutex("card", async () => undefined);
      await measuring.done;
    },

    reciters(): RecitersBody {
      const reciters = [...scan.reciters.values()].map(({ name, path, surah_count }) => ({
        name,
        path,
        surah_count,
        complete: surah_count === SURAH_NAMES.length,
        bytes: sizes.get(name) ?? 0,
      }));
      const { reports_left_off } = scan;
      const used = scan.reports.length > 0 ? usedFiles() : undefined;
      const reports = scan.reports.filter(({ path }) => !used?.has(path));
      return { reciters, scanning: isScanning, scanned_at, reports, reports_left_off };
    },

    surahs(reciter: string): SurahsBody {
      const found = findReciter(reciter);
      if (!found) throw notFound("reciter", reciter);
      return {
        reciter: found.name,
        count: found.surah_count,
        available: found.files.map((file) => file !== undefined),
        names: [...SURAH_NAMES],
        names_ar: [...SURAH_NAMES_AR],
        paths: found.files.map((file) => file?.path ?? null),
      };
    },

    /** The folders and the audio files of one folder of the card; the root of the card without a path. */
    files: (path = ""): Promise<FilesBody> => listings.run(() => listFiles(path)),

    /** Resolves an external path to a file. Refuses anything that is not an audio file inside the card, before opening it. */
    async resolve(path: string): Promise<CardFile> {
      const place = await lookUps.run(() => resolveFile(cardFolder, path));
      if (!isAudio(place.path)) throw invalidField("path", "must be an audio file", { code: "no_audio" });
      return { absolute: place.absolute, path: place.path, ...findOwner(place.path) };
    },

    /** The path for clients; the file need not exist. */
    toCardPath: (path: string): Promise<string> => lookUps.run(() => pathOnCard(cardFolder, path)),

    find: (reciter: string, surah: number): CardFile | undefined => findReciter(reciter)?.files[surah - 1],

    /** 114 places: index 0 is surah 1. */
    available: (reciter: string): readonly boolean[] | undefined =>
      findReciter(reciter)?.files.map((file) => file !== undefined),

    hasCard: (): boolean => hasCard,

    /** Reads the names in the background, because the service itself has changed one. */
    refresh(): void {
      if (isRefreshQueued || !hasCard) return;
      isRefreshQueued = true;
      void read().catch((err: unknown) => {
        if (!closing.signal.aborted) log.warn({ err }, "reading the card failed");
      });
    },

    /** Returns the function that stops listening. */
    onCard(listener: (change: "inserted" | "pulled") => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Names that clients cannot request are not listed. */
function listable(found: readonly FolderEntry[]): FolderEntry[] {
  return found.filter(({ name }) => findNameProblem(name) === undefined).sort(byName);
}
