import { readFile } from "node:fs/promises";
import { listRoutes } from "@kit/testing/route-tables";
import { expect, it } from "vitest";
import { count } from "../counts.ts";
import { makeCard } from "./card.ts";
import { type Answer, type Headers, type Question, startPlayerForTest, untilScanned } from "./client.ts";

const OPENAPI = new URL("../../docs/api/player.openapi.json", import.meta.url);

type Route = Pick<Question, "method" | "path">;

/** Every route that is served and needs the token. */
async function readProtectedRoutes(): Promise<Route[]> {
  return listRoutes(JSON.parse(await readFile(OPENAPI, "utf8")))
    .filter(({ needs }) => needs === "token")
    .map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, "1") }));
}

const bearer = (token: string) => `Bearer ${token}`;
const otherDigitThan = (digit: string) => ((Number.parseInt(digit, 16) + 1) % 16).toString(16);

/** Prefixes of the token, and the token with one digit changed. */
function nearlyRight(token: string): Headers[] {
  const digits = token.split("");
  const beginnings = digits.map((_, length) => bearer(token.slice(0, length)));
  const changed = digits.map((digit, at) => bearer(token.slice(0, at) + otherDigitThan(digit) + token.slice(at + 1)));
  return [...beginnings, ...changed].map((authorization) => ({ authorization }));
}

function wronglySent(token: string): Headers[] {
  const right = bearer(token);
  const wrong = bearer("0".repeat(64));
  const sent = [
    "",
    "Bearer",
    token,
    `Basic ${token}`,
    `Bearer  ${token}`,
    `Bearer${token}`,
    bearer(token.toUpperCase()),
    bearer(`${token}0`),
    bearer(`${token} junk`),
    bearer(`${token},`),
    bearer(`"${token}"`),
    `${right}, ${right}`,
    [right, right],
    [right, wrong],
    [wrong, right],
  ];
  return [{}, ...sent.map((authorization) => ({ authorization }))];
}

it("refuses every other token on every protected route without any effect", async () => {
  const routes = await readProtectedRoutes();
  expect(routes).toContainEqual({ method: "POST", path: "/api/playback/play" });
  const { client } = await startPlayerForTest(await makeCard({ reciters: { Husary: [1] } }), {
    PLAYER_LIMITS: "off",
  });
  const before = (await client.get("/api/playback/status")).text;
  const passed: unknown[] = [];
  let sent = 0;

  async function send(route: Route | undefined, headers: Headers): Promise<void> {
    if (!route) return;
    const { status, body } = await client.ask({ ...route, headers, text: "{}" });
    sent += 1;
    if (status !== 401 || Object.keys(body).join() !== "error") passed.push([route, headers, status, body]);
  }

  for (const [index, headers] of nearlyRight(client.token).entries()) {
    // In a small run each token is sent to one route, a different one each time.
    for (let i = 0; i < count({ ci: 1, full: routes.length }); i += 1)
      await send(routes[(index + i) % routes.length], headers);
  }
  // In a small run each way to send it wrongly reaches every fifth route, others each time.
  const stride = count({ ci: 5, full: 1 });
  for (const [index, headers] of wronglySent(client.token).entries())
    for (const route of routes.filter((_, at) => at % stride === index % stride)) await send(route, headers);

  console.log(`player token: ${sent} requests with a wrong one on ${routes.length} routes, ${passed.length} passed`);
  expect(passed).toEqual([]);
  expect((await client.get("/api/playback/status")).text).toBe(before);
  expect((await client.get("/api/favorites")).body).toEqual({ favorites: [] });
  expect((await client.post("/api/playback/stop")).status).toBe(200);
});

it("reports more than ten wrong tokens a minute once, and never locks the owner out", async () => {
  const { client } = await startPlayerForTest(await makeCard({ reciters: { Husary: [1] } }), {
    PLAYER_LIMITS: "off",
  });
  const live = await client.socket();
  const guess = async (times: number) => {
    for (let i = 0; i < times; i += 1)
      expect((await client.post("/api/playback/stop", undefined, { token: "0".repeat(64) })).status).toBe(401);
    // The event of the owner's own command arrives after all events of the guesses.
    expect((await client.post("/api/playback/volume", { volume: 10 })).status).toBe(200);
    await live.next("volume");
    return live.events.filter(({ type }) => type === "error").map(({ data }) => data);
  };
  expect(await guess(10)).toEqual([]);
  const alarm = [{ code: expect.any(String), message: expect.any(String) }];
  expect(await guess(1)).toEqual(alarm);
  expect(await guess(30)).toEqual(alarm);
  await live.close();
});

it("never reveals the token in an answer, an event or the log", async () => {
  const card = await makeCard({ reciters: { Husary: [1, 2] } });
  const { service, client } = await startPlayerForTest(card, { PLAYER_LIMITS: "off" });
  await untilScanned(client);
  const live = await client.socket();
  const answers: Answer[] = [];
  const { token, get, post, del } = client;
  const surah = { type: "surah", reciter: "Husary", surah: 1 };
  const steps: (() => Promise<Answer>)[] = [
    () => post("/api/playback/play", { path: "Husary/001.mp3" }),
    () => post("/api/playback/play", { path: "../x" }),
    () => post("/api/playback/play", { url: "http://radio.invalid/live" }),
    () => post("/api/playback/play", { path: "Husary/002.mp3" }),
    () => post("/api/playback/seek", { position: 500 }),
    () => post("/api/playback/pause"),
    () => post("/api/playback/resume"),
    () => post("/api/playback/prev"),
    () => post("/api/playback/next"),
    () => post("/api/playback/volume", { volume: 20 }),
    () => post("/api/playback/volume", { volume: 200 }),
    () => post("/api/playback/mode", { mode: "hifz_repeat", repeat: 2 }),
    () => get("/api/playback/mode"),
    () => post("/api/playback/sleep-timer", { minutes: 1 }),
    () => post("/api/playback/stop"),
    () => post("/api/playback/resume-saved"),
    () => get("/api/playback/status"),
    () => post("/api/favorites", surah),
    () => post("/api/favorites/toggle", surah),
    () => post("/api/favorites/toggle", surah),
    () => get("/api/favorites"),
    () => del("/api/favorites/2"),
    () => del("/api/favorites/999"),
    () => post("/api/radio/stations", { name: "Radio", url: "http://radio.invalid/live" }),
    () => get("/api/radio/stations"),
    () => del("/api/radio/stations/1"),
    () => get("/api/library/reciters"),
    () => get("/api/library/surahs?reciter=Husary"),
    () => get("/api/library/files"),
    () => post("/api/settings/auto-resume", { enabled: true }),
    () => post("/api/settings", { max_volume: 90 }),
    () => get("/api/system"),
    () => get("/api/nowhere"),
    () => get("/"),
    ...[...nearlyRight(token), ...wronglySent(token)].map(
      (headers) => () => client.ask({ method: "POST", path: "/api/playback/pause", headers }),
    ),
  ];
  for (const step of steps) answers.push(await step());
  await live.next("hifz", () => true, 1000);
  const events = JSON.stringify(live.events);
  await live.close();
  await service.stop();

  expect(answers.length).toBeGreaterThan(150);
  expect(live.events.length).toBeGreaterThan(15);
  const shown = [...answers.map(({ headers, text }) => JSON.stringify(headers) + text), events, service.output()]
    .join("\n")
    .toLowerCase();
  // Not even a part of it, such as a wrong token in the log.
  for (let at = 0; at + 12 <= token.length; at += 4) expect(shown).not.toContain(token.slice(at, at + 12));
});
