import { once } from "node:events";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { simulatedBundle } from "../simulated-bundle.ts";
import { type ContractDevice, RECITER, STREAM, startContractDevice } from "./device.ts";
import { ENDPOINTS, quote } from "./document.ts";

const SOON = { timeout: 5000, interval: 5 };

interface Client {
  socket: WebSocket;
  /** What it has received, as text. */
  frames: string[];
}

let device: ContractDevice;
let clients: Client[];
beforeAll(async () => {
  const dashboardFolder = await mkdtemp(join(tmpdir(), "contract-pages-"));
  await mkdir(join(dashboardFolder, "api"));
  await mkdir(join(dashboardFolder, "assets"));
  await writeFile(join(dashboardFolder, "index.html"), "<h1>the dashboard</h1>");
  await writeFile(join(dashboardFolder, "assets", "main.js"), "start()");
  await writeFile(join(dashboardFolder, "api", "system"), "a page in the place of a route");
  device = await startContractDevice({ dashboardFolder });
  await device.app.listen({ host: "127.0.0.1", port: 0 });
  clients = [await connect("/ws"), await connect("/ws"), await connect("/api/ws")];
  const target = `${RECITER}/002.mp3`;
  await device.post("/schedules", { hour: 6, minute: 30, days: 127, target });
  await device.post("/schedules", { hour: 7, minute: 30, days: 127, target });
  for (const surah of [1, 2, 5]) await device.post("/favorites", { type: "surah", reciter: RECITER, surah });
  await device.post("/radio/stations", { name: "Radio", url: STREAM });
  await device.post("/rfid/cards", { uid: "04A1B2C3", name: "One", binding: { type: "file", path: target } });
  await device.playFile();
  device.flow(30_000);
});
afterAll(async () => {
  for (const { socket } of clients) socket.terminate();
  await device.close();
});

const url = (path: string) => `ws://127.0.0.1:${(device.app.server.address() as AddressInfo).port}${path}`;

async function connect(path: string): Promise<Client> {
  const socket = new WebSocket(url(path));
  const frames: string[] = [];
  socket.on("message", (message) => frames.push((message as Buffer).toString("utf8")));
  await once(socket, "message");
  return { socket, frames };
}

/** Every client has received everything that was sent until now. */
async function settle(): Promise<void> {
  await Promise.all(
    clients.map(async ({ socket }) => {
      socket.ping();
      await once(socket, "pong");
    }),
  );
}

const SURAH = { type: "surah", reciter: RECITER, surah: 114 };

/** Each mutation of the document with a body that it accepts. A reset drops the sockets, so it is the last one. */
const MUTATIONS: readonly (readonly [route: string, body: unknown])[] = [
  ["POST /playback/play", { path: `${RECITER}/002.mp3` }],
  ["POST /playback/pause", undefined],
  ["POST /playback/resume", undefined],
  ["POST /playback/seek", { position: 20_000 }],
  ["POST /playback/volume", { volume: 30 }],
  ["POST /playback/next", undefined],
  ["POST /playback/prev", undefined],
  ["POST /playback/mode", { mode: "continuous" }],
  ["POST /playback/stop", undefined],
  ["POST /playback/resume-saved", undefined],
  ["POST /favorites", SURAH],
  ["DELETE /favorites/1", undefined],
  ["POST /favorites/toggle", SURAH],
  ["POST /radio/stations", { name: "Another", url: "https://another.example.com/live" }],
  ["DELETE /radio/stations/1", undefined],
  ["POST /rfid/cards", { uid: "04D4E5F6", name: "Two", binding: { type: "file", path: `${RECITER}/002.mp3` } }],
  ["DELETE /rfid/cards/04A1B2C3", undefined],
  ["POST /prayer/config", { lat: 21.4, lng: 39.8 }],
  ["POST /prayer/test-adhan", undefined],
  ["POST /schedules", { hour: 8, minute: 0, days: 1, target: `${RECITER}/002.mp3` }],
  ["DELETE /schedules/1", undefined],
  ["POST /schedules/2/enable", { enabled: false }],
  ["POST /settings/wifi", { ssid: "Second", password: "correct horse" }],
  ["POST /settings/brightness", { brightness: 12 }],
  ["POST /settings/timezone", { timezone: "<+03>-3" }],
  ["POST /settings/time-format", { time_format_24h: true }],
  ["POST /settings/time", { epoch: 1_800_000_000 }],
  ["POST /settings/auto-resume", { enabled: true }],
  ["POST /settings/auto-off", { auto_off_minutes: 30 }],
  ["POST /settings/card-removal", { policy: "pause" }],
  ["POST /ota/pull", { url: "https://updates.example.com/firmware" }],
  ["POST /ota/upload", simulatedBundle()],
  ["POST /system/sleep", undefined],
  ["POST /reset", undefined],
];

/** The server of the pull stays silent. Only then may the next update begin. */
const untilPullFailed = () =>
  vi.waitFor(async () => {
    await device.clock.advance(5000);
    expect((await device.get("/ota/status")).body.in_progress).toBe(false);
  }, SOON);

/** The frames that a mutation has caused, for each client. */
async function mutate(route: string, body: unknown): Promise<{ status: number; received: string[][] }> {
  await settle();
  const before = clients.map(({ frames }) => frames.length);
  const [method = "", path = ""] = route.split(" ");
  const { status } = await device.send(method as "POST" | "DELETE", path, { body });
  // Some effects begin after the answer.
  await device.clock.advance(0);
  if (route !== "POST /reset") await settle();
  else await vi.waitFor(() => expect(clients[0]?.socket.readyState).toBe(WebSocket.CLOSED), SOON);
  return { status, received: clients.map(({ frames }, at) => frames.slice(before[at])) };
}

describe(quote("Every REST mutation produces the same WebSocket event for all clients."), () => {
  it("is checked for each mutation of the document", () => {
    const documented = ENDPOINTS.filter(({ method }) => method !== "GET").map(
      ({ method, path }) => `${method} ${path}`,
    );
    const checked = MUTATIONS.map(([route]) =>
      route
        .replace(/^(DELETE \/(?:favorites|radio\/stations|schedules)\/)\d$/, "$1{id}")
        .replace("/2/", "/{id}/")
        .replace(/04A1B2C3$/, "{uid}"),
    );
    expect(checked.toSorted()).toEqual(documented.toSorted());
  });

  it.each(MUTATIONS.slice(0, -1))("%s", async (route, body) => {
    if (route === "POST /ota/upload") await untilPullFailed();
    const { status, received } = await mutate(route, body);
    expect(status).toBe(200);
    const [first = [], ...others] = received;
    expect(first.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });

  it.each([
    ["POST /playback/pause", undefined],
    ["POST /playback/stop", undefined],
    ["POST /playback/volume", { volume: 30 }],
    ["POST /playback/mode", { mode: "continuous" }],
    ["POST /settings/brightness", { brightness: 12 }],
    ["POST /settings/card-removal", { policy: "pause" }],
    ["POST /favorites", { ...SURAH, surah: 2 }],
  ])("%s, also when it changes nothing", async (route, body) => {
    await mutate(route, body);
    const { status, received } = await mutate(route, body);
    expect(status).toBe(200);
    const [first = [], ...others] = received;
    expect(first.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });

  it("a mutation that is refused produces none", async () => {
    const { status, received } = await mutate("POST /playback/volume", { volume: 101 });
    expect(status).toBe(400);
    expect(received.flat().filter((frame) => frame.includes('"volume"'))).toEqual([]);
  });
});

describe(quote("State is pushed over the WebSocket."), () => {
  it("without a request, when the state changes of its own accord", async () => {
    await device.playFile();
    await settle();
    const [client] = clients;
    const before = client?.frames.length ?? 0;
    device.engine.emit("ended");
    await settle();
    expect(client?.frames.slice(before).join()).toContain('"state":');
  });

  it("the event of a volume carries the applied volume", async () => {
    const { received } = await mutate("POST /playback/volume", { volume: 17 });
    expect(received[0]?.join()).toContain('"volume":17');
  });

  it("every message is an object", async () => {
    const all = clients.flatMap(({ frames }) => frames.map((frame) => JSON.parse(frame)));
    expect(all.length).toBeGreaterThan(100);
    expect(all.every((message) => Object.prototype.toString.call(message) === "[object Object]")).toBe(true);
  });
});

describe(
  quote(
    "The effect of a REST mutation reaches all connected WebSocket clients, including the caller, as the same event.",
  ),
  () => {
    it("the client that sent the request with the token receives the frame of the others", async () => {
      const [caller] = clients;
      caller?.socket.send(JSON.stringify({ type: "token", token: "c0ffee".padEnd(64, "0") }));
      const { received } = await mutate("POST /playback/volume", { volume: 21 });
      expect(received[0]).toEqual(received[1]);
      expect(received[0]?.join()).toContain('"volume":21');
    });

    it("a client that connects later receives the events from then on", async () => {
      const late = await connect("/ws");
      clients.push(late);
      const { received } = await mutate("POST /playback/volume", { volume: 22 });
      expect(received.at(-1)).toEqual(received[0]);
      late.socket.close();
      clients.pop();
    });
  },
);

describe(quote("GET /ws upgrades to a WebSocket."), () => {
  it.each(["/ws", "/api/ws"])("%s", async (path) => {
    const socket = new WebSocket(url(path));
    const [response] = await once(socket, "upgrade");
    expect(response.statusCode).toBe(101);
    socket.terminate();
  });

  it(`needs no token: ${quote("Events flow over the WebSocket at GET /ws.")}`, async () => {
    const client = await connect("/ws");
    const before = client.frames.length;
    await device.post("/playback/volume", { volume: 23 });
    await vi.waitFor(() => expect(client.frames.length).toBeGreaterThan(before), SOON);
    client.socket.terminate();
  });

  it("is no page", async () => {
    expect((await device.get("//ws")).status).toBe(400);
  });
});

it(quote("Commands are REST."), async () => {
  const before = await device.status();
  for (const message of [{ type: "playback", command: "play" }, { type: "volume", volume: 1 }, { volume: 1 }]) {
    clients[0]?.socket.send(JSON.stringify(message));
  }
  await settle();
  expect(await device.status()).toEqual(before);
});

describe(
  quote("GET /* serves the dashboard from the device's flash filesystem; API routes take precedence over it."),
  () => {
    it.each(["//", "//settings", "//prayer/today"])("GET %s is the dashboard", async (path) => {
      const answer = await device.get(path, { token: undefined, headers: { accept: "text/html" } });
      expect(answer).toMatchObject({ status: 200, text: "<h1>the dashboard</h1>" });
      expect(answer.headers["content-type"]).toContain("text/html");
    });

    it("a file of the dashboard is served as it is", async () => {
      expect((await device.get("//assets/main.js", { token: undefined })).text).toBe("start()");
    });

    it("a route takes precedence over a file of its name", async () => {
      expect((await device.get("/system", { headers: { accept: "text/html" } })).body).toHaveProperty("version");
    });

    it.each(["/nothing", "/playback", "/v2/system"])("GET /api%s is no page of the dashboard", async (path) => {
      const answer = await device.get(path, { headers: { accept: "text/html" } });
      expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    });

    it("no path leads out of the folder", async () => {
      for (const path of ["//../package.json", "//%2e%2e/package.json", "//assets/../../x.js", "//..%2fx.js"]) {
        expect([400, 404]).toContain((await device.get(path, { token: undefined })).status);
      }
    });
  },
);

it("a reset, the last mutation, reaches all clients before it drops them", async () => {
  const { status, received } = await mutate("POST /reset", undefined);
  expect(status).toBe(200);
  const [first = [], ...others] = received;
  expect(first.length).toBeGreaterThan(0);
  for (const other of others) expect(other).toEqual(first);
});
