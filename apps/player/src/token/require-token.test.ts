import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { createFakeClock } from "@kit/clock/fake";
import type { Frame } from "@kit/http/frame";
import { silentLog } from "@kit/log/silent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { createGuessAlarm } from "./guess-alarm.ts";
import { requireToken } from "./require-token.ts";

const TOKEN = "c0ffee".padEnd(64, "0");
const RIGHT = `Bearer ${TOKEN}`;
const WRONG = `Bearer ${"0".repeat(64)}`;

let app: Frame;
let token: string;
let seen: PlayerEvent[];

beforeEach(async () => {
  const events = createEvents();
  token = TOKEN;
  seen = [];
  events.onEvent((event) => seen.push(event));
  app = createTestFrame();
  requireToken(app, {
    current: () => token,
    onWrong: createGuessAlarm({ clock: createFakeClock(), log: silentLog, events }),
  });
  app.get("/api/rfid/cards", { config: { access: "token", budget: "read" } }, async () => ({ cards: [] }));
  app.post("/api/playback/stop", { config: { access: "token", budget: "playback" } }, async () => ({ success: true }));
  app.get("/api/system", { config: { access: "none", budget: "status" } }, async () => ({ version: "1" }));
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => app.close());

/** Sends the headers exactly as given, including duplicates. */
async function ask(method: string, path: string, authorizations: string[]): Promise<number | undefined> {
  const { port } = app.server.address() as AddressInfo;
  const headers = ["host", "127.0.0.1", ...authorizations.flatMap((value) => ["authorization", value])];
  const sent = request({ port, host: "127.0.0.1", method, path, headers, agent: false });
  sent.end();
  const [answer] = await once(sent, "response");
  answer.resume();
  return answer.statusCode;
}

describe.each([
  ["GET", "/api/rfid/cards"],
  ["POST", "/api/playback/stop"],
])("%s %s", (method, path) => {
  it.each([
    [[RIGHT], 200],
    [[], 401],
    [[WRONG], 401],
    [[`${RIGHT} junk`], 401],
    [[RIGHT, WRONG], 401],
    [[WRONG, RIGHT], 401],
    [[RIGHT, RIGHT], 401],
    [[RIGHT, ""], 401],
  ])("answers the headers %j with %i", async (authorizations, status) => {
    expect(await ask(method, path, authorizations)).toBe(status);
  });
});

it("uses the new token when it is replaced", async () => {
  token = "f".repeat(64);
  expect(await ask("POST", "/api/playback/stop", [RIGHT])).toBe(401);
  expect(await ask("POST", "/api/playback/stop", [`Bearer ${token}`])).toBe(200);
});

it("raises the alarm for wrong tokens, not for missing ones, and locks out no client", async () => {
  for (let i = 0; i < 20; i += 1) await ask("POST", "/api/playback/stop", []);
  for (let i = 0; i < 20; i += 1) await ask("GET", "/api/system", [WRONG]);
  for (let i = 0; i < 10; i += 1) await ask("POST", "/api/playback/stop", [WRONG]);
  expect(seen).toEqual([]);
  for (let i = 0; i < 10; i += 1) expect(await ask("POST", "/api/nowhere", [WRONG])).toBe(401);
  expect(seen).toEqual([{ type: "error", data: { code: "token", message: expect.any(String) } }]);
  expect(await ask("POST", "/api/playback/stop", [RIGHT])).toBe(200);
});
