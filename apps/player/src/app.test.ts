import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { describe, expect, it } from "vitest";
import { createPlayerApp } from "./app.ts";
import { createSystemService } from "./system/system.service.ts";

const TOKEN = "c0ffee".padEnd(64, "0");

async function createTestApp(isLimited = false) {
  const clock = createFakeClock();
  const nvs = { used_entries: 2, free_entries: 8, total_entries: 10, bytes: 99 };
  const boot_failures = [{ component: "rtc", error: "no answer on the bus" }];
  const system = createSystemService({
    version: "1.2.3",
    clock,
    freeMemory: () => 1024,
    measureStorage: async () => nvs,
    boot_failures,
  });
  const app = await createPlayerApp({
    clock,
    ids: createFakeIds(),
    log: silentLog,
    tls: undefined,
    isLimited,
    dashboardFolder: import.meta.dirname,
    currentToken: () => TOKEN,
    system,
  });
  return { app, clock };
}

describe("GET /api/system", () => {
  it("answers version, uptime in seconds, memory, storage and what failed at boot", async () => {
    const { app, clock } = await createTestApp();
    await clock.advance(61_500);
    const answered = await app.inject("/api/system");
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({
      version: "1.2.3",
      uptime: 61,
      free_heap: 1024,
      nvs: { used_entries: 2, free_entries: 8, total_entries: 10, bytes: 99 },
      boot_failures: [{ component: "rtc", error: "no answer on the bus" }],
      warnings: [],
    });
  });
});

describe("refusals", () => {
  it.each([
    ["GET", "/api/nowhere", {}, 404],
    ["GET", "/api/%zz", {}, 400],
    ["POST", "/api/nowhere", {}, 401],
    ["DELETE", "/api/favorites/999", {}, 401],
    ["POST", "/api/nowhere", { authorization: "Bearer wrong" }, 401],
    ["POST", "/api/nowhere", { authorization: `Bearer ${TOKEN}` }, 404],
    ["POST", "/", {}, 401],
  ])("answers %s %s %j with %i and exactly one field, error", async (method, url, headers, status) => {
    const { app } = await createTestApp();
    const refused = await app.inject({ method: method as "GET", url, headers });
    expect(refused.statusCode).toBe(status);
    expect(refused.json()).toEqual({ error: expect.any(String) });
    expect(refused.body).not.toContain(TOKEN);
  });

  it("answers the 121st status read of ten seconds with 429 and the time to wait", async () => {
    const { app, clock } = await createTestApp(true);
    for (let i = 0; i < 120; i += 1) expect((await app.inject("/api/system")).statusCode).toBe(200);
    const refused = await app.inject("/api/system");
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("10");
    expect(refused.json()).toEqual({ error: "too many requests; see Retry-After" });
    await clock.advance(10_000);
    expect((await app.inject("/api/system")).statusCode).toBe(200);
  });
});

it("does not start with a route that declares no access", async () => {
  const { app } = await createTestApp();
  expect(() => app.get("/api/open", async () => ({}))).toThrow("GET /api/open declares no access or no budget");
});
