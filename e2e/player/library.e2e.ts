import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeCard } from "./card.ts";
import { type Answer, type LiveSocket, type StartedPlayer, startPlayer, untilScanned } from "./client.ts";

const clock = createClock();
const SURAHS = Array.from({ length: 114 }, (_, index) => index + 1);

let player: StartedPlayer;

beforeAll(async () => {
  const card = await makeCard({ reciters: { Husary: [1, 2, 36, 114], "Abdul Basit": SURAHS }, seconds: 4 });
  await mkdir(join(card, "Notes"));
  await writeFile(join(card, "Notes", "readme.txt"), "no audio");
  player = await startPlayer(card, { PLAYER_LIMITS: "off" });
  await untilScanned(player.client);
});
afterAll(async () => {
  await player.service.stop();
});

const get = async (path: string) => (await player.client.get(path)).body;
const favorites = async () => (await get("/api/favorites")).favorites;
const surah = (number: number, reciter = "Husary") => ({ type: "surah", reciter, surah: number });

/** Two clients: one that may have sent the request, and one that has not. */
async function listenTwice(): Promise<[LiveSocket, LiveSocket]> {
  const both = [await player.client.socket(), await player.client.socket()] as const;
  onTestFinished(async () => {
    for (const live of both) await live.close();
  });
  return [...both];
}

/** Both receive exactly the same event. */
async function receivedByBoth(both: readonly LiveSocket[], type: string): Promise<unknown> {
  const [one, other] = await Promise.all(both.map((live) => live.next(type)));
  expect([one?.seq, one?.data]).toEqual([other?.seq, other?.data]);
  return one?.data;
}

function expectRefusal({ status, body }: Answer, expected: number, begins: string): void {
  expect([status, body]).toEqual([expected, { error: expect.stringMatching(new RegExp(`^${begins}`)) }]);
}

describe("library routes", () => {
  it("lists the reciters of the card", async () => {
    const { reciters, scanning, scanned_at } = await get("/api/library/reciters");
    expect(reciters).toEqual([
      { name: "Abdul Basit", path: "Abdul Basit", surah_count: 114, complete: true, bytes: expect.any(Number) },
      { name: "Husary", path: "Husary", surah_count: 4, complete: false, bytes: expect.any(Number) },
    ]);
    expect(scanning).toBe(false);
    expect(Math.abs(scanned_at - clock.now().getTime() / 1000)).toBeLessThan(60);
  });

  it("has 114 places for a reciter, with the names of the surahs", async () => {
    const { reciter, count, available, names, names_ar, paths } = await get("/api/library/surahs?reciter=Husary");
    expect({ reciter, count }).toEqual({ reciter: "Husary", count: 4 });
    expect([available, names, names_ar, paths].map(({ length }) => length)).toEqual([114, 114, 114, 114]);
    expect(SURAHS.filter((number) => available[number - 1])).toEqual([1, 2, 36, 114]);
    expect(SURAHS.filter((number) => paths[number - 1] !== null)).toEqual([1, 2, 36, 114]);
    expect(paths[35]).toBe("Husary/036.mp3");
    expect([names_ar[0], names_ar[1], names_ar[35], names_ar[113]]).toEqual(["الفاتحة", "البقرة", "يس", "الناس"]);
    for (const name of [...names, ...names_ar]) expect(name).toMatch(/./);
    expect(new Set(names).size).toBe(114);
  });

  it("finds a reciter whose name has a space", async () => {
    expect((await get("/api/library/surahs?reciter=Abdul%20Basit")).count).toBe(114);
    expect((await get("/api/library/surahs?reciter=Abdul+Basit")).count).toBe(114);
  });

  it("lists the files of a folder", async () => {
    const top = await get("/api/library/files");
    expect(top.folders.map(({ name }: { name: string }) => name)).toEqual(["Abdul Basit", "Husary", "Notes"]);
    const { path, files } = await get("/api/library/files?path=Husary");
    expect(path).toBe("Husary");
    expect(files[2]).toEqual({ name: "036.mp3", path: "Husary/036.mp3", bytes: expect.any(Number), surah: 36 });
  });

  it.each([
    ["/api/library/surahs", 400, "reciter: "],
    ["/api/library/surahs?reciter=", 400, "reciter: "],
    ["/api/library/surahs?reciter=Unknown", 404, "reciter 'Unknown'"],
    ["/api/library/surahs?reciter=..", 404, "reciter "],
    ["/api/library/files?path=..", 400, "path: "],
    ["/api/library/files?path=Nowhere", 400, "path: "],
    ["/api/library/files?path=Husary/001.mp3", 400, "path: "],
    ["/api/library", 404, "."],
  ])("refuses GET %s with %i", async (path, status, begins) => {
    expectRefusal(await player.client.get(path), status, begins);
  });
});

describe("favorites routes", () => {
  it("adds once, toggles and removes favorites and notifies every client each time", async () => {
    const both = await listenTwice();
    const { post, del } = player.client;
    const added = await post("/api/favorites", surah(36));
    const { id } = added.body;
    expect([added.status, added.body]).toEqual([200, { success: true, id: expect.any(Number), created: true }]);
    expect(await receivedByBoth(both, "favorites")).toEqual({ action: "added", id, count: 1 });
    expect(await favorites()).toEqual([
      {
        id,
        type: "surah",
        reciter: "Husary",
        surah: 36,
        url: "",
        name: "",
        available: true,
        play_count: 0,
        last_played: null,
        created_at: expect.toSatisfy((epoch) => Math.abs(epoch - clock.now().getTime() / 1000) < 60),
      },
    ]);

    expect((await post("/api/favorites", surah(36))).body).toEqual({ success: true, id, created: false });
    expect(await receivedByBoth(both, "favorites")).toEqual({ action: "added", id, count: 1 });

    expect((await post("/api/favorites/toggle", surah(36))).body).toEqual({ success: true, favorited: false, id });
    expect(await receivedByBoth(both, "favorites")).toEqual({ action: "removed", id, count: 0 });
    const again = (await post("/api/favorites/toggle", surah(36))).body;
    expect(again).toEqual({ success: true, favorited: true, id: expect.toSatisfy((newer) => newer > id) });
    expect(await receivedByBoth(both, "favorites")).toEqual({ action: "added", id: again.id, count: 1 });

    expect((await del(`/api/favorites/${again.id}`)).body).toEqual({ success: true });
    expect(await receivedByBoth(both, "favorites")).toEqual({ action: "removed", id: again.id, count: 0 });
    expectRefusal(await del(`/api/favorites/${again.id}`), 404, "favorite ");
    expect(await favorites()).toEqual([]);
  });

  it("accepts a stream, or a surah that is not on the card, as a favorite", async () => {
    const { post, del } = player.client;
    const stream = { type: "stream", url: "http://radio.invalid/live", name: "Radio" };
    const ids = [(await post("/api/favorites", stream)).body.id, (await post("/api/favorites", surah(77))).body.id];
    expect(await favorites()).toMatchObject([
      { ...stream, reciter: "", surah: 0, available: true },
      { ...surah(77), url: "", name: "", available: false },
    ]);
    for (const id of ids) await del(`/api/favorites/${id}`);
  });

  it.each([
    [{}, "type"],
    [{ type: "file", path: "x" }, "type"],
    [{ type: "surah", surah: 1 }, "reciter"],
    [{ type: "surah", reciter: "", surah: 1 }, "reciter"],
    [{ type: "surah", reciter: 7, surah: 1 }, "reciter"],
    [{ type: "surah", reciter: "Husary" }, "surah"],
    [{ type: "surah", reciter: "Husary", surah: 0 }, "surah"],
    [{ type: "surah", reciter: "Husary", surah: 115 }, "surah"],
    [{ type: "surah", reciter: "Husary", surah: "1" }, "surah"],
    [{ type: "stream", name: "Radio" }, "url"],
    [{ type: "stream", url: "http://radio.invalid/" }, "name"],
    [{ type: "stream", url: "http://127.0.0.1/", name: "Radio" }, "url"],
    [{ type: "stream", url: "gopher://radio.invalid/", name: "Radio" }, "url"],
  ])("refuse %j, added or toggled", async (body, field) => {
    for (const path of ["/api/favorites", "/api/favorites/toggle"])
      expectRefusal(await player.client.post(path, body), 400, `${field}: `);
    expect(await favorites()).toEqual([]);
  });

  it.each(["999", "0", "-1", "1.5", "abc", "1e3", "99999999999999999999"])("answer 404 for the id %s", async (id) => {
    expectRefusal(await player.client.del(`/api/favorites/${id}`), 404, "favorite ");
  });

  it("counts a play once when at least half of it was played", async () => {
    const { post, del } = player.client;
    const { id } = (await post("/api/favorites", surah(2))).body;
    const [live, other] = await listenTwice();
    await post("/api/playback/play", { path: "Husary/002.mp3" });
    await live.next("playback", ({ state, duration }) => state === "playing" && duration > 0);
    await clock.sleep(1000);
    await post("/api/playback/stop");
    expect(await favorites()).toMatchObject([{ id, play_count: 0, last_played: null }]);

    await post("/api/playback/play", { path: "Husary/002.mp3" });
    const start = await live.next("playback", ({ state, duration }) => state === "playing" && duration > 0);
    const counted = await live.next("favorites");
    expect(counted.data).toEqual({ action: "played", id, count: 1 });
    expect((await other.next("favorites")).seq).toBe(counted.seq);
    expect(counted.atMs - start.atMs).toBeGreaterThan(1800);
    expect(counted.atMs - start.atMs).toBeLessThan(2500);
    await live.next("playback", ({ state }) => state === "stopped");
    const [favorite] = await favorites();
    expect(favorite.play_count).toBe(1);
    expect(Math.abs(favorite.last_played - clock.now().getTime() / 1000)).toBeLessThan(10);
    await del(`/api/favorites/${id}`);
  });

  it("limits favorites to 200", async () => {
    const { post, del } = player.client;
    const wanted = [...SURAHS.map((number) => surah(number)), ...SURAHS.map((number) => surah(number, "Abdul Basit"))];
    for (const body of wanted.slice(0, 200)) expect((await post("/api/favorites", body)).body.created).toBe(true);
    expectRefusal(await post("/api/favorites", wanted[200]), 400, "favorites: ");
    expectRefusal(await post("/api/favorites/toggle", wanted[200]), 400, "favorites: ");
    expect((await post("/api/favorites", wanted[199])).body.created).toBe(false);
    const kept = await favorites();
    expect(kept.length).toBe(200);
    await del(`/api/favorites/${kept[0].id}`);
    expect((await post("/api/favorites", wanted[200])).body.created).toBe(true);
  });
});

describe("radio station routes", () => {
  const stations = async () => (await get("/api/radio/stations")).stations;
  // An IP address, so that no name has to be resolved; no process connects to it.
  const station = (number: number) => ({ name: `Radio ${number}`, url: `http://1.1.1.1/${number}` });

  it("save, list and remove stations and notify every client each time", async () => {
    const both = await listenTwice();
    const { post, del } = player.client;
    const added = await post("/api/radio/stations", station(1));
    expect([added.status, added.body]).toMatchObject([200, { success: true, id: expect.any(Number) }]);
    const { id } = added.body;
    expect(await receivedByBoth(both, "stations")).toEqual({ action: "added", id, count: 1 });
    expect(await stations()).toEqual([{ id, ...station(1), last_played: null, last_ok: null }]);
    expect((await del(`/api/radio/stations/${id}`)).body).toEqual({ success: true });
    expect(await receivedByBoth(both, "stations")).toEqual({ action: "removed", id, count: 0 });
    expectRefusal(await del(`/api/radio/stations/${id}`), 404, "station ");
    const unknownHost = { name: "Not found today", url: "http://radio.invalid/live" };
    expect((await post("/api/radio/stations", unknownHost)).body.id).toBeGreaterThan(id);
  });

  it.each([
    [{ url: "http://radio.invalid/" }, "name"],
    [{ name: "", url: "http://radio.invalid/" }, "name"],
    [{ name: 7, url: "http://radio.invalid/" }, "name"],
    [{ name: "Radio\n", url: "http://radio.invalid/" }, "name"],
    [{ name: "Radio" }, "url"],
    [{ name: "Radio", url: 7 }, "url"],
    [{ name: "Radio", url: "radio.invalid" }, "url"],
    [{ name: "Radio", url: "ftp://radio.invalid/" }, "url"],
    [{ name: "Radio", url: "http://me:secret@radio.invalid/" }, "url"],
    [{ name: "Radio", url: "http://radio.invalid/\t" }, "url"],
    [{ name: "Radio", url: "http://192.168.1.1/" }, "url"],
    [{ name: "Radio", url: "http://[fe80::1]/" }, "url"],
    [{ name: "Radio", url: "http://2130706433/" }, "url"],
  ])("refuse %j", async (body, field) => {
    expectRefusal(await player.client.post("/api/radio/stations", body), 400, `${field}: `);
    expect((await stations()).length).toBe(1);
  });

  it.each(["999", "abc", "-1", "0"])("answer 404 for the id %s", async (id) => {
    expectRefusal(await player.client.del(`/api/radio/stations/${id}`), 404, "station ");
  });

  it("limits stations to 100", async () => {
    const { post } = player.client;
    for (let number = 2; number <= 100; number += 1)
      expect((await post("/api/radio/stations", station(number))).status).toBe(200);
    expectRefusal(await post("/api/radio/stations", station(101)), 400, "stations: ");
    expect((await stations()).length).toBe(100);
  });
});
