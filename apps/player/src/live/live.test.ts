import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { type AddressInfo, connect as connectPlain, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import type { Frame } from "@kit/http/frame";
import type { Tls } from "@kit/http/server";
import { silentLog } from "@kit/log/silent";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { createTestFrame } from "../../testing/test-frame.ts";
import { openCertificate } from "../certificate/certificate.ts";
import { createEvents } from "../events.ts";
import { liveRoutes } from "./live.routes.ts";
import { createLiveService, type LiveServiceDeps } from "./live.service.ts";

const NOW = Date.UTC(2026, 5, 1);
const LIMIT = 256 * 1024;
const TOKEN = "c0ffee".padEnd(64, "0");
const RELAXED = { timeout: 5000, interval: 5 };

const opened: { app: Frame; clients: (Socket | WebSocket)[] }[] = [];

afterEach(async () => {
  for (const { app, clients } of opened.splice(0)) {
    for (const client of clients) client instanceof WebSocket ? client.terminate() : client.destroy();
    await app.close();
  }
});

/** `from` replaces the address of the client that connects, which is always the same in a test. */
async function startDevice({
  tls,
  from = () => "127.0.0.1",
  ...deps
}: { tls?: Tls | undefined; from?: () => string } & Partial<LiveServiceDeps> = {}) {
  const clock = createFakeClock(new Date(NOW));
  const events = createEvents();
  const live = createLiveService({
    events,
    clock,
    log: silentLog,
    hello: () => ({ version: "1.2.3" }),
    isOwnerToken: (token) => token === TOKEN,
    ...deps,
  });
  const served: WebSocket[] = [];
  const app = createTestFrame(tls);
  const connect = (socket: WebSocket) => {
    served.push(socket);
    live.connect(socket, from());
  };
  app.get("/api/system", { config: { access: "none", budget: "status" } }, async () => ({ version: "1.2.3" }));
  await app.register(liveRoutes({ ...live, connect }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const clients: (Socket | WebSocket)[] = [];
  opened.push({ app, clients });
  const { port } = app.server.address() as AddressInfo;

  function dial(path = "/ws", options: WebSocket.ClientOptions = {}) {
    const address = `${tls ? "wss" : "ws"}://127.0.0.1:${port}${path}`;
    const client = new WebSocket(address, { rejectUnauthorized: false, ...options });
    clients.push(client);
    client.on("error", () => undefined);
    const frames: { type: string; seq: number; ts: number; data: Record<string, unknown> }[] = [];
    client.on("message", (message) => frames.push(JSON.parse((message as Buffer).toString("utf8"))));
    return { client, frames };
  }

  return {
    ...{ app, clock, events, live, served, port, dial },

    join: async (path?: string, options?: WebSocket.ClientOptions) => {
      const { client, frames } = dial(path, options);
      await vi.waitFor(() => expect(frames).toHaveLength(1), RELAXED);
      return { client, frames };
    },

    /** The answer to a refused upgrade. */
    refusal: async (path?: string, options?: WebSocket.ClientOptions) => {
      const { client } = dial(path, options);
      const [, response] = await once(client, "unexpected-response");
      const [body] = await once(response, "data");
      return { status: response.statusCode, retryAfter: response.headers["retry-after"], body: JSON.parse(body) };
    },

    /** A raw connection: sends the bytes and reads only the first answer. */
    openRaw: async (request: string) => {
      const socket = tls
        ? connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false })
        : connectPlain(port, "127.0.0.1");
      clients.push(socket);
      socket.on("error", () => undefined);
      socket.write(request);
      const [answer] = await once(socket, "data");
      socket.pause();
      return { socket, answer: String(answer) };
    },
  };
}

async function newCertificate(): Promise<Tls> {
  const clock = createClock();
  const dataFolder = await mkdtemp(join(tmpdir(), "live-"));
  const own = { dataFolder, clock, isClockValid: true, ids: createIds(clock), log: silentLog, hostname: "manara" };
  return openCertificate({ ...own, names: ["localhost"] });
}

function handshake(path = "/ws", upgrade = "websocket"): string {
  return [
    `GET ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    "connection: upgrade",
    `upgrade: ${upgrade}`,
    "sec-websocket-version: 13",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
    "\r\n",
  ].join("\r\n");
}

describe("a client", () => {
  it.each(["/ws", "/api/ws"])("receives hello at %s with the state and the number of the last event", async (path) => {
    const { join, events } = await startDevice();
    events.emit("volume", { volume: 7 });
    const { frames } = await join(path);
    expect(frames).toEqual([{ type: "hello", seq: 1, ts: NOW, data: { version: "1.2.3" } }]);
  });

  it("receives the same frames as every other client, in order of occurrence", async () => {
    const { join, events, clock } = await startDevice();
    const [one, other] = [await join(), await join("/api/ws")];
    events.emit("volume", { volume: 7 });
    await clock.advance(250);
    events.emit("metadata", { title: "سورة الكهف" });
    await vi.waitFor(() => expect(one.frames.length + other.frames.length).toBe(6), RELAXED);
    expect(one.frames.slice(1)).toEqual([
      { type: "volume", seq: 1, ts: NOW, data: { volume: 7 } },
      { type: "metadata", seq: 2, ts: NOW + 250, data: { title: "سورة الكهف" } },
    ]);
    expect(other.frames).toEqual(one.frames);
  });

  it("gets an answer to a ping, and to no other message", async () => {
    const { join } = await startDevice();
    const { client, frames } = await join();
    for (const text of ["", "ping", "null", "[]", '{"type":"play"}', '{"type":"ping"']) client.send(text);
    client.send(Buffer.from('{"type":"ping"}'));
    client.send('{"type":"ping","data":1}');
    await vi.waitFor(() => expect(frames).toHaveLength(2), RELAXED);
    expect(frames[1]).toEqual({ type: "pong", seq: 0, ts: NOW, data: {} });
  });

  it("gets an answer to a ping frame of the protocol", async () => {
    const { client } = await (await startDevice()).join();
    client.ping("hi");
    expect(String(await once(client, "pong"))).toBe("hi");
  });

  it("a client may send 1 KiB, and is closed for one byte more", async () => {
    const { client } = await (await startDevice()).join();
    client.send("x".repeat(1024));
    client.ping();
    await once(client, "pong");
    client.send("x".repeat(1025));
    expect((await once(client, "close"))[0]).toBe(1009);
  });

  it("counts as a dashboard without the token, until it stops answering pings", async () => {
    const { join, live, clock } = await startDevice();
    await join();
    const { client } = await join("/ws", { autoPong: false });
    expect(live.answeringCount()).toBe(2);
    await clock.advance(21_000);
    expect(live.answeringCount()).toBe(2);
    await vi.waitFor(async () => {
      await clock.advance(1000);
      expect(live.answeringCount()).toBe(1);
    }, RELAXED);
    expect(client.readyState).toBe(WebSocket.OPEN);
  });

  it("a client is no longer counted after it has disconnected", async () => {
    const { join, live } = await startDevice();
    const { client } = await join();
    expect(live.clientCount()).toBe(1);
    client.close();
    await vi.waitFor(() => expect(live.clientCount()).toBe(0), RELAXED);
  });
});

describe("an upgrade", () => {
  it("an upgrade is refused for a page of another origin", async () => {
    const { refusal, join, port } = await startDevice();
    expect(await refusal("/ws", { origin: "https://evil.example" })).toMatchObject({
      status: 400,
      body: { error: "origin: must be the host that is asked" },
    });
    await join("/ws", { origin: `https://127.0.0.1:${port}` });
  });

  it("an upgrade is refused for the 65th client when all others are the owner's, and may be retried when one has disconnected", async () => {
    const { join, refusal, live } = await startDevice();
    const joined = await Promise.all(Array.from({ length: 64 }, () => join()));
    for (const { client } of joined) client.send(JSON.stringify({ type: "token", token: TOKEN }));
    await vi.waitFor(() => expect(live.ownerCount()).toBe(64), RELAXED);
    expect(await refusal()).toEqual({
      status: 429,
      retryAfter: "10",
      body: { error: "sockets: 64 are open; see Retry-After" },
    });
    joined[0]?.client.close();
    await vi.waitFor(() => expect(live.clientCount()).toBe(63), RELAXED);
    await join();
  });

  it.each([
    ["GET /ws HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", 400, "upgrade: must be websocket"],
    ["GET /ws HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\n\r\n", 400, "upgrade: must be websocket"],
    [handshake("/api/ws", "h2c"), 400, "upgrade: must be websocket"],
    [handshake("/api/nowhere"), 404, "path: there is nothing at this address"],
    [handshake("/%zz"), 400, "path: is malformed"],
  ])("an upgrade is refused with %j", async (request, status, error) => {
    const { answer } = await (await startDevice()).openRaw(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(`{"error":"${error}"}`);
  });

  it.each(["/api/system", "/api/nowhere", "/%zz", "/ws"])(
    "an upgrade to a path without a socket, %s, gets one ordinary answer",
    async (path) => {
      const { openRaw } = await startDevice();
      const { socket, answer } = await openRaw(handshake(path, "h2c"));
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      socket.resume();
      await once(socket, "close");
    },
  );
});

describe("a greedy client", () => {
  it("keeps at most eight sockets of one address: the oldest one gives way", async () => {
    const { join, live } = await startDevice({ from: () => "192.168.0.66" });
    const first = await join();
    const closed = once(first.client, "close");
    for (let count = 0; count < 7; count += 1) await join();
    expect(live.clientCount()).toBe(8);
    await join();
    expect((await closed)[0]).toBe(1013);
    expect(live.clientCount()).toBe(8);
  });

  it("a greedy client may have more when it has sent the token", async () => {
    const { join, live } = await startDevice({ from: () => "192.168.0.66" });
    for (let count = 1; count <= 20; count += 1) {
      const { client } = await join();
      client.send(JSON.stringify({ type: "token", token: TOKEN }));
      await vi.waitFor(() => expect(live.ownerCount()).toBe(count), RELAXED);
    }
  });

  it("a greedy client with many addresses cannot shut out the owner, nor take the owner's place", async () => {
    let address = "192.168.0.5";
    const { join, live } = await startDevice({ from: () => address });
    const owner = await join();
    owner.client.send(JSON.stringify({ type: "token", token: TOKEN }));
    await vi.waitFor(() => expect(live.ownerCount()).toBe(1), RELAXED);
    for (let count = 0; count < 200; count += 1) {
      address = `fe80::${count.toString(16)}`;
      await join();
    }
    expect(live.clientCount()).toBe(64);
    address = "192.168.0.6";
    const { client } = await join();
    expect([owner.client.readyState, client.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
    expect(live.ownerCount()).toBe(1);
  });

  it("a greedy client is the one that makes room", async () => {
    let address = "127.0.0.1";
    const { join } = await startDevice({ from: () => address });
    const modest = [];
    for (let count = 0; count < 30; count += 1) {
      address = `10.0.0.${count}`;
      modest.push(await join());
    }
    address = "127.0.0.1";
    for (let count = 0; count < 40; count += 1) await join();
    expect(modest.filter(({ client }) => client.readyState !== WebSocket.OPEN)).toEqual([]);
  });

  it("a greedy client cannot guess the token without end", async () => {
    const presented: string[] = [];
    const isOwnerToken = (token: string) => {
      presented.push(token);
      return token === TOKEN;
    };
    const { join, live } = await startDevice({ isOwnerToken });
    const { client, frames } = await join();
    for (let count = 0; count < 10; count += 1) client.send(JSON.stringify({ type: "token", token: String(count) }));
    client.send(JSON.stringify({ type: "token", token: TOKEN }));
    client.send('{"type":"ping"}');
    await vi.waitFor(() => expect(frames).toHaveLength(2), RELAXED);
    expect(presented).toEqual(["0", "1", "2"]);
    expect(live.ownerCount()).toBe(0);
  });
});

describe("a slow client", () => {
  const TITLE = "x".repeat(4000);

  it.each([
    ["TCP", undefined],
    ["TLS", newCertificate],
  ])(
    "a slow client over %s uses at most 256 KiB, affects no other client, and is closed with 1013 after 30 s",
    async (_over, makeTls) => {
      const { join, openRaw, events, served, clock } = await startDevice({ tls: await makeTls?.() });
      const { frames } = await join();
      const { socket } = await openRaw(handshake());
      const [, slow] = served;
      let maxBuffered = 0;
      for (let seq = 2; seq <= 6000; seq += 2) {
        events.emit("metadata", { title: TITLE });
        events.emit("position", { position: seq, duration: 0 });
        maxBuffered = Math.max(maxBuffered, slow?.bufferedAmount ?? 0);
        while (frames.length < seq - 50) await new Promise(setImmediate);
      }
      expect(maxBuffered).toBeGreaterThan(LIMIT);
      expect(maxBuffered).toBeLessThan(LIMIT + 8192);
      await vi.waitFor(() => expect(frames).toHaveLength(6001), RELAXED);
      expect(frames.map(({ seq }) => seq)).toEqual(Array.from({ length: 6001 }, (_, seq) => seq));

      await clock.advance(29_000);
      expect(slow?.readyState).toBe(WebSocket.OPEN);
      await clock.advance(2000);
      let last = Buffer.alloc(0);
      socket.on("data", (chunk) => {
        last = Buffer.concat([last, chunk]).subarray(-12);
      });
      socket.resume();
      // A close frame: code 1013 (0x03f5) and the reason.
      await vi.waitFor(() => expect(last.toString("latin1")).toBe("\x88\x0a\x03\xf5too slow"), RELAXED);
    },
  );

  it("a slow client is terminated when it does not read the close frame", async () => {
    const { openRaw, events, live, clock } = await startDevice();
    await openRaw(handshake());
    for (let i = 0; i < 2500; i += 1) events.emit("metadata", { title: TITLE });
    await clock.advance(31_000);
    expect(live.clientCount()).toBe(1);
    await clock.advance(4000);
    await vi.waitFor(() => expect(live.clientCount()).toBe(0), RELAXED);
  });

  it("receives the newest frame of each type, in order, when it reads again in time", async () => {
    const { join, events, served } = await startDevice();
    const { client, frames } = await join();
    client.pause();
    const [slow] = served;
    while ((slow?.bufferedAmount ?? 0) <= LIMIT) {
      for (let i = 0; i < 20; i += 1) events.emit("metadata", { title: TITLE });
      await new Promise(setImmediate);
    }
    for (const volume of [1, 2, 3]) events.emit("volume", { volume });
    events.emit("position", { position: 1, duration: 0 });
    events.emit("metadata", { title: "the last" });
    client.resume();
    await vi.waitFor(() => expect(frames.at(-1)?.data).toEqual({ title: "the last" }), RELAXED);
    expect(frames.slice(-2).map(({ data }) => data)).toEqual([{ volume: 3 }, { title: "the last" }]);
    const seqs = frames.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  });

  it("a slow client cannot make the device buffer answers to its pings", async () => {
    const { openRaw, served } = await startDevice();
    const { socket } = await openRaw(handshake());
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125]), Buffer.alloc(4 + 125)]);
    const many = Buffer.concat(Array.from({ length: 1000 }, () => ping));
    for (let i = 0; i < 80; i += 1) {
      if (!socket.write(many)) await once(socket, "drain");
    }
    await vi.waitFor(() => expect(served[0]?.bufferedAmount).toBeGreaterThan(LIMIT), RELAXED);
    expect(served[0]?.bufferedAmount).toBeLessThan(LIMIT + 1024);
  });
});

it("terminates a client that misses two pings, and no other", async () => {
  const { join, served, live, clock } = await startDevice();
  const lively = await join();
  await join("/ws", { autoPong: false });
  for (const count of [2, 2, 1, 1]) {
    const pong = once(served[0] ?? lively.client, "pong");
    await clock.advance(20_000);
    await pong;
    await vi.waitFor(() => expect(live.clientCount()).toBe(count), RELAXED);
  }
  expect(lively.client.readyState).toBe(WebSocket.OPEN);
});

describe("shutdown", () => {
  it("closes every client, and waits for none that does not answer", async () => {
    const { app, join, openRaw, clock, live } = await startDevice();
    const { client } = await join();
    await openRaw(handshake());
    const closeEvent = once(client, "close");
    const closed = app.close();
    expect((await closeEvent)[0]).toBe(1001);
    await clock.advance(5000);
    await closed;
    expect(live.clientCount()).toBe(0);
  });

  it("of all connections keeps the service running", async () => {
    const { join, live, events } = await startDevice();
    const { client } = await join();
    const closeEvent = once(client, "close");
    await live.dropAll();
    expect((await closeEvent)[0]).toBe(1001);
    const { frames } = await join();
    events.emit("volume", { volume: 7 });
    await vi.waitFor(() => expect(frames).toHaveLength(2), RELAXED);
  });
});

it("closes a socket whose hello fails, and logs it", async () => {
  const errors: object[] = [];
  const log = { ...silentLog, error: (fields: object) => errors.push(fields) };
  const err = new Error("no state");
  const hello = () => {
    throw err;
  };
  const { dial, live } = await startDevice({ log, hello });
  expect((await once(dial().client, "close"))[0]).toBe(1011);
  expect(errors).toEqual([{ err }]);
  await vi.waitFor(() => expect(live.clientCount()).toBe(0), RELAXED);
});
