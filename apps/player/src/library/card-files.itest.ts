import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents } from "../events.ts";
import { cardFilesRoutes } from "./card-files.routes.ts";
import { createCardFilesService } from "./card-files.service.ts";
import type { CardMove } from "./card-move.ts";
import { createLibraryService } from "./library.service.ts";

let base: string;
let card: string;
let closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "card-files-"));
  card = join(base, "card");
  for (const path of ["Husary/036.mp3", "Husary/037.mp3", "Minshawi/036.mp3", "Adhan/makkah.mp3", "Deep/in/1.mp3"]) {
    await mkdir(join(card, path, ".."), { recursive: true });
    await writeFile(join(card, path), path);
  }
  await writeFile(join(base, "secret.mp3"), "secret");
});
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
  await rm(base, { recursive: true });
});

async function start(isInUse: (path: string) => boolean = () => false) {
  const moves: CardMove[] = [];
  const library = createLibraryService({
    cardFolder: card,
    mountsCard: false,
    usedFiles: () => new Set(),
    clock: createClock(),
    events: createEvents(),
    log: silentLog,
  });
  closing.push(() => library.close());
  const cardFiles = createCardFilesService({
    cardFolder: card,
    library,
    isInUse,
    changed: () => undefined,
    log: silentLog,
  });
  const app = createTestFrame();
  await app.register(
    cardFilesRoutes(cardFiles, async (move) => {
      moves.push(move);
      return { not_followed: [] };
    }),
  );
  library.start();
  await expect.poll(() => library.reciters().scanned_at).not.toBeNull();
  const answer = (response: Awaited<ReturnType<typeof app.inject>>) => ({
    status: response.statusCode,
    code: response.headers["problem-code"],
    field: response.headers["problem-field"],
    body: response.json(),
  });
  return {
    library,
    moves,
    rename: async (path: string, to: string) =>
      answer(await app.inject({ method: "POST", url: "/library/files/rename", payload: { path, to } })),
    remove: async (path: string) =>
      answer(await app.inject({ method: "DELETE", url: `/library/files?path=${encodeURIComponent(path)}` })),
  };
}

const listCard = async () => (await readdir(card, { recursive: true })).toSorted();

describe("POST /library/files/rename", () => {
  it("moves a file to another surah and another reciter, and the library follows", async () => {
    const { rename, moves, library } = await start();
    expect(await rename("Husary/037.mp3", "Mahmoud Al-Husary/038.mp3")).toMatchObject({
      status: 200,
      body: { success: true, path: "Mahmoud Al-Husary/038.mp3", not_followed: [] },
    });
    expect(moves).toEqual([{ kind: "file", from: "Husary/037.mp3", to: "Mahmoud Al-Husary/038.mp3" }]);
    await expect.poll(() => library.find("Mahmoud Al-Husary", 38)?.path, { timeout: 1500 }).toBeDefined();
    expect(library.find("Husary", 37)).toBeUndefined();
  });

  it("renames a reciter, also to another spelling of the same name", async () => {
    const { rename, moves } = await start();
    expect((await rename("Husary", "HUSARY")).status).toBe(200);
    expect((await rename("HUSARY", "Mahmoud Al-Husary")).status).toBe(200);
    expect(moves.at(-1)).toEqual({ kind: "folder", from: "HUSARY", to: "Mahmoud Al-Husary" });
    expect(await listCard()).toContain("Mahmoud Al-Husary/036.mp3");
  });

  it.each([
    ["Husary/036.mp3", "Minshawi/036.mp3", "to", "file_exists"],
    ["Husary", "Minshawi", "to", "file_exists"],
    ["Husary/036.mp3", "Husary/036.flac", "to", "name_refused"],
    ["Husary/036.mp3", "../036.mp3", "to", "name_refused"],
    ["Husary/036.mp3", "/etc/036.mp3", "to", "name_refused"],
    ["Husary/036.mp3", "Husary/con.mp3", "to", "name_refused"],
    ["Husary/036.mp3", "a/b/036.mp3", "to", undefined],
    ["Husary", "a/b", "to", undefined],
    ["Husary", "Android", "to", "name_refused"],
    ["Husary", ".hidden", "to", "name_refused"],
    ["Deep/in/1.mp3", "Deep/1.mp3", "path", undefined],
    ["../secret.mp3", "Husary/001.mp3", "path", undefined],
    ["Husary/099.mp3", "Husary/001.mp3", "path", "file_missing"],
  ])("refuses %s to %s and names the field %s", async (path, to, field, code) => {
    const { rename } = await start();
    const before = await listCard();
    expect(await rename(path, to)).toMatchObject({ status: 400, field, code });
    expect(await listCard()).toEqual(before);
  });

  it("does not follow a link to another place", async () => {
    await symlink("../secret.mp3", join(card, "Husary", "001.mp3"));
    await symlink("036.mp3", join(card, "Husary", "002.mp3"));
    const { rename, remove } = await start();
    for (const path of ["Husary/001.mp3", "Husary/002.mp3"]) {
      expect((await rename(path, "Husary/003.mp3")).status).toBe(400);
      expect((await remove(path)).status).toBe(400);
    }
    expect(await readdir(base)).toEqual(["card", "secret.mp3"]);
  });
});

describe("DELETE /library/files", () => {
  it("removes a file, and a reciter with everything in the folder", async () => {
    const { remove, library } = await start();
    expect((await remove("Husary/036.mp3")).status).toBe(200);
    expect((await remove("Minshawi")).status).toBe(200);
    await expect.poll(() => library.reciters().reciters.map(({ name }) => name), { timeout: 1500 }).toEqual(["Husary"]);
    expect(await listCard()).not.toContain("Minshawi");
  });

  it.each(["", "..", "../secret.mp3", "Deep/in", "Husary/099.mp3", ".", "Husary/../.."])("refuses %j", async (path) => {
    const { remove } = await start();
    const before = await listCard();
    expect((await remove(path)).status).toBe(400);
    expect(await listCard()).toEqual(before);
    expect(await readdir(base)).toEqual(["card", "secret.mp3"]);
  });
});

it("leaves the file that plays alone, and the folder that holds it", async () => {
  const { rename, remove } = await start((path) => path === "Husary/036.mp3");
  const before = await listCard();
  for (const path of ["Husary/036.mp3", "Husary"]) {
    expect(await remove(path)).toMatchObject({ status: 400, code: "file_playing", field: "path" });
  }
  expect(await rename("Husary/036.mp3", "Husary/038.mp3")).toMatchObject({ status: 400, code: "file_playing" });
  expect(await rename("Husary", "Mahmoud")).toMatchObject({ status: 400, code: "file_playing" });
  expect(await listCard()).toEqual(before);
  expect((await remove("Husary/037.mp3")).status).toBe(200);
});

it("reports a missing card in plain words", async () => {
  const { rename, remove, library } = await start();
  await rm(card, { recursive: true });
  await expect.poll(() => library.hasCard()).toBe(false);
  expect(await rename("Husary", "Mahmoud")).toMatchObject({ status: 500, code: "card_missing", field: "card" });
  expect(await remove("Husary")).toMatchObject({ status: 500, code: "card_missing", field: "card" });
  await mkdir(card);
});
