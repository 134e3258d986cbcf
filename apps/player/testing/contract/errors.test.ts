import { Problem } from "@kit/problem";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TOKEN } from "../test-player.ts";
import { type ContractDevice, type ContractDeviceOptions, RECITER, startContractDevice } from "./device.ts";
import { ENDPOINTS, quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice({ hasScreen: true });
});
afterAll(() => device.close());

const isObject = (value: unknown) => Object.prototype.toString.call(value) === "[object Object]";

describe("the top level", () => {
  const READS = ENDPOINTS.filter(({ method, path }) => method === "GET" && path !== "/debug/screenshot");

  it.each(READS)("$row: answers an object", async ({ path }) => {
    const answer = await device.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toContain("application/json");
    expect(isObject(JSON.parse(answer.text))).toBe(true);
  });

  const POSTS = ENDPOINTS.filter(({ method }) => method === "POST");

  it.each(POSTS)(`$row: answers an object: ${quote("Requests and responses are JSON.")}`, async ({ path }) => {
    const answer = await device.post(path.replace("{id}", "1"), {});
    expect(isObject(JSON.parse(answer.text))).toBe(true);
    expect(answer.headers["content-type"]).toContain("application/json");
  });

  const WITH_BODY = POSTS.filter(({ row }) => !/\| nothing \||raw firmware/.test(row));

  it.each(WITH_BODY.map((each) => [each.row, each.path] as const))(
    `%s: ${quote("The top level of every body is an object, never a scalar.")}`,
    async (_row, path) => {
      for (const payload of ['"text"', "5", "true", "null", "[]", "[{}]", "{", "", "{'a':1}"]) {
        const { statusCode, body } = await device.app.inject({
          method: "POST",
          url: `/api${path.replace("{id}", "1")}`,
          headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
          payload,
        });
        expect([payload, statusCode, JSON.parse(body)]).toEqual([payload, 400, { error: expect.any(String) }]);
      }
    },
  );
});

describe(
  quote("Error body: an object with one field, error (human-readable string; for logs and humans, not for parsing)."),
  () => {
    it.each([
      [400, "POST", "/playback/volume", { volume: 101 }, TOKEN],
      [401, "POST", "/playback/volume", { volume: 50 }, "wrong"],
      [404, "DELETE", "/favorites/999", undefined, TOKEN],
      [404, "GET", "/nothing", undefined, TOKEN],
    ] as const)("%i of %s %s", async (status, method, path, body, token) => {
      const answer = await device.send(method, path, { token, ...(body && { body }) });
      expect(answer.status).toBe(status);
      expect(answer.headers["content-type"]).toContain("application/json");
      expect(answer.body).toEqual({ error: expect.stringMatching(/\S/) });
    });
  },
);

describe(quote("Success bodies are objects, for example with a success boolean."), () => {
  it("a mutation answers success true", async () => {
    expect((await device.post("/playback/stop")).body.success).toBe(true);
  });

  it("a refusal does not", async () => {
    expect((await device.post("/playback/volume", {})).body).not.toHaveProperty("success");
  });
});

it(quote("| 200 | Success; body is the result object |"), async () => {
  for (const volume of [10, 20]) {
    expect(await device.post("/playback/volume", { volume })).toMatchObject({ status: 200, body: { volume } });
  }
});

describe(quote("| 400 | Malformed body or invalid value; error names the field. Also seek on a live stream |"), () => {
  it("a malformed body", async () => {
    const { statusCode } = await device.app.inject({
      method: "POST",
      url: "/api/playback/volume",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      payload: '{"volume":',
    });
    expect(statusCode).toBe(400);
  });

  it.each([
    ["/playback/volume", { volume: 101 }, "volume"],
    ["/settings/brightness", { brightness: 256 }, "brightness"],
    ["/playback/mode", { mode: "hifz_ab", ab: { from: 1, to: "x" } }, "ab.to"],
    ["/prayer/config", { adhan: { volume: 101 } }, "adhan.volume"],
  ])("POST %s %j names %s", async (path, body, field) => {
    const answer = await device.post(path, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(field) } });
  });

  it("seek on a live stream", async () => {
    await device.playStream();
    expect((await device.post("/playback/seek", { position: 1 })).status).toBe(400);
    await device.calm();
  });
});

it(quote("| 401 | Missing or wrong bearer token |"), async () => {
  expect((await device.post("/playback/stop", undefined, { token: undefined })).status).toBe(401);
  expect((await device.post("/playback/stop", undefined, { token: "0".repeat(64) })).status).toBe(401);
  expect((await device.post("/playback/stop")).status).toBe(200);
});

describe(quote("| 404 | Unknown entity: favorite id, card uid, station id |"), () => {
  it.each(["/favorites/999", "/rfid/cards/04FFFFFF", "/radio/stations/999"])("DELETE %s", async (path) => {
    expect((await device.remove(path)).status).toBe(404);
  });
});

async function startOwn(options: ContractDeviceOptions): Promise<ContractDevice> {
  const own = await startContractDevice(options);
  onTestFinished(() => own.close());
  return own;
}

const FAILURE = new Problem("failed", "part: it does not answer");
const broken = async () => Promise.reject(FAILURE);

describe(quote("| 500 | Device-side failure |"), () => {
  it("POST /settings/brightness when the backlight does not answer", async () => {
    const own = await startOwn({ parts: { backlight: { start: async () => undefined, set: broken } } });
    expect((await own.post("/settings/brightness", { brightness: 5 })).status).toBe(500);
  });

  it("POST /system/sleep when the device cannot sleep", async () => {
    const own = await startOwn({ parts: { power: undefined } });
    const answer = await own.post("/system/sleep");
    expect(answer).toMatchObject({ status: 500, body: { error: expect.any(String) } });
    expect(Object.keys(answer.body)).toEqual(["error"]);
  });

  it("GET /battery when the gauge does not answer", async () => {
    const own = await startOwn({ parts: { battery: { read: broken } } });
    expect((await own.get("/battery")).status).toBe(500);
  });

  it("POST /playback/play when there is no audio", async () => {
    const own = await startOwn({});
    own.engine.refuseStart(FAILURE);
    own.engine.emitLife({ type: "gone", why: "audio: gone" });
    expect((await own.post("/playback/play", { path: `${RECITER}/002.mp3` })).status).toBe(500);
    expect((await own.status()).state).toBe("stopped");
  });

  it("GET /debug/screenshot when there is no display", async () => {
    const own = await startOwn({ hasScreen: false });
    expect((await own.get("/debug/screenshot")).status).toBe(500);
  });

  it("does not reveal the inside of the device", async () => {
    const read = async () => Promise.reject(new TypeError("cannot read /secret/place"));
    const own = await startOwn({ parts: { battery: { read } } });
    const answer = await own.get("/battery");
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain("secret");
  });
});
