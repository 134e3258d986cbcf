import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ContractDevice, RECITER, startContractDevice } from "./device.ts";
import { ENDPOINTS, quote } from "./document.ts";

const OTHER = "192.168.1.1";
const TEN_SECONDS_MS = 10_000;
const MINUTE_MS = 60_000;

let device: ContractDevice;
let client: string;
let clients = 0;
beforeAll(async () => {
  device = await startContractDevice({ isLimited: true });
});
afterAll(() => device.close());
// Each test has a client of its own, with all of its budgets.
beforeEach(() => {
  clients += 1;
  client = `192.168.0.${clients}`;
});

type Method = "GET" | "POST" | "DELETE";

/** The statuses of so many requests of one client. */
async function send(count: number, method: Method, path: string, { body = {}, from = client } = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    statuses.push((await device.send(method, path, { from, ...(method === "POST" && { body }) })).status);
  }
  return statuses;
}
const isRefused = (status: number) => status === 429;
const countRefused = (statuses: number[]) => statuses.filter(isRefused).length;

/** A limit of the document, and a request that it counts. */
const LIMITS: readonly (readonly [row: string, method: Method, path: string, limit: number, windowMs: number])[] = [
  [
    quote("| Playback-class budget in the handler skeleton | 20 requests per 10 000 ms window |"),
    "POST",
    "/playback/stop",
    20,
    TEN_SECONDS_MS,
  ],
  [quote("| Firmware pull and upload | 2 requests per minute each |"), "POST", "/ota/pull", 2, MINUTE_MS],
  ["the same row for an upload", "POST", "/ota/upload", 2, MINUTE_MS],
  [quote("| Screenshot | 10 requests per 10 seconds |"), "GET", "/debug/screenshot", 10, TEN_SECONDS_MS],
];

describe.each(LIMITS)("%s", (_row, method, path, limit, windowMs) => {
  it(`${method} ${path}: request ${limit} passes, and request ${limit + 1} is 429`, async () => {
    expect(countRefused(await send(limit, method, path))).toBe(0);
    const refused = await device.send(method, path, { from: client, ...(method === "POST" && { body: {} }) });
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ error: expect.any(String) });
  });

  it(`${method} ${path}: is refused until the window of ${windowMs} ms ends, and not longer`, async () => {
    await send(limit, method, path);
    await device.clock.advance(windowMs - 1);
    expect(await send(1, method, path)).toEqual([429]);
    await device.clock.advance(1);
    expect(countRefused(await send(limit, method, path))).toBe(0);
    expect(await send(1, method, path)).toEqual([429]);
  });

  it(`${method} ${path}: Retry-After is the time that is left`, async () => {
    await send(limit, method, path);
    const retryAfter = async () =>
      Number(
        (await device.send(method, path, { from: client, ...(method === "POST" && { body: {} }) })).headers[
          "retry-after"
        ],
      );
    expect(await retryAfter()).toBe(windowMs / 1000);
    await device.clock.advance(4000);
    expect(await retryAfter()).toBe(windowMs / 1000 - 4);
  });
});

describe(quote("Rate limiting is per client and per endpoint class, fixed-window; exceeding it returns 429."), () => {
  it("another client is not refused", async () => {
    await send(21, "POST", "/playback/stop");
    expect(countRefused(await send(20, "POST", "/playback/stop", { from: OTHER }))).toBe(0);
  });

  it("another class is not refused", async () => {
    await send(21, "POST", "/playback/stop");
    expect(await send(1, "POST", "/settings/brightness", { body: { brightness: 5 } })).toEqual([200]);
    expect(countRefused(await send(1, "GET", "/debug/screenshot"))).toBe(0);
    expect(await send(1, "GET", "/favorites")).toEqual([200]);
  });

  it("pull and upload are counted apart", async () => {
    await send(3, "POST", "/ota/pull");
    expect(countRefused(await send(2, "POST", "/ota/upload"))).toBe(0);
  });

  it("the routes of the playback class share its budget", async () => {
    const path = `${RECITER}/002.mp3`;
    const routes = ["/playback/pause", "/playback/resume", "/playback/stop", "/playback/play"];
    for (let count = 0; count < 20; count += 1) await send(1, "POST", routes[count % 4] ?? "", { body: { path } });
    expect(await send(1, "POST", "/playback/next")).toEqual([429]);
  });

  it("the window is fixed: it begins with the first request and frees all of it at once", async () => {
    await send(1, "POST", "/playback/stop");
    await device.clock.advance(9000);
    await send(19, "POST", "/playback/stop");
    expect(await send(1, "POST", "/playback/stop")).toEqual([429]);
    await device.clock.advance(1000);
    expect(countRefused(await send(20, "POST", "/playback/stop"))).toBe(0);
  });
});

it(quote("| 429 | Rate limit exceeded for that endpoint class |"), async () => {
  const statuses = await send(25, "POST", "/playback/stop");
  expect(statuses.slice(0, 20)).toEqual(statuses.slice(0, 20).map(() => 200));
  expect(statuses.slice(20)).toEqual([429, 429, 429, 429, 429]);
  expect((await device.status()).state).toBe("stopped");
});

describe(quote("Status polls are generously budgeted."), () => {
  const POLLS = ["/playback/status", "/playback/mode", "/prayer", "/system", "/battery", "/ota/status"];

  it.each(POLLS)("GET %s may be read five times a second", async (path) => {
    expect(countRefused(await send(50, "GET", path))).toBe(0);
  });

  it("they do not use up the budget of commands", async () => {
    await send(50, "GET", "/playback/status");
    expect(countRefused(await send(20, "POST", "/playback/stop"))).toBe(0);
  });
});

describe("the budgets in the tables of endpoints", () => {
  it.each([
    [quote("| POST | /ota/upload | yes | 2 per minute |"), 3],
    [quote("| POST | /ota/pull | yes | 2 per minute |"), 3],
    [quote("| GET | /debug/screenshot | yes | 10 per 10 seconds |"), 11],
  ])("%s", async (row, count) => {
    const [, method = "", path = ""] = row.split("|").map((cell) => cell.trim());
    expect(countRefused(await send(count, method as Method, path))).toBe(1);
  });
});

/** The values at both ends of a range, and beside it. */
const RANGES: readonly (readonly [
  row: string,
  path: string,
  body: (value: number) => object,
  min: number,
  max: number,
])[] = [
  [quote("| Volume | 0..100 |"), "/playback/volume", (volume) => ({ volume }), 0, 100],
  [quote("| Brightness | 0..255 |"), "/settings/brightness", (brightness) => ({ brightness }), 0, 255],
  [
    quote("| Auto-off minutes | 0..240 (0 disables) |"),
    "/settings/auto-off",
    (auto_off_minutes) => ({ auto_off_minutes }),
    0,
    240,
  ],
  [quote("| Hifz pause_s | 0..600 |"), "/playback/mode", (pause_s) => ({ mode: "hifz_repeat", pause_s }), 0, 600],
];

describe.each(RANGES)("%s", (_row, path, body, min, max) => {
  it("accepts both ends, and refuses what lies beside them", async () => {
    for (const [value, status] of [
      [min - 1, 400],
      [min, 200],
      [max, 200],
      [max + 1, 400],
    ] as const) {
      expect([value, (await device.post(path, body(value))).status]).toEqual([value, status]);
    }
  });
});

it("every endpoint of the document is counted in some class", () => {
  const routes = device.app.registeredRoutes.map(({ method, path, config }) => [`${method} ${path}`, config.budget]);
  const budgets = new Map(routes as [string, string | undefined][]);
  for (const { method, path } of ENDPOINTS) {
    const route = `${method} /api${path.split("?")[0]?.replace(/\{(\w+)\}/, ":$1")}`;
    expect([route, budgets.get(route)]).toEqual([route, expect.any(String)]);
  }
});
