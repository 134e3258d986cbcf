import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ADHAN, type ContractDevice, INSIDE, RECITER, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice();
});
afterAll(() => device.close());
beforeEach(() => device.calm());

const HOSTILE_PATHS = [
  "..",
  "../outside.mp3",
  "../card/Husary/002.mp3",
  "Husary/../../outside.mp3",
  "Husary/../Husary/002.mp3",
  "./../outside.mp3",
  "Husary//../../outside.mp3",
  "..\\outside.mp3",
  "%2e%2e/outside.mp3",
  "/etc/passwd",
  "/outside.mp3",
  "link.mp3",
  "Husary/002.mp3\u0000.mp3",
  "Husary/002.mp3\n",
];

/** What takes a path of the card. */
const PATHS: readonly (readonly [route: string, body: (path: string) => object])[] = [
  ["/playback/play", (path) => ({ path })],
  ["/schedules", (path) => ({ hour: 6, minute: 30, days: 127, target: { type: "file", path } })],
  ["/rfid/cards", (path) => ({ uid: "04A1B2C3", name: "Bedtime", binding: { type: "file", path } })],
];
/** Only these may name a file that is not on the card now, but never one outside of it. */
const OUTSIDE = HOSTILE_PATHS.filter((path) => !["link.mp3", "%2e%2e/outside.mp3"].includes(path));

describe(quote("paths must resolve inside the card mount (no .. segments)"), () => {
  it.each(HOSTILE_PATHS)("POST /playback/play refuses %j, and opens nothing", async (path) => {
    const loads = device.engine.loads.length;
    const answer = await device.post("/playback/play", { path });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining("path") } });
    expect(answer.text).not.toContain(device.folder);
    expect(device.engine.loads).toHaveLength(loads);
  });

  it.each(PATHS.slice(1).flatMap(([route, body]) => OUTSIDE.map((path) => [route, path, body] as const)))(
    "POST %s refuses %j",
    async (route, path, body) => {
      expect((await device.post(route, body(path))).status).toBe(400);
    },
  );

  it.each(OUTSIDE)("POST /prayer/config refuses %j as adhan.path", async (path) => {
    const answer = await device.post("/prayer/config", { adhan: { path } });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining("adhan.path") } });
  });

  it.each(["..", "../", "Husary/../..", "/etc", "%2e%2e"])("GET /library/files refuses %j", async (path) => {
    expect((await device.get(`/library/files?path=${encodeURIComponent(path)}`)).status).toBe(400);
  });

  it.each(["Husary/002.mp3", "./Husary/002.mp3", "Husary//002.mp3", ADHAN])("plays %j", async (path) => {
    expect((await device.post("/playback/play", { path })).status).toBe(200);
  });
});

describe(quote("seek must be a number"), () => {
  it.each(["1000", true, null, [1000], { ms: 1000 }])("%j is refused", async (position) => {
    await device.playFile();
    const answer = await device.post("/playback/seek", { position });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining("position") } });
  });

  it("a number that JSON does not have is refused", async () => {
    const { statusCode } = await device.app.inject({
      method: "POST",
      url: "/api/playback/seek",
      headers: { authorization: `Bearer ${"c0ffee".padEnd(64, "0")}`, "content-type": "application/json" },
      payload: '{"position":NaN}',
    });
    expect(statusCode).toBe(400);
  });
});

const HOSTILE_URLS = [
  ["another scheme", "ftp://radio.example.com/live"],
  ["a file", "file:///etc/passwd"],
  ["a script", "javascript:alert(1)"],
  ["an RTSP address", "rtsp://radio.example.com/live"],
  ["no scheme", "radio.example.com/live"],
  ["no host", "http:///live"],
  ["the device itself by name", "http://localhost/live"],
  ["the device itself by address", "http://127.0.0.1/live"],
  ["the device itself by IPv6", "http://[::1]/live"],
  ["the device itself as a number", "http://2130706433/live"],
  ["credentials of a cloud", "http://169.254.169.254/latest/meta-data"],
  ["every address", "http://0.0.0.0/live"],
  ["a line break", "http://radio.example.com/live\r\nHost: x"],
  ["a tab", "http://radio.example.com/\tlive"],
  ["a NUL", "http://radio.example.com/live\u0000"],
  ["a DEL", "http://radio.example.com/live\u007f"],
  ["an escape", "http://radio.example.com/\u001b[31m"],
  ["a C1 control character", "http://radio.example.com/\u0085live"],
] as const;

/** What takes the URL of a stream. */
const STREAMS: readonly (readonly [route: string, body: (url: string) => object])[] = [
  ["/playback/play", (url) => ({ url })],
  ["/favorites", (url) => ({ type: "stream", url, name: "Radio" })],
  ["/favorites/toggle", (url) => ({ type: "stream", url, name: "Radio" })],
  ["/radio/stations", (url) => ({ name: "Radio", url })],
  ["/schedules", (url) => ({ hour: 6, minute: 30, days: 127, target: url })],
];

describe(quote("stream URLs pass scheme, host and control-character checks"), () => {
  describe.each(STREAMS)("POST %s", (route, body) => {
    it.each(HOSTILE_URLS)("refuses %s", async (_what, url) => {
      const opened = device.opened.length;
      expect((await device.post(route, body(url))).status).toBe(400);
      expect(device.opened).toHaveLength(opened);
    });

    it.each(["http://radio.example.com/live", "https://radio.example.com:8000/live?x=1#a"])(
      "accepts %s",
      async (url) => {
        expect((await device.post(route, body(url))).status).toBe(200);
      },
    );
  });
});

it(quote("url (string; the URL is validated by the stream checks)"), async () => {
  const { body } = await device.get("/radio/stations");
  expect(body.stations.map(({ url }: { url: string }) => new URL(url).hostname)).toEqual(
    body.stations.map(() => "radio.example.com"),
  );
});

describe(quote("and volume is confined to 0..100"), () => {
  it.each([-1, -100, 101, 1000, 2 ** 31])("%d does not reach the engine", async (volume) => {
    await device.post("/playback/volume", { volume: 50 });
    const before = device.engine.commands.length;
    await device.post("/playback/volume", { volume });
    expect(device.engine.commands.slice(before)).not.toContain(`volume ${volume}`);
    expect((await device.status()).volume).toBe(50);
  });

  it.each([-1, 101])("%d is refused as the volume of a schedule, too", async (volume) => {
    const body = { hour: 6, minute: 30, days: 127, target: `${RECITER}/002.mp3`, volume };
    expect((await device.post("/schedules", body)).status).toBe(400);
  });
});

describe(quote("url (string, https) | result object; the URL is subject to additional hardening checks |"), () => {
  it.each([
    ["http", "http://updates.example.com/firmware"],
    ["another scheme", "ftp://updates.example.com/firmware"],
    ["a file", "file:///etc/passwd"],
    ["credentials", "https://user:secret@updates.example.com/firmware"],
    ["a private address", "https://192.168.1.10/firmware"],
    ["the device itself", "https://localhost/firmware"],
    ["the loopback address", "https://127.0.0.1/firmware"],
    ["credentials of a cloud", "https://169.254.169.254/firmware"],
    ["a public name of a private address", `https://${INSIDE}/firmware`],
    ["a control character", "https://updates.example.com/firm\nware"],
  ])("refuses %s, connects to nothing, and begins no update", async (_what, url) => {
    const opened = device.opened.length;
    const answer = await device.post("/ota/pull", { url });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining("url") } });
    expect(device.opened).toHaveLength(opened);
    expect((await device.get("/ota/status")).body).toMatchObject({ in_progress: false, mode: "idle" });
  });
});
