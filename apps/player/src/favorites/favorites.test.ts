import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { invalidField } from "@kit/problem";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { openDatabase } from "../storage/database.ts";
import { favoritesRoutes } from "./favorites.routes.ts";
import { createFavoritesService } from "./favorites.service.ts";
import { createFavoritesStore } from "./favorites.store.ts";

// 2026-01-01T00:00:00Z
const NEW_YEAR = 1_767_225_600;
const SURAH = { type: "surah", reciter: "Husary", surah: 2 } as const;
const STREAM = { type: "stream", url: "http://radio.example/live", name: "Radio" } as const;

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "favorites-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = createFakeClock();
  const { database } = openDatabase(folder, clock);
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const world = { card: new Set(["Husary 2"]), refused: new Set<string>() };
  const favorites = createFavoritesService({
    store: createFavoritesStore(database),
    events,
    clock,
    isAvailable: (reciter, surah) => world.card.has(`${reciter} ${surah}`),
    checkUrl: async (field, url) => {
      if (world.refused.has(url)) throw invalidField(field, "must not lead into the local network");
    },
  });
  const app = createTestFrame();
  await app.register(favoritesRoutes(favorites), { prefix: "/api" });
  const list = async () => (await app.inject("/api/favorites")).json().favorites;
  const post = (path: string, payload: unknown) =>
    app.inject({ method: "POST", url: `/api/favorites${path}`, payload: JSON.stringify(payload) });
  const remove = (id: string) => app.inject({ method: "DELETE", url: `/api/favorites/${id}` });
  return { clock, database, emitted, world, favorites, list, post, remove };
}

describe("favorites", () => {
  it("favorites are listed with all their fields, in the order they were added", async () => {
    const { post, list, clock } = await setUp();
    expect(await list()).toEqual([]);
    expect((await post("", SURAH)).json()).toEqual({ success: true, id: 1, created: true });
    await clock.advance(5000);
    expect((await post("", STREAM)).json()).toEqual({ success: true, id: 2, created: true });
    const unplayed = { play_count: 0, last_played: null };
    expect(await list()).toEqual([
      { id: 1, ...SURAH, url: "", name: "", available: true, ...unplayed, created_at: NEW_YEAR },
      { id: 2, ...STREAM, reciter: "", surah: 0, available: true, ...unplayed, created_at: NEW_YEAR + 5 },
    ]);
  });

  it("favorites show when a surah is missing on the card, and when it is available again", async () => {
    const { post, list, world } = await setUp();
    await post("", SURAH);
    world.card.clear();
    expect(await list()).toMatchObject([{ available: false }]);
    world.card.add("Husary 2");
    expect(await list()).toMatchObject([{ available: true }]);
  });

  it("favorites answer a repeated add with the same id, and emit an event", async () => {
    const { post, list, emitted } = await setUp();
    await post("", STREAM);
    expect((await post("", { ...STREAM, name: "Other" })).json()).toEqual({ success: true, id: 1, created: false });
    await post("", SURAH);
    expect((await post("", SURAH)).json()).toEqual({ success: true, id: 2, created: false });
    expect(await list()).toMatchObject([{ name: "Radio" }, { reciter: "Husary" }]);
    expect(emitted).toEqual([
      { type: "favorites", data: { action: "added", id: 1, count: 1 } },
      { type: "favorites", data: { action: "added", id: 1, count: 1 } },
      { type: "favorites", data: { action: "added", id: 2, count: 2 } },
      { type: "favorites", data: { action: "added", id: 2, count: 2 } },
    ]);
  });

  it("distinguish surahs by reciter and number", async () => {
    const { post, list } = await setUp();
    await post("", SURAH);
    await post("", { ...SURAH, surah: 3 });
    await post("", { ...SURAH, reciter: "Minshawi" });
    expect(await list()).toHaveLength(3);
  });

  it("favorites are stored once when two clients add the same stream at the same time", async () => {
    const { favorites, list } = await setUp();
    // Both requests have searched for it before either address is checked.
    const answers = await Promise.all([favorites.add(STREAM), favorites.add(STREAM)]);
    expect(answers.map(({ created }) => created)).toEqual([true, false]);
    expect(await list()).toHaveLength(1);
  });

  it("favorites are removed by their id, which is never used again", async () => {
    const { post, list, remove, emitted } = await setUp();
    await post("", SURAH);
    const removed = await remove("1");
    expect(removed.statusCode).toBe(200);
    expect(removed.json()).toEqual({ success: true });
    expect(await list()).toEqual([]);
    expect(emitted.at(-1)).toEqual({ type: "favorites", data: { action: "removed", id: 1, count: 0 } });
    expect((await post("", SURAH)).json()).toEqual({ success: true, id: 2, created: true });
  });

  it("favorites answer the removal of an unknown or malformed id with 404", async () => {
    const { post, remove, emitted } = await setUp();
    await post("", SURAH);
    for (const id of ["999", "0", "-1", "1.0", "01", "1e0", "nope", "%20", "9".repeat(400)]) {
      const refused = await remove(id);
      expect(refused.statusCode, id).toBe(404);
      expect(refused.json()).toEqual({ error: `favorite '${decodeURIComponent(id)}' does not exist` });
    }
    expect(emitted).toHaveLength(1);
  });

  it("favorites are limited to 200, but an existing one may be added again", async () => {
    const { database, post, list } = await setUp();
    const insert = database.command("INSERT INTO favorites (type, url, name, created_at) VALUES ('stream', ?, 'x', 0)");
    for (let i = 0; i < 199; i += 1) insert(`http://radio.example/${i}`);
    expect((await post("", SURAH)).statusCode).toBe(200);
    for (const path of ["", "/toggle"]) {
      const refused = await post(path, STREAM);
      expect(refused.statusCode).toBe(400);
      expect(refused.json()).toEqual({ error: "favorites: there are 200 already, and no more can be kept" });
    }
    expect((await post("", SURAH)).json()).toEqual({ success: true, id: 200, created: false });
    expect(await list()).toHaveLength(200);
  });
});

describe("POST /favorites/toggle", () => {
  it("adds a missing favorite and removes an existing one, also when a client sends the whole favorite back", async () => {
    const { post, list, emitted } = await setUp();
    expect((await post("/toggle", STREAM)).json()).toEqual({ success: true, favorited: true, id: 1 });
    expect((await post("/toggle", SURAH)).json()).toEqual({ success: true, favorited: true, id: 2 });
    const [stream, surah] = await list();
    expect((await post("/toggle", stream)).json()).toEqual({ success: true, favorited: false, id: 1 });
    expect((await post("/toggle", surah)).json()).toEqual({ success: true, favorited: false, id: 2 });
    expect(await list()).toEqual([]);
    expect(emitted.map(({ data }) => data)).toEqual([
      { action: "added", id: 1, count: 1 },
      { action: "added", id: 2, count: 2 },
      { action: "removed", id: 1, count: 1 },
      { action: "removed", id: 2, count: 0 },
    ]);
  });

  it("removes a stream whose address would be refused now", async () => {
    const { post, world } = await setUp();
    await post("", STREAM);
    world.refused.add(STREAM.url);
    expect((await post("/toggle", STREAM)).json()).toEqual({ success: true, favorited: false, id: 1 });
    expect((await post("/toggle", STREAM)).statusCode).toBe(400);
  });

  it("ends in the initial state when two clients toggle at the same time", async () => {
    const { favorites, list } = await setUp();
    const answers = await Promise.all([favorites.toggle(STREAM), favorites.toggle(STREAM)]);
    expect(answers.map(({ favorited }) => favorited)).toEqual([true, false]);
    expect(await list()).toEqual([]);
  });
});

describe("the play count", () => {
  it("increases with every play of a favorite, and of nothing else", async () => {
    const { favorites, post, list, clock, emitted } = await setUp();
    await post("", SURAH);
    await post("", STREAM);
    await clock.advance(60_000);
    favorites.countPlay({ reciter: "Husary", surah: 2 });
    favorites.countPlay({ reciter: "Husary", surah: 2 });
    favorites.countPlay({ reciter: "Husary", surah: 3 });
    favorites.countPlay({ url: "http://radio.example/live" });
    favorites.countPlay({ url: "http://radio.example/other" });
    expect(await list()).toMatchObject([
      { play_count: 2, last_played: NEW_YEAR + 60 },
      { play_count: 1, last_played: NEW_YEAR + 60 },
    ]);
    expect(emitted.slice(2).map(({ data }) => data)).toEqual([
      { action: "played", id: 1, count: 2 },
      { action: "played", id: 1, count: 2 },
      { action: "played", id: 2, count: 2 },
    ]);
  });
});

it.each([
  ["", {}, "type: is required"],
  ["", { type: "file" }, "type: must be one of surah, stream"],
  ["", [], "body: must be an object"],
  ["", { type: "surah", reciter: "Husary" }, "surah: is required"],
  ["/toggle", { type: 1 }, "type: must be one of surah, stream"],
  ["/toggle", { ...STREAM, name: "" }, "name: must be a text of 1 to 100 characters"],
  ["/toggle", { ...STREAM, url: "http://10.0.0.1/" }, "url: must not lead into the local network"],
])("POST /favorites%s refuses %j with 400 and names the field", async (path, body, error) => {
  const { post, list, world, emitted } = await setUp();
  world.refused.add("http://10.0.0.1/");
  const refused = await post(path, body);
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toEqual({ error });
  expect(await list()).toEqual([]);
  expect(emitted).toEqual([]);
});
