import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { createTestPlayer, TOKEN } from "../testing/test-player.ts";

describe("GET /api/system", () => {
  it("returns version, uptime in seconds, memory, storage and boot failures", async () => {
    const player = await createTestPlayer();
    const { app, clock, engine } = player;
    engine.refuseStart(new Problem("failed", "audio: mpv is not installed"));
    await player.start();
    await clock.advance(61_500);
    const answered = await app.inject("/api/system");
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({
      version: "1.2.3",
      uptime: 61,
      free_heap: expect.any(Number),
      nvs: {
        used_entries: expect.any(Number),
        free_entries: expect.any(Number),
        total_entries: expect.any(Number),
        bytes: expect.any(Number),
      },
      boot_failures: [{ component: "audio", error: "mpv is not installed" }],
      warnings: [],
    });
    await player.close();
  });
});

describe("refusals", () => {
  it.each([
    ["GET", "/api/nowhere", {}, 404],
    ["GET", "/api/%zz", {}, 400],
    ["POST", "/api/nowhere", {}, 401],
    ["DELETE", "/api/favorites/999", {}, 401],
    ["DELETE", "/api/favorites/999", { authorization: `Bearer ${TOKEN}` }, 404],
    ["POST", "/api/nowhere", { authorization: "Bearer wrong" }, 401],
    ["POST", "/api/nowhere", { authorization: `Bearer ${TOKEN}` }, 404],
    ["POST", "/", {}, 401],
  ])("answers %s %s %j with %i and a body with only the field error", async (method, url, headers, status) => {
    const { app } = await createTestPlayer();
    const refused = await app.inject({ method: method as "GET", url, headers });
    expect(refused.statusCode).toBe(status);
    expect(refused.json()).toEqual({ error: expect.any(String) });
    expect(refused.body).not.toContain(TOKEN);
  });

  it.each([
    ["status", "GET", "/api/system", 120, {}],
    ["read", "GET", "/api/favorites", 60, {}],
    ["playback", "POST", "/api/playback/stop", 20, { authorization: `Bearer ${TOKEN}` }],
    ["playback, also without the token", "POST", "/api/playback/stop", 20, {}],
    ["mutation", "POST", "/api/favorites", 30, { authorization: `Bearer ${TOKEN}` }],
  ])("answers the %s request beyond its budget of ten seconds with 429 and a retry time", async (...row) => {
    const [, method, url, limit, headers] = row;
    const { app, clock } = await createTestPlayer({ isLimited: true });
    const ask = () => app.inject({ method: method as "GET", url, headers });
    for (let i = 0; i < limit; i += 1) expect((await ask()).statusCode).not.toBe(429);
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("10");
    expect(refused.json()).toEqual({ error: "too many requests; see Retry-After" });
    await clock.advance(10_000);
    expect((await ask()).statusCode).not.toBe(429);
  });
});

it("counts requests without the token separately, so that they cannot use up the owner's budget", async () => {
  const { app } = await createTestPlayer({ isLimited: true });
  const stop = (headers = {}) => app.inject({ method: "POST", url: "/api/playback/stop", headers });
  for (let count = 0; count < 40; count += 1) await stop({ authorization: "Bearer wrong" });
  expect((await stop()).statusCode).toBe(429);
  expect((await stop({ authorization: `Bearer ${TOKEN}` })).statusCode).toBe(200);
});

it("refuses to start with a route that declares no access", async () => {
  const { app } = await createTestPlayer();
  expect(() => app.get("/api/open", async () => ({}))).toThrow("GET /api/open declares no access or no budget");
});

it("counts sleep, reset and Wi-Fi separately, so that three password attempts leave the other two usable", async () => {
  const { app } = await createTestPlayer({ isLimited: true });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const send = async (url: string, payload: object) =>
    (await app.inject({ method: "POST", url, headers, payload })).statusCode;
  const wifi: number[] = [];
  for (let count = 0; count < 4; count += 1) wifi.push(await send("/api/settings/wifi", { ssid: "" }));
  expect(wifi).toEqual([400, 400, 400, 429]);
  const sleep: number[] = [];
  for (let count = 0; count < 4; count += 1) sleep.push(await send("/api/system/sleep", {}));
  expect(sleep.map((status) => status === 429)).toEqual([false, false, false, true]);
  const reset: number[] = [];
  for (let count = 0; count < 4; count += 1) reset.push(await send("/api/reset", {}));
  expect(reset.map((status) => status === 429)).toEqual([false, false, false, true]);
});
