import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { invalidField } from "@kit/problem";
import { expect, it, onTestFinished } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { openDatabase } from "../storage/database.ts";
import { createCardsService } from "./cards.service.ts";
import { createCardsStore } from "./cards.store.ts";
import { rfidRoutes } from "./rfid.routes.ts";

const SURAH = { type: "surah", reciter: "Husary", surah: 2 } as const;
const CARD = { uid: "04:a1:b2:c3", name: "Bedtime", binding: SURAH };
const KEPT = { ...CARD, uid: "04A1B2C3", on_repeat: "toggle", on_remove: "inherit" };

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "cards-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { database } = openDatabase(folder, createFakeClock());
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const store = createCardsStore(database);
  const cards = createCardsService({
    store,
    events,
    targets: {
      check: async (field, target) => {
        if (target.type === "station") throw invalidField(`${field}.id`, `station '${target.id}' does not exist`);
      },
    },
  });
  const app = createTestFrame();
  const scan = () => ({ uid: "", uid_len: 0, registered: false, age_ms: -1 });
  await app.register(rfidRoutes(cards, { scan }), { prefix: "/api" });
  return {
    cards,
    store,
    emitted,
    post: (payload: object) => app.inject({ method: "POST", url: "/api/rfid/cards", payload }),
    list: async () => (await app.inject("/api/rfid/cards")).json().cards,
    remove: (uid: string) => app.inject({ method: "DELETE", url: `/api/rfid/cards/${uid}` }),
    scan: async () => (await app.inject("/api/rfid/scan")).json(),
  };
}

it("stores a card with its UID in one form and the documented defaults", async () => {
  const { post, list, emitted } = await setUp();
  const registered = await post(CARD);
  expect(registered.statusCode).toBe(200);
  expect(registered.json()).toEqual({ success: true, uid: "04A1B2C3", created: true });
  expect(await list()).toEqual([KEPT]);
  expect(emitted).toEqual([{ type: "cards", data: { action: "added", count: 1 } }]);
});

it("replaces all fields of a known card, under any spelling of its UID", async () => {
  const { post, list, emitted } = await setUp();
  await post({ ...CARD, on_repeat: "next", on_remove: "stop" });
  await post({ ...CARD, uid: "04A1B2C3D4E5F6" });
  const again = await post({ ...CARD, uid: "04-A1-B2-C3", name: "Morning", binding: { type: "resume" } });
  expect(again.json()).toEqual({ success: true, uid: "04A1B2C3", created: false });
  expect(await list()).toEqual([
    { ...KEPT, name: "Morning", binding: { type: "resume" } },
    { ...KEPT, uid: "04A1B2C3D4E5F6" },
  ]);
  expect(emitted.at(-1)).toEqual({ type: "cards", data: { action: "added", count: 2 } });
});

it.each([
  SURAH,
  { ...SURAH, volume: 40, mode: { mode: "hifz_repeat", repeat: 3, pause_s: 5 } },
  { type: "stream", url: "https://radio.example/live", name: "Radio" },
  { type: "favorite", id: 7 },
  { type: "file", path: "Husary/002.mp3" },
  { type: "command", command: "toggle" },
  { type: "command", command: "volume", value: 30 },
  { type: "command", command: "mode", value: { mode: "hifz_ab", ab: { from: 2, to: 5 } } },
  {
    type: "sequence",
    steps: [
      { type: "command", command: "sleep_timer", value: 20 },
      { type: "surah", reciter: "Husary", surah: 67 },
    ],
  },
])("returns the binding %j unchanged", async (binding) => {
  const { post, list } = await setUp();
  expect((await post({ ...CARD, binding })).statusCode).toBe(200);
  expect(await list()).toEqual([{ ...KEPT, binding }]);
});

it.each([
  [[], "body: must be an object"],
  [{ ...CARD, uid: undefined }, "uid: is required"],
  [{ ...CARD, uid: "04A1B2C" }, "uid: must be 4, 7 or 10 bytes in hexadecimal"],
  [{ ...CARD, uid: "" }, "uid: must be 4, 7 or 10 bytes in hexadecimal"],
  [{ ...CARD, uid: 42 }, "uid: must be a text of at most 64 characters"],
  [{ ...CARD, name: "" }, "name: must be a text of 1 to 100 characters"],
  [{ ...CARD, name: "a\u0000b" }, "name: must not contain control characters"],
  [{ ...CARD, binding: undefined }, "binding: is required"],
  [{ ...CARD, binding: "Husary/002.mp3" }, "binding: must be an object"],
  [{ ...CARD, binding: { ...SURAH, surah: 115 } }, "binding.surah: must be an integer from 1 to 114"],
  [{ ...CARD, binding: { type: "station", id: 9 } }, "binding.id: station '9' does not exist"],
  [{ ...CARD, on_repeat: "again" }, "on_repeat: must be one of toggle, restart, next, ignore"],
  [{ ...CARD, on_remove: "eject" }, "on_remove: must be one of inherit, continue, pause, stop"],
])("refuses %j with 400 and names the field", async (body, error) => {
  const { post, list, emitted } = await setUp();
  const refused = await post(body);
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toEqual({ error });
  expect(await list()).toEqual([]);
  expect(emitted).toEqual([]);
});

it("removes a card by any spelling of its UID, and answers 404 for an unknown one", async () => {
  const { post, list, remove, emitted } = await setUp();
  await post(CARD);
  const removed = await remove("04:a1:b2:c3");
  expect(removed.statusCode).toBe(200);
  expect(removed.json()).toEqual({ success: true });
  expect(await list()).toEqual([]);
  expect(emitted.at(-1)).toEqual({ type: "cards", data: { action: "removed", count: 0 } });
  for (const uid of ["04A1B2C3", "nope", "04A1B2C", "%20", "9".repeat(400)]) {
    const refused = await remove(uid);
    expect(refused.statusCode, uid).toBe(404);
    expect(refused.json()).toEqual({ error: `card '${decodeURIComponent(uid)}' does not exist` });
  }
  expect(emitted).toHaveLength(2);
});

it("stores at most 256 cards, but an existing one may be registered again", async () => {
  const { store, post, list } = await setUp();
  for (let i = 0; i < 255; i += 1) {
    const uid = i.toString(16).toUpperCase().padStart(8, "0");
    store.save({ uid, name: "x", binding: { type: "resume" }, on_repeat: "toggle", on_remove: "inherit" });
  }
  expect((await post(CARD)).statusCode).toBe(200);
  const refused = await post({ ...CARD, uid: "FFFFFFFF" });
  expect(refused.statusCode).toBe(400);
  expect(refused.json()).toEqual({ error: "cards: there are 256 already, and no more can be kept" });
  expect((await post({ ...CARD, name: "Other" })).json()).toMatchObject({ created: false });
  expect(await list()).toHaveLength(256);
});

it("creates a card once when two clients register it at the same time", async () => {
  const { cards, list } = await setUp();
  const answers = await Promise.all([cards.register(CARD), cards.register(CARD)]);
  expect(answers.map(({ created }) => created)).toEqual([true, false]);
  expect(await list()).toHaveLength(1);
});

it("writes all cards to a backup, and restores them in order", async () => {
  const { cards, post, list, remove, emitted } = await setUp();
  await post(CARD);
  await post({ ...CARD, uid: "04A1B2C3D4E5F6", on_remove: "stop" });
  const kept: unknown = JSON.parse(JSON.stringify(cards.backup.read()));
  await remove("04A1B2C3");
  await post({ ...CARD, uid: "FFFFFFFF" });
  const replace = await cards.backup.prepare(kept);
  replace();
  cards.backup.reload();
  expect(await list()).toEqual([KEPT, { ...KEPT, uid: "04A1B2C3D4E5F6", on_remove: "stop" }]);
  expect(emitted.at(-1)).toEqual({ type: "cards", data: { action: "replaced", count: 2 } });
});

it.each([
  [[{ ...KEPT, uid: "nope" }], "cards.0.uid: must be 4, 7 or 10 bytes in hexadecimal"],
  [[KEPT, { ...KEPT, uid: "04:a1:b2:c3" }], "cards.1: is there twice (uid 04A1B2C3)"],
  [[{ ...KEPT, binding: { type: "surah", reciter: "Husary" } }], "cards.0.binding.surah: is required"],
  [[{ ...KEPT, name: "a\u0000b" }], "cards.0.name: must not contain control characters"],
])("refuses a backup with %j", async (kept, error) => {
  const { cards } = await setUp();
  await expect(cards.backup.prepare(kept)).rejects.toThrow(error);
});

it("restores a card whose station is in the same backup", async () => {
  const { cards, list } = await setUp();
  const card = { ...KEPT, binding: { type: "station", id: 9 } };
  (await cards.backup.prepare([card]))();
  expect(await list()).toEqual([card]);
});

it("answers a scan before the first tap as documented", async () => {
  const { scan } = await setUp();
  expect(await scan()).toEqual({ uid: "", uid_len: 0, registered: false, age_ms: -1 });
});
