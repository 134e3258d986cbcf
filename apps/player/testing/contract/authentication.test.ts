import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type DeviceToken, openDeviceToken } from "../../src/token/device-token.ts";
import { TOKEN } from "../test-player.ts";
import { type ContractDevice, startContractDevice } from "./device.ts";
import { ENDPOINTS, quote } from "./document.ts";

const WRONG = "d".repeat(64);
const DAY_MS = 86_400_000;
/** Decision 0029 departs from the document here, after a person in front of the device has asked for it. */
const DEPARTURE = "POST /api/pairing";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice({ hasScreen: true });
});
afterAll(() => device.close());

/** A parameter names something that does not exist. */
const send = (method: "GET" | "POST" | "DELETE", path: string, token: string | undefined) =>
  device.send(method, path.replace(/\{\w+\}/, "999"), { token, ...(method === "POST" && { body: {} }) });

const OPEN = ENDPOINTS.filter(({ needsToken }) => !needsToken);
const GUARDED = ENDPOINTS.filter(({ needsToken }) => needsToken);

describe(quote("Auth column: yes means the bearer token is required. Bodies are JSON objects."), () => {
  it("has 49 rows, 12 of them without the token", () => {
    expect([ENDPOINTS.length, OPEN.length]).toEqual([49, 12]);
  });

  it.each(GUARDED)("$row: without a token 401", async ({ method, path }) => {
    const answer = await send(method, path, undefined);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: expect.any(String) });
  });

  it.each(GUARDED)("$row: with a wrong token 401", async ({ method, path }) => {
    const answer = await send(method, path, WRONG);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: expect.any(String) });
  });

  it.each(GUARDED)("$row: the right token is accepted", async ({ method, path }) => {
    expect((await send(method, path, TOKEN)).status).not.toBe(401);
  });

  it.each(OPEN)("$row: public without a token", async ({ method, path }) => {
    expect((await send(method, path, undefined)).status).toBe(200);
  });

  it.each(OPEN)("$row: public with a wrong token", async ({ method, path }) => {
    expect((await send(method, path, WRONG)).status).toBe(200);
  });

  it.each(OPEN)("$row: public with the right token", async ({ method, path }) => {
    expect((await send(method, path, TOKEN)).status).toBe(200);
  });
});

describe(quote("7. A missing or wrong token yields 401."), () => {
  it.each([
    ["Bearer", "no token"],
    ["Bearer ", "an empty token"],
    [TOKEN, "no scheme"],
    [`Basic ${TOKEN}`, "another scheme"],
    [`Bearer ${TOKEN.slice(0, -1)}`, "a token that is one digit short"],
    [`Bearer ${TOKEN}0`, "a token that is one digit long"],
    [`Bearer ${TOKEN.toUpperCase()}`, "a token in capitals"],
    [`Bearer ${TOKEN.slice(0, -1)}1`, "a token with another last digit"],
  ])("'%s' is refused: %s", async (authorization) => {
    const answer = await device.post("/playback/stop", undefined, { token: undefined, headers: { authorization } });
    expect(answer.status).toBe(401);
  });

  it("an unknown entity is not revealed without the token", async () => {
    expect((await send("DELETE", "/favorites/1", undefined)).status).toBe(401);
  });
});

describe(quote("1. Every mutating endpoint requires the header Authorization: Bearer <DEVICE_TOKEN>."), () => {
  it("is true of the documented endpoints", () => {
    expect(ENDPOINTS.filter(({ method, needsToken }) => method !== "GET" && !needsToken)).toEqual([]);
  });
});

describe(
  quote(
    "5. Public (no token): GET /playback/status, GET /playback/mode, GET /library/*, GET /favorites, GET /radio/stations, GET /prayer, GET /schedules, GET /settings (redacted), GET /system, GET /battery, GET /ota/status, and the WebSocket and dashboard routes.",
  ),
  () => {
    it.each([
      "/playback/status",
      "/playback/mode",
      "/library/reciters",
      "/library/surahs?reciter=Husary",
      "/library/files",
      "/favorites",
      "/radio/stations",
      "/prayer",
      "/schedules",
      "/settings",
      "/system",
      "/battery",
      "/ota/status",
    ])("GET %s", async (path) => {
      expect((await device.get(path, { token: undefined })).status).toBe(200);
    });

    it.each(["//ws", "/ws"])("GET %s wants an upgrade, not a token", async (path) => {
      expect((await device.get(path, { token: undefined })).status).toBe(400);
    });
  },
);

describe(
  quote("6. Token required: every POST and DELETE, plus GET /rfid/cards, GET /rfid/scan and GET /debug/screenshot."),
  () => {
    it.each(["/rfid/cards", "/rfid/scan", "/debug/screenshot"])("GET %s", async (path) => {
      expect((await device.get(path, { token: undefined })).status).toBe(401);
      expect((await device.get(path)).status).toBe(200);
    });

    it("is true of every POST and DELETE that the device serves", async () => {
      const mutating = device.app.registeredRoutes
        .filter(({ method }) => method !== "GET" && method !== "HEAD")
        .filter(({ method, path }) => `${method} ${path}` !== DEPARTURE);
      expect(mutating.length).toBeGreaterThanOrEqual(30);
      for (const { method, path } of mutating) {
        const answer = await device.app.inject({
          method: method as "POST",
          url: path.replace(/:\w+/, "1"),
          payload: {},
        });
        expect([method, path, answer.statusCode]).toEqual([method, path, 401]);
      }
    });
  },
);

/** A device with a stored token of its own, and what it has printed. */
async function openOwnToken() {
  const dataFolder = await mkdtemp(join(tmpdir(), "contract-token-"));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const ids = createIds(createFakeClock());
  const printed: string[] = [];
  const open = () =>
    openDeviceToken({ dataFolder, ids, log: silentLog, onNew: ({ value }) => void printed.push(value) });
  return { token: await open(), printed, open };
}

async function startWith(token: DeviceToken): Promise<ContractDevice> {
  const own = await startContractDevice({ token });
  onTestFinished(() => own.close());
  return own;
}

describe(quote("2. There is one token per device: 32 random bytes, hex-encoded."), () => {
  it("has 64 hexadecimal digits", async () => {
    const { token } = await openOwnToken();
    expect(token.current()).toMatch(/^[0-9a-f]{64}$/);
    expect(Buffer.from(token.current(), "hex")).toHaveLength(32);
  });

  it("is another one on every device, and spreads over all digits", async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, async () => (await openOwnToken()).token.current()));
    expect(new Set(tokens).size).toBe(8);
    expect(new Set(tokens.join("")).size).toBe(16);
  });
});

describe(quote("It is generated on first boot, stored persistently, and printed only on the serial console."), () => {
  it("is the same after a restart", async () => {
    const { token, open } = await openOwnToken();
    expect((await open()).current()).toBe(token.current());
  });

  it("is announced on the first boot, and on no later one", async () => {
    const { token, printed, open } = await openOwnToken();
    token.announce();
    expect(printed).toEqual([token.current()]);
    (await open()).announce();
    expect(printed).toHaveLength(1);
  });

  it("is written by the program to the console of the device only", () => {
    const main = readFileSync(join(import.meta.dirname, "../../src/main.ts"), "utf8");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source text.
    expect(main.match(/.*\$\{value\}.*/g)).toEqual(["      deviceConsole?.write(`Device token: ${value}\\n`);"]);
  });

  it("appears in no line of the log", async () => {
    const { token } = await openOwnToken();
    const lines: string[] = [];
    const write = (fields: object, message?: string) => void lines.push(JSON.stringify(fields) + message);
    const log = { ...silentLog, debug: write, info: write, warn: write, error: write };
    const own = await startContractDevice({ token, log });
    onTestFinished(() => own.close());
    for (const { method, path } of ENDPOINTS)
      await own.send(method, path.replace(/\{\w+\}/, "9"), { token: token.current() });
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => line.includes(token.current()))).toEqual([]);
  });
});

describe(quote("It is never served over the network."), () => {
  it.each(ENDPOINTS.filter(({ method }) => method === "GET"))("$row", async ({ method, path }) => {
    const answer = await send(method, path, TOKEN);
    expect(answer.text).not.toContain(TOKEN);
    expect(JSON.stringify(answer.headers)).not.toContain(TOKEN);
  });

  it.each(ENDPOINTS.filter(({ method }) => method === "POST"))("$row", async ({ method, path }) => {
    const answer = await send(method, path, TOKEN);
    expect(answer.text).not.toContain(TOKEN);
    expect(JSON.stringify(answer.headers)).not.toContain(TOKEN);
  });
});

describe(quote("A factory reset generates a new one."), () => {
  it("the former token is refused, and the new one is accepted and printed", async () => {
    const { token, printed } = await openOwnToken();
    const own = await startWith(token);
    const former = token.current();
    const answer = await own.post("/reset", undefined, { token: former });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(token.current()).toMatch(/^[0-9a-f]{64}$/);
    expect(token.current()).not.toBe(former);
    expect((await own.post("/playback/stop", undefined, { token: former })).status).toBe(401);
    expect((await own.post("/playback/stop", undefined, { token: token.current() })).status).toBe(200);
    expect(printed).toEqual([token.current()]);
    expect(answer.text).not.toContain(token.current());
  });
});

describe(quote("3. The token is compared in constant time."), () => {
  const sources = readdirSync(join(import.meta.dirname, "../../src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/test\.ts$/.test(path))
    .map((path) => [path, readFileSync(join(import.meta.dirname, "../../src", path), "utf8")] as const);

  it("one function compares it, by timingSafeEqual over digests of equal length", () => {
    const token = sources.find(([path]) => path === "token/token.ts")?.[1] ?? "";
    expect(token).toContain("return timingSafeEqual(digestOf(presented), digestOf(token));");
  });

  it("no source compares it with an operator", () => {
    const compares = /\b(?:token|presented|current\(\)) ?[!=]==(?! ?undefined)|[!=]== ?(?:token|presented)\b/;
    const found = sources.filter(([, text]) => compares.test(text));
    expect(found.map(([path]) => path)).toEqual([]);
  });
});

describe(quote("4. There are no sessions, cookies, user accounts or token expiry."), () => {
  it.each(ENDPOINTS)("$row: sets no cookie", async ({ method, path }) => {
    expect((await send(method, path, TOKEN)).headers).not.toHaveProperty("set-cookie");
  });

  it("the token is still accepted after ten years", async () => {
    device.clock.jumpTo(new Date(device.clock.now().getTime() + 3652 * DAY_MS));
    expect((await device.post("/playback/stop")).status).toBe(200);
  });

  it("a request without the token is refused, also right after one with it from the same client", async () => {
    expect((await device.post("/playback/stop", undefined, { from: "192.168.0.7" })).status).toBe(200);
    const next = await device.post("/playback/stop", undefined, { from: "192.168.0.7", token: undefined });
    expect(next.status).toBe(401);
  });
});
