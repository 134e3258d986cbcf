import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { ADMIN_PASSWORD, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { createSeal } from "../../foundation/records/seal.ts";
import { createChannelsStore, createChannelsWriter } from "./channels.store.ts";
import { createSealing } from "./sealing.ts";
import { createSendingService } from "./sending.service.ts";

const URL = "https://hooks.example.org/services/T0/B0/a-key-of-24-characters-00";
const SECRET = "a secret of ours";

let platform: TestPlatform;
let folder: string;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  platform = await testPlatform("real");
  folder = await mkdtemp(join(tmpdir(), "sealed-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await platform.close();
  await rm(folder, { recursive: true });
});

/** Inserts a channel as stored by a release without sealing. */
async function insertPlain(name: string): Promise<string> {
  const id = platform.ids.next();
  const settings = JSON.stringify({ url: URL, secret: SECRET });
  await sql`INSERT INTO notification_channels
    (id, name, kind, settings, events, enabled, created_by, created_at, updated_at)
    VALUES (${id}, ${name}, 'webhook', ${settings}::jsonb, '{}', true, 'admin', now(), now())`.execute(platform.db);
  return id;
}

async function stored(): Promise<string> {
  const rows = await platform.db.selectFrom("notification_channels").selectAll().orderBy("name").execute();
  return JSON.stringify(rows);
}

/** Starts the whole service and signs in as an administrator. */
async function startWhole(dataFolder: string) {
  const { app, close } = await wholePlatform("real", platform.url, dataFolder);
  closing.push(close);
  const payload = { username: "admin", password: ADMIN_PASSWORD };
  const signIn = () => app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  // The administrator is created when the database is first available.
  await expect.poll(async () => (await signIn()).statusCode, { timeout: 10_000 }).toBe(200);
  const headers = { authorization: `Bearer ${(await signIn()).json().access_token}` };
  return {
    list: async () => (await app.inject({ url: "/api/v1/notifications/channels", headers })).json().items,
    send: (method: "POST" | "PATCH", path: string, body: object) =>
      app.inject({ method, url: `/api/v1/notifications/channels${path}`, headers, payload: body }),
  };
}

it("seals plain settings of an earlier release once and reads them unchanged", async () => {
  await insertPlain("Hook");
  const sealing = createSealing(createSeal(Buffer.alloc(32, 7), platform.ids));
  const store = createChannelsStore(platform.db, sealing);
  expect(await store.findNamed("Hook")).toMatchObject({ settings: { url: URL, secret: SECRET } });
  const writer = createChannelsWriter(platform.db, sealing);
  expect(await writer.sealPlain()).toBe(1);
  const sealed = await stored();
  expect(sealed).not.toContain("a-key-of");
  expect(sealed).not.toContain(SECRET);
  expect(await store.findNamed("Hook")).toMatchObject({ settings: { url: URL, secret: SECRET } });
  expect(await writer.sealPlain()).toBe(0);
  expect(await stored()).toBe(sealed);
});

it("refuses to send with settings that it cannot decrypt", async () => {
  await insertPlain("Hook");
  await createChannelsWriter(platform.db, createSealing(createSeal(Buffer.alloc(32, 7), platform.ids))).sealPlain();
  const channel = await createChannelsStore(
    platform.db,
    createSealing(createSeal(Buffer.alloc(32, 8), platform.ids)),
  ).findNamed("Hook");
  if (!channel) throw new Error("no channel");
  const nothing = { send: () => Promise.reject(new Error("something was sent")) };
  const sending = createSendingService({ outbound: nothing, mail: nothing, clock: platform.clock });
  const message = { type: "alert.created", subject_id: "7", at: "2026-11-15T09:00:00.000Z", text: "hello", data: {} };
  const why = { kind: "unavailable", message: "channel: the settings of 'Hook' cannot be decrypted; set them again" };
  await expect(sending.send(channel, "1", message)).rejects.toMatchObject(why);
  expect(() => sending.describe(channel, message)).toThrow(why.message);
});

it("reads settings in every process that another one has sealed", { timeout: 60_000 }, async () => {
  const old = await insertPlain("Old hook");
  const first = await startWhole(folder);
  const settings = { url: URL, secret: SECRET };
  const made = await first.send("POST", "", { name: "Hook", kind: "webhook", settings });
  expect([made.statusCode, made.body]).toEqual([201, expect.stringContaining("hooks.example.org")]);
  const { id } = made.json();
  expect(await stored()).not.toMatch(/a-key-of|a secret of ours/);
  const readable = { host: "hooks.example.org", has_secret: true };
  const second = await startWhole(folder);
  expect(await second.list()).toMatchObject([
    { id, settings: readable },
    { id: old, settings: readable },
  ]);
});
