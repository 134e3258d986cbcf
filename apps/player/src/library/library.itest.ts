import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents } from "../events.ts";
import { libraryRoutes } from "./library.routes.ts";
import type { LibraryChange } from "./library.schema.ts";
import { createLibraryService, type LibraryService } from "./library.service.ts";

let base: string;
const started: LibraryService[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "library-"));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((library) => library.close()));
  await rm(base, { recursive: true });
});

/** A card in the base folder; the length of each file is the length of its name. */
async function createCard(name: string, files: readonly string[]): Promise<string> {
  for (const file of files) {
    const path = join(base, name, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.slice(file.lastIndexOf("/") + 1));
  }
  return join(base, name);
}

const surahs = (reciter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${reciter}/${String(index + 1).padStart(3, "0")}.mp3`);

async function createTestLibrary(cardFolder: string, { mountsCard = true } = {}) {
  const clock = createFakeClock(new Date("2026-03-01T00:00:00Z"));
  const events = createEvents();
  const changes: LibraryChange[] = [];
  events.onEvent(({ data }) => "scanning" in data && changes.push(data));
  const used = new Set<string>();
  const library = createLibraryService({
    cardFolder,
    mountsCard,
    usedFiles: () => used,
    clock,
    events,
    log: silentLog,
  });
  started.push(library);
  const cards: string[] = [];
  library.onCard((change) => cards.push(change));
  const app = createTestFrame();
  await app.register(libraryRoutes(library));
  /** Advances the clock, and lets the disk work, until the condition holds. */
  async function until(isSo: () => boolean): Promise<void> {
    for (let polls = 0; !isSo(); polls += 1) {
      if (polls > 1000) throw new Error(`did not become so; last change ${JSON.stringify(changes.at(-1))}`);
      await clock.advance(2000);
      await wait(2);
    }
  }
  const get = async (url: string) => {
    const answered = await app.inject(url);
    return { status: answered.statusCode, body: answered.json() };
  };
  const isScanned = () => library.reciters().scanned_at !== null && !library.reciters().scanning;
  return { library, get, until, isScanned, changes, cards, clock, used };
}

async function createScannedLibrary(cardFolder: string) {
  const created = await createTestLibrary(cardFolder);
  created.library.start();
  await created.until(created.isScanned);
  return created;
}

describe("GET /library/reciters", () => {
  it("returns the folders with surahs, with completeness and size", async () => {
    const card = await createCard("card", [
      ...surahs("Husary", 114),
      "Alafasy/001.mp3",
      "Alafasy/cover.jpg",
      "Photos/a.jpg",
      "System Volume Information/001.mp3",
      ".Trashes/001.mp3",
      "adhan.mp3",
    ]);
    const { get, until, library } = await createScannedLibrary(card);
    await until(() => library.reciters().reciters.every(({ bytes }) => bytes > 0));
    expect(await get("/library/reciters")).toEqual({
      status: 200,
      body: {
        reciters: [
          { name: "Alafasy", path: "Alafasy", surah_count: 1, complete: false, bytes: 7 },
          { name: "Husary", path: "Husary", surah_count: 114, complete: true, bytes: 114 * 7 },
        ],
        scanning: false,
        scanned_at: expect.toSatisfy((at) => Number.isInteger(at) && at >= Date.parse("2026-03-01T00:00:00Z") / 1000),
        reports: [],
        reports_left_off: 0,
      },
    });
  });

  it("answers before the first scan, and without a card", async () => {
    const { get, library, until, clock } = await createTestLibrary(join(base, "nowhere"));
    const nothing = { reciters: [], scanning: false, scanned_at: null, reports: [], reports_left_off: 0 };
    expect(await get("/library/reciters")).toEqual({ status: 200, body: nothing });
    library.start();
    await until(() => clock.monotonicMs() >= 10_000);
    expect(await get("/library/reciters")).toEqual({ status: 200, body: nothing });
    expect(library.hasCard()).toBe(false);
  });

  it("reports problems on the card, and links that leave it", async () => {
    const card = await createCard("card", [
      "Husary/001.mp3",
      "Husary/001 copy.mp3",
      "Husary/._001.mp3",
      "Husary/115.mp3",
      "Husary/001001.mp3",
      "Husary/bonus.mp3",
      "Husary/two\nlines.mp3",
      "Husary/Disc 2/002.mp3",
      "003.mp3",
    ]);
    await writeFile(Buffer.concat([Buffer.from(`${card}/Husary/004`), Buffer.from([0xff]), Buffer.from(".mp3")]), "");
    await createCard("elsewhere", ["001.mp3"]);
    await symlink(join(base, "elsewhere"), join(card, "Stranger"));
    await symlink(join(base, "elsewhere", "001.mp3"), join(card, "Husary", "005.mp3"));
    await symlink("001.mp3", join(card, "Husary", "006.mp3"));
    const server = createServer();
    await once(server.listen(join(card, "Husary", "007.mp3")), "listening");
    const { library } = await createScannedLibrary(card);
    await once(server.close(), "close");
    const { reciters, reports } = library.reciters();
    expect(reciters.map(({ name, surah_count }) => [name, surah_count])).toEqual([["Husary", 2]]);
    expect(library.find("Husary", 6)?.absolute).toBe(join(card, "Husary", "001.mp3"));
    expect(reports).toEqual([
      { path: "003.mp3", problem: "lies in no reciter's folder" },
      { path: "Stranger", problem: "leads to no file or folder of the card" },
      { path: "Husary/001.mp3", problem: "surah 1 is taken from 001 copy.mp3" },
      { path: "Husary/001001.mp3", problem: "six digits are a verse, not a whole surah" },
      { path: "Husary/004\uFFFD.mp3", problem: "the name is not valid UTF-8" },
      { path: "Husary/005.mp3", problem: "leads to no file or folder of the card" },
      { path: "Husary/007.mp3", problem: "leads to no file or folder of the card" },
      { path: "Husary/115.mp3", problem: "115 is not a surah's number, 1 to 114" },
      { path: "Husary/Disc 2", problem: "a folder inside a reciter's folder is not read" },
      { path: "Husary/bonus.mp3", problem: "the name does not begin with a surah's number" },
      { path: "Husary/two\nlines.mp3", problem: "the name has control characters or a backslash" },
    ]);
  });
});

it("reports no recording of the adhan, and no file that something plays", async () => {
  const card = await createCard("card", [
    "Adhan/makkah.mp3",
    "أذان/الحرم.mp3",
    "Husary/takbir.mp3",
    "Husary/bonus.mp3",
    "Husary/001.mp3",
  ]);
  const { library, used } = await createScannedLibrary(card);
  used.add("Husary/takbir.mp3");
  expect(library.reciters().reports.map(({ path }) => path)).toEqual(["Husary/bonus.mp3"]);
  expect(library.reciters().reciters.map(({ name }) => name)).toEqual(["Husary"]);
});

it("reports an unreadable folder, refuses to list it, and reads the others", async () => {
  const card = await createCard("card", ["Closed/001.mp3", "Husary/001.mp3"]);
  await chmod(base, 0o755);
  await chmod(join(card, "Closed"), 0o000);
  // Root may read everything, so a test that runs as root switches to another user for a moment.
  const isSuperUser = process.geteuid?.() === 0;
  if (isSuperUser) process.seteuid?.(65_534);
  try {
    const { library, get } = await createScannedLibrary(card);
    expect(library.reciters().reciters.map(({ name }) => name)).toEqual(["Husary"]);
    expect(library.reciters().reports).toEqual([{ path: "Closed", problem: "cannot be read (EACCES)" }]);
    const error = "path: there is no such file or folder on the card";
    expect(await get("/library/files?path=Closed")).toEqual({ status: 400, body: { error } });
  } finally {
    if (isSuperUser) process.seteuid?.(0);
    await chmod(join(card, "Closed"), 0o700);
  }
});

describe("GET /library/surahs", () => {
  it("returns 114 places with names in both scripts and the paths of available files", async () => {
    const { get, library } = await createScannedLibrary(await createCard("card", ["Husary/001.mp3", "Husary/114.mp3"]));
    const { status, body } = await get("/library/surahs?reciter=Husary");
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["reciter", "count", "available", "names", "names_ar", "paths"]);
    expect(body).toMatchObject({ reciter: "Husary", count: 2 });
    for (const list of [body.available, body.names, body.names_ar, body.paths]) expect(list).toHaveLength(114);
    expect([body.available[0], body.available[1], body.available[113]]).toEqual([true, false, true]);
    expect([body.paths[0], body.paths[1], body.paths[113]]).toEqual(["Husary/001.mp3", null, "Husary/114.mp3"]);
    expect([body.names[35], body.names_ar[113]]).toEqual(["Ya-Sin", "الناس"]);
    expect(library.available("Husary")).toEqual(body.available);
    expect(library.available("Unknown")).toBeUndefined();
  });

  it.each([
    ["/library/surahs", 400, "reciter: is required"],
    ["/library/surahs?reciter=", 400, "reciter: must be a text of 1 to 1024 characters"],
    ["/library/surahs?reciter=a&reciter=b", 400, "reciter: must be a text of 1 to 1024 characters"],
    ["/library/surahs?reciter=Unknown", 404, "reciter 'Unknown' does not exist"],
    ["/library/surahs?reciter=Photos", 404, "reciter 'Photos' does not exist"],
    ["/library/surahs?reciter=__proto__", 404, "reciter '__proto__' does not exist"],
  ])("refuses %s with %i", async (url, status, error) => {
    const { get } = await createScannedLibrary(await createCard("card", ["Husary/001.mp3", "Photos/a.jpg"]));
    expect(await get(url)).toEqual({ status, body: { error } });
  });

  it.each([
    ["an Arabic name", "محمود خليل الحصري", "محمود خليل الحصري"],
    ["a composed name on the card, asked decomposed", "أحمد العجمي".normalize("NFC"), "أحمد العجمي".normalize("NFD")],
    [
      "a decomposed name as macOS writes it, asked composed",
      "أحمد العجمي".normalize("NFD"),
      "أحمد العجمي".normalize("NFC"),
    ],
  ])("finds %s", async (_case, folder, asked) => {
    const { get, library } = await createScannedLibrary(await createCard("card", [`${folder}/001.mp3`]));
    const { status, body } = await get(`/library/surahs?reciter=${encodeURIComponent(asked)}`);
    expect(status).toBe(200);
    expect(body.reciter).toBe(folder.normalize("NFC"));
    const found = library.find(asked, 1);
    expect(found?.path).toBe(body.paths[0]);
    expect(await library.resolve(body.paths[0])).toEqual(found);
  });
});

describe("GET /library/files", () => {
  it("lists a folder of the card: folders, then audio files, without hidden names and names that clients cannot request", async () => {
    const files = [
      "adhan/fajr.mp3",
      "Husary/001.mp3",
      "Husary/002 Al-Baqarah.mp3",
      "Husary/notes.txt",
      "Husary/.x",
      "Husary/two\nlines.mp3",
      "a.mp3",
    ];
    const card = await createCard("card", files);
    await symlink(base, join(card, "Husary", "out"));
    await symlink("../adhan", join(card, "Husary", "in"));
    const { get } = await createScannedLibrary(card);
    const top = {
      path: "",
      folders: [
        { name: "Husary", path: "Husary" },
        { name: "adhan", path: "adhan" },
      ],
      files: [{ name: "a.mp3", path: "a.mp3", bytes: 5, surah: 0 }],
      left_off: 0,
    };
    expect(await get("/library/files")).toEqual({ status: 200, body: top });
    expect(await get("/library/files?path=")).toEqual({ status: 200, body: top });
    expect(await get(`/library/files?path=${encodeURIComponent(join(card, "Husary"))}`)).toEqual({
      status: 200,
      body: {
        path: "Husary",
        folders: [{ name: "in", path: "Husary/in" }],
        files: [
          { name: "001.mp3", path: "Husary/001.mp3", bytes: 7, surah: 1 },
          { name: "002 Al-Baqarah.mp3", path: "Husary/002 Al-Baqarah.mp3", bytes: 18, surah: 2 },
        ],
        left_off: 1,
      },
    });
  });

  it("lists at most 1,000 entries and returns how many more there are", async () => {
    const files = Array.from({ length: 1005 }, (_, index) => `many/${String(index).padStart(4, "0")}.mp3`);
    const { get } = await createScannedLibrary(await createCard("card", [...files, "many/folder/a.mp3"]));
    const { body } = await get("/library/files?path=many");
    expect(body.folders).toHaveLength(1);
    expect(body.files).toHaveLength(999);
    expect(body.files.at(-1).name).toBe("0998.mp3");
    expect(body.left_off).toBe(6);
  });

  it.each([
    ["..", "path: must lie inside the card"],
    ["Husary/../..", "path: must lie inside the card"],
    ["/etc", "path: must lie inside the card"],
    ["Husary/001.mp3", "path: is a file, not a folder"],
    ["Unknown", "path: there is no such file or folder on the card"],
    ["%2e%2e", "path: there is no such file or folder on the card"],
    ["out", "path: there is no such file or folder on the card"],
    ["Husary\0", "path: contains a character that cannot be stored"],
  ])("refuses %j", async (path, error) => {
    const card = await createCard("card", ["Husary/001.mp3"]);
    await symlink(base, join(card, "out"));
    const { get } = await createTestLibrary(card);
    expect(await get(`/library/files?path=${encodeURIComponent(path)}`)).toEqual({ status: 400, body: { error } });
  });
});

describe("a file by its path", () => {
  it.each([
    ["Husary/001.mp3", { path: "Husary/001.mp3", reciter: "Husary", surah: 1 }],
    ["Husary/bonus.mp3", { path: "Husary/bonus.mp3", reciter: "Husary", surah: 0 }],
    ["Husary/deep/002.mp3", { path: "Husary/deep/002.mp3", reciter: "", surah: 2 }],
    ["adhan/fajr.mp3", { path: "adhan/fajr.mp3", reciter: "", surah: 0 }],
    ["adhan.mp3", { path: "adhan.mp3", reciter: "", surah: 0 }],
    [".hidden/001.mp3", { path: ".hidden/001.mp3", reciter: "", surah: 1 }],
  ])("finds the owner of %s", async (path, expected) => {
    const files = ["Husary/001.mp3", "Husary/bonus.mp3", "Husary/deep/002.mp3", "adhan/fajr.mp3", "adhan.mp3"];
    const card = await createCard("card", [...files, ".hidden/001.mp3"]);
    const { library } = await createScannedLibrary(card);
    expect(await library.resolve(path)).toEqual({ absolute: join(card, path), ...expected });
  });

  it.each(["note.txt", "Husary/cover.jpg", "mp3"])("is refused when %s is no audio", async (path) => {
    const { library } = await createTestLibrary(await createCard("card", [path]));
    await expect(library.resolve(path)).rejects.toMatchObject({
      code: "no_audio",
      message: "path: must be an audio file",
    });
  });

  it("a file by its path is known before the card is scanned", async () => {
    const { library } = await createTestLibrary(await createCard("card", ["Husary/001.mp3"]));
    expect(await library.resolve("Husary/001.mp3")).toMatchObject({ reciter: "Husary", surah: 1 });
  });
});

describe("a card that is inserted and removed", () => {
  it("is reported when it is removed, and the next one is scanned automatically", async () => {
    const card = await createCard("card", surahs("Husary", 3));
    await createCard("next", [...surahs("Alafasy", 2), "Minshawi/001.mp3"]);
    const { library, until, isScanned, changes, cards, get } = await createScannedLibrary(card);
    expect(changes.slice(0, 2)).toEqual([
      { card: true, scanning: true, reciters: 0, surahs: 0 },
      { card: true, scanning: false, reciters: 1, surahs: 3 },
    ]);
    await rename(card, join(base, "pulled"));
    await until(() => cards.includes("pulled"));
    expect(library.hasCard()).toBe(false);
    expect(changes.at(-1)).toEqual({ card: false, scanning: false, reciters: 0, surahs: 0 });
    expect(library.find("Husary", 1)).toBeUndefined();
    expect((await get("/library/reciters")).body).toMatchObject({ reciters: [], scanned_at: null });
    expect((await get("/library/surahs?reciter=Husary")).status).toBe(404);
    expect((await get("/library/files")).body).toEqual({ error: "path: no card is in" });
    await expect(library.resolve("Husary/001.mp3")).rejects.toThrow("path: no card is in");

    await rename(join(base, "next"), card);
    await until(isScanned);
    expect(cards).toEqual(["inserted", "pulled", "inserted"]);
    expect(changes).toContainEqual({ card: true, scanning: false, reciters: 2, surahs: 3 });
    expect(library.find("Alafasy", 2)?.path).toBe("Alafasy/002.mp3");
  });

  it("is reported when it was replaced between two polls", async () => {
    const card = await createCard("card", surahs("Husary", 3));
    await createCard("next", surahs("Alafasy", 2));
    const { library, until, cards } = await createScannedLibrary(card);
    await rename(card, join(base, "pulled"));
    await rename(join(base, "next"), card);
    await until(() => library.find("Alafasy", 1) !== undefined);
    expect(cards).toEqual(["inserted", "pulled", "inserted"]);
    expect(library.find("Husary", 1)).toBeUndefined();
  });

  it("that is empty is a card like any other where no card is mounted", async () => {
    const card = join(base, "card");
    await mkdir(card);
    const { library, until, isScanned } = await createTestLibrary(card, { mountsCard: false });
    library.start();
    await until(isScanned);
    expect([library.hasCard(), library.reciters().reciters]).toEqual([true, []]);
    await rm(card, { recursive: true });
    await until(() => !library.hasCard());
    expect(library.reciters().scanned_at).toBeNull();
  });

  it("is absent as long as its mount point is an empty folder", async () => {
    const card = join(base, "card");
    await mkdir(card);
    const { library, until, cards, clock } = await createTestLibrary(card);
    library.start();
    await until(() => clock.monotonicMs() >= 10_000);
    expect(library.hasCard()).toBe(false);
    await createCard("card", ["Husary/001.mp3"]);
    await until(() => library.hasCard());
    expect(cards).toEqual(["inserted"]);
  });

  it.each([
    ["a new reciter", "Alafasy/001.mp3", "Alafasy", 1],
    ["a new file of a reciter", "Husary/003.mp3", "Husary", 3],
    ["the first surah of a folder", "Empty/001.mp3", "Empty", 1],
  ])("is read again after %s was copied to it, and stays the same card", async (_case, file, reciter, surah) => {
    const card = await createCard("card", [...surahs("Husary", 2), "Empty/readme.txt"]);
    const { library, until, cards } = await createScannedLibrary(card);
    await createCard("card", [file]);
    await until(() => library.find(reciter, surah) !== undefined);
    await rm(join(card, file));
    await until(() => library.find(reciter, surah) === undefined);
    expect(cards).toEqual(["inserted"]);
    expect(library.find("Husary", 1)).toBeDefined();
  });

  it("is no longer watched after close, which may be called twice, like start", async () => {
    const card = await createCard("card", surahs("Husary", 1));
    const { library, cards, clock } = await createScannedLibrary(card);
    library.start();
    await library.close();
    await library.close();
    await rename(card, join(base, "pulled"));
    await clock.advance(10_000);
    expect(cards).toEqual(["inserted"]);
  });
});
