import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { createOutboundGuard } from "@kit/guard/fetch";
import { silentLog } from "@kit/log/silent";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { openDatabase } from "../storage/database.ts";
import { createStreamsService } from "../streams/streams.service.ts";
import { stationsRoutes } from "./stations.routes.ts";
import { createStationsService } from "./stations.service.ts";
import { createStationsStore } from "./stations.store.ts";

// 2026-01-01T00:00:00Z
const NEW_YEAR = 1_767_225_600;
const STATION = { name: "Radio", url: "http://radio.example/live" };
const UNPLAYED = { last_played: null, last_ok: null };

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "stations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = createFakeClock();
  const { database } = openDatabase(folder, clock);
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const { check } = createStreamsService({
    guard: createOutboundGuard({
      clock,
      ownAddresses: () => [],
      resolve: async (name) => (name === "inside.example" ? ["10.0.0.1"] : ["8.8.8.8"]),
    }),
    clock,
    ids: createFakeIds(),
    log: silentLog,
    policy: () => ({ allowPrivate: false }),
    retryMinutes: () => 30,
  });
  const stations = createStationsService({ store: createStationsStore(database), events, clock, checkUrl: check });
  const app = createTestFrame();
  await app.register(stationsRoutes(stations), { prefix: "/api" });
  const url = "/api/radio/stations";
  const list = async () => (await app.inject(url)).json().stations;
  const add = (body: unknown) => app.inject({ method: "POST", url, payload: JSON.stringify(body) });
  const remove = (id: string) => app.inject({ method: "DELETE", url: `${url}/${id}` });
  return { clock, database, emitted, stations, list, add, remove };
}

describe("stations", () => {
  it("stations are listed with all their fields, in the order they were added", async () => {
    const { add, list } = await setUp();
    expect(await list()).toEqual([]);
    expect((await add(STATION)).json()).toEqual({ success: true, id: 1, created: true });
    expect((await add({ name: "إذاعة", url: "https://8.8.8.8/live" })).json()).toEqual({
      success: true,
      id: 2,
      created: true,
    });
    expect(await list()).toEqual([
      { id: 1, ...STATION, ...UNPLAYED },
      { id: 2, name: "إذاعة", url: "https://8.8.8.8/live", ...UNPLAYED },
    ]);
  });

  it("stations are renamed when their URL is added again, and an event is emitted", async () => {
    const { add, list, emitted } = await setUp();
    await add(STATION);
    expect((await add({ ...STATION, name: "Other" })).json()).toEqual({ success: true, id: 1, created: false });
    expect(await list()).toMatchObject([{ id: 1, name: "Other" }]);
    const added = { type: "stations", data: { action: "added", id: 1, count: 1 } };
    expect(emitted).toEqual([added, added]);
  });

  it("stations are stored once when two clients add the same URL at the same time", async () => {
    const { stations, list } = await setUp();
    const answers = await Promise.all([stations.add(STATION), stations.add(STATION)]);
    expect(answers.map(({ created }) => created)).toEqual([true, false]);
    expect(await list()).toHaveLength(1);
  });

  it("stations are removed by their id, which is never used again", async () => {
    const { add, list, remove, emitted } = await setUp();
    await add(STATION);
    expect((await remove("1")).json()).toEqual({ success: true });
    expect(await list()).toEqual([]);
    expect(emitted.at(-1)).toEqual({ type: "stations", data: { action: "removed", id: 1, count: 0 } });
    expect((await add(STATION)).json()).toEqual({ success: true, id: 2, created: true });
  });

  it("stations answer the removal of an unknown or malformed id with 404", async () => {
    const { add, remove, emitted } = await setUp();
    await add(STATION);
    for (const id of ["2", "0", "-1", "1.0", "01", "1e0", "nope", "%20", "9".repeat(400)]) {
      const refused = await remove(id);
      expect(refused.statusCode, id).toBe(404);
      expect(refused.json()).toEqual({ error: `station '${decodeURIComponent(id)}' does not exist` });
    }
    expect(emitted).toHaveLength(1);
  });

  it("stations are limited to 100, but an existing one may be renamed", async () => {
    const { add, database, list, emitted } = await setUp();
    const insert = database.command("INSERT INTO stations (name, url) VALUES ('x', ?)");
    for (let i = 0; i < 99; i += 1) insert(`http://radio.example/${i}`);
    expect((await add(STATION)).json()).toEqual({ success: true, id: 100, created: true });
    const refused = await add({ ...STATION, url: "http://radio.example/more" });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({ error: "stations: there are 100 already, and no more can be kept" });
    expect((await add({ ...STATION, name: "Other" })).json()).toEqual({ success: true, id: 100, created: false });
    expect(await list()).toHaveLength(100);
    expect(emitted).toHaveLength(2);
  });

  it("stations record when they were played, and when their audio last ran", async () => {
    const { add, list, stations, clock, emitted } = await setUp();
    await add(STATION);
    await add({ name: "Silent", url: "http://radio.example/silent" });
    await clock.advance(60_000);
    stations.countPlay(STATION.url);
    await clock.advance(1000);
    stations.countOk(STATION.url);
    stations.countPlay("http://radio.example/unsaved");
    stations.countOk("http://radio.example/unsaved");
    const played = { id: 1, ...STATION, last_played: NEW_YEAR + 60, last_ok: NEW_YEAR + 61 };
    expect(await list()).toMatchObject([played, UNPLAYED]);
    expect([stations.find(1), stations.find(3)]).toEqual([played, undefined]);
    const change = { type: "stations", data: { action: "played", id: 1, count: 2 } };
    expect(emitted.slice(2)).toEqual([change, change]);
  });
});

it.each([
  [{}, "name: is required"],
  [{ name: "Radio" }, "url: is required"],
  [{ ...STATION, name: "" }, "name: must be a text of 1 to 100 characters"],
  [{ ...STATION, name: "a".repeat(101) }, "name: must be a text of 1 to 100 characters"],
  [{ ...STATION, name: 5 }, "name: must be a text of 1 to 100 characters"],
  [{ ...STATION, name: "a\nb" }, "name: must not contain control characters"],
  [{ ...STATION, name: "a\u0085b" }, "name: must not contain control characters"],
  [{ ...STATION, url: 5 }, "url: must be a text of 1 to 1024 characters"],
  [{ ...STATION, url: "" }, "url: must be a text of 1 to 1024 characters"],
  [{ ...STATION, url: `http://radio.example/${"a".repeat(1004)}` }, "url: must be a text of 1 to 1024 characters"],
  [{ ...STATION, url: "ftp://radio.example/" }, "url: must start with http:// or https:// and a host"],
  [{ ...STATION, url: "http://user:secret@radio.example/" }, "url: must not contain credentials"],
  [
    { ...STATION, url: "http://127.0.0.1/" },
    "url: must lead to a public address; the setting allow_private_streams also allows a private one",
  ],
  [
    { ...STATION, url: "http://inside.example/" },
    "url: must lead to a public address; the setting allow_private_streams also allows a private one",
  ],
])("refuses %j with 400 and the reason", async (body, error) => {
  const { add, list, emitted } = await setUp();
  const refused = await add(body);
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toEqual({ error });
  expect([await list(), emitted]).toEqual([[], []]);
});

it("accepts a name of 100 characters, each of which may have several code units", async () => {
  const { add } = await setUp();
  expect((await add({ ...STATION, name: "🕌".repeat(100) })).statusCode).toBe(200);
});
