import type { CardFile } from "./card-file.ts";
import { findNameProblem, isHidden, parseSurah, readFileName } from "./file-name.ts";
import { SURAH_NAMES } from "./surah-names.ts";

/** How much of a card is read and reported. Everything beyond these limits is counted, never dropped silently. */
export const SCAN_LIMITS = {
  folders: 1000,
  namesPerFolder: 20_000,
  files: 200_000,
  reports: 200,
  // One folder of invalid names must not hide the problems of the others.
  reportsPerFolder: 20,
} as const;

/** A name in a folder, and its real path. */
export interface FolderEntry {
  name: string;
  absolute: string;
}

/** Something on the card that is not played, and the reason. */
export interface Report {
  path: string;
  problem: string;
}

/** The content of a folder of the card: without hidden names, links resolved. */
export interface FolderContent {
  files: FolderEntry[];
  folders: FolderEntry[];
  problems: Report[];
}

/** A folder in the root of the card with at least one surah. */
export interface Reciter {
  name: string;
  path: string;
  surah_count: number;
  /** 114 places: index 0 is surah 1. */
  files: readonly (CardFile | undefined)[];
}

/** Everything that the names on a card provide. */
export interface Scan {
  reciters: ReadonlyMap<string, Reciter>;
  surah_count: number;
  reports: readonly Report[];
  reports_left_off: number;
}

export const EMPTY_SCAN: Scan = { reciters: new Map(), surah_count: 0, reports: [], reports_left_off: 0 };

// Folders that phones, computers and file systems create on a card.
const NO_RECITERS =
  /^(?:system volume information|\$recycle\.bin|recycler|lost\.dir|lost\+found|found\.\d{3}|android)$/i;

// The usual spellings; recordings of the adhan have no surah numbers.
const ADHANS = /^(?:adh?an|azh?an|athan|ezan|(?:ال)?[أاآ]ذان)s?$/i;

export function mayBeReciter(folder: string): boolean {
  return !isHidden(folder) && !NO_RECITERS.test(folder) && !ADHANS.test(folder.normalize("NFC"));
}

/** macOS writes é as two characters, other systems as one; both forms name the same reciter. */
export function normalizeReciterName(folder: string): string {
  return folder.normalize("NFC");
}

export function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

function byPath(a: Report, b: Report): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

/** Combines the folders of a card, in the order in which they are added. */
export function createScanBuilder() {
  const reciters = new Map<string, Reciter>();
  const reports: Report[] = [];
  let reports_left_off = 0;
  let surah_count = 0;
  let folderCount = 0;
  let fileCount = 0;

  function report(problems: readonly Report[]): void {
    const room = Math.min(problems.length, SCAN_LIMITS.reportsPerFolder, SCAN_LIMITS.reports - reports.length);
    reports.push(...problems.slice(0, room).sort(byPath));
    reports_left_off += problems.length - room;
  }

  function findRefusal(folder: string): string | undefined {
    if (reciters.has(normalizeReciterName(folder))) return "another folder has the same name";
    if (folderCount >= SCAN_LIMITS.folders) return `only ${SCAN_LIMITS.folders} folders are read`;
    if (fileCount >= SCAN_LIMITS.files) return `only ${SCAN_LIMITS.files} files are read`;
    return findNameProblem(folder);
  }

  return {
    /**
     * Files in the root of the card have no reciter; report those that look like surahs, because they are probably
     * misplaced.
     */
    addTop({ files, problems }: Pick<FolderContent, "files" | "problems">): void {
      const loose = files.filter(({ name }) => parseSurah(name) > 0);
      report([...problems, ...loose.map(({ name }) => ({ path: name, problem: "lies in no reciter's folder" }))]);
    },

    /** Whether a folder should be read; a refusal is reported. */
    accepts(folder: string): boolean {
      const problem = findRefusal(folder);
      if (problem !== undefined) report([{ path: folder, problem }]);
      return problem === undefined;
    },

    addFolder(path: string, content: FolderContent): void {
      folderCount += 1;
      fileCount += content.files.length;
      const { reciter, problems } = readReciter(path, content);
      report(problems);
      if (reciter.surah_count === 0) return;
      reciters.set(reciter.name, reciter);
      surah_count += reciter.surah_count;
    },

    build: (): Scan => ({ reciters, surah_count, reports, reports_left_off }),
  };
}

function readReciter(path: string, content: FolderContent): { reciter: Reciter; problems: Report[] } {
  const name = normalizeReciterName(path);
  const problems = [...content.problems];
  const candidates = SURAH_NAMES.map((): FolderEntry[] => []);
  for (const folder of content.folders) {
    problems.push({ path: `${path}/${folder.name}`, problem: "a folder inside a reciter's folder is not read" });
  }
  for (const file of content.files) {
    const read = readFileName(file.name);
    if (read.kind === "strange") problems.push({ path: `${path}/${file.name}`, problem: read.problem });
    if (read.kind === "surah") candidates[read.surah - 1]?.push(file);
  }
  const files = candidates.map((found, index): CardFile | undefined => {
    // The first file by name is played, so that the result is always the same for the same card.
    const [first, ...others] = found.sort(byName);
    if (!first) return undefined;
    const surah = index + 1;
    for (const other of others) {
      problems.push({ path: `${path}/${other.name}`, problem: `surah ${surah} is taken from ${first.name}` });
    }
    return { absolute: first.absolute, path: `${path}/${first.name}`, reciter: name, surah };
  });
  return { reciter: { name, path, files, surah_count: files.filter(Boolean).length }, problems };
}
