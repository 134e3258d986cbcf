import { EventEmitter, once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { afterEach, describe, expect, it } from "vitest";
import { isLoopback, reachOf } from "./address.ts";
import { createOutboundGuard, type OutboundGuardDeps, type OutboundRequest } from "./fetch.ts";
import { createResolver } from "./resolver.ts";
import type { OutboundPolicy } from "./target.ts";

const POLICY: OutboundPolicy = { schemes: ["http:", "https:"], allowPrivate: false };
const REQUEST: OutboundRequest = { field: "url", policy: POLICY, connectTimeoutMs: 5000, idleTimeoutMs: 5000 };
/** Long enough for a busy machine to answer, whose own delay a test would otherwise take for the server's silence. */
const SILENT_MS = 1000;

const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** Listens on a free port of 127.0.0.1 and counts its connections. */
async function listen(server: Server): Promise<{ port: number; connections: () => number }> {
  let count = 0;
  server.on("connection", (socket) => {
    count += 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: portOf(server), connections: () => count };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port");
  return address.port;
}

const serve = (listener: (...exchange: Parameters<RequestListener>) => unknown) =>
  listen(createServer((request, response) => void listener(request, response)));
/** A server that answers the first bytes of a connection with these. */
const serveRaw = (answer: (socket: Socket) => unknown) =>
  listen(createTcpServer((socket) => socket.once("data", () => answer(socket))));

/** The strict policy, except that it treats the test server's address as public. */
function createGuard(deps: OutboundGuardDeps = {}) {
  return createOutboundGuard({
    resolve: async () => ["127.0.0.1"],
    ownAddresses: () => [],
    classify: (address) => (address === "127.0.0.1" ? "public" : reachOf(address)),
    ...deps,
  });
}

/** A resolver that gives one answer after the other, and remembers the questions. */
function resolverAnswering(...answers: string[][]) {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return answers[asked.length - 1] ?? [];
  };
  return { asked, resolve };
}

describe("guarded open", () => {
  it("connects to the checked address and keeps the name in the Host header", async () => {
    const seen: IncomingHttpHeaders[] = [];
    const { port } = await serve((request, response) => {
      seen.push(request.headers);
      response.writeHead(200, { "x-title": "live" }).end(`path ${request.url}`);
    });
    const { asked, resolve } = resolverAnswering(["127.0.0.1"]);
    const headers = { Host: "other.example", Accept: "audio/mpeg" };
    const answer = await createGuard({ resolve }).open(`http://radio.example:${port}/live?x=1`, {
      ...REQUEST,
      headers,
    });
    expect(await text(answer.body)).toBe("path /live?x=1");
    expect(answer).toMatchObject({ status: 200, headers: { "x-title": "live" } });
    expect(answer.url.href).toBe(`http://radio.example:${port}/live?x=1`);
    expect(seen).toMatchObject([{ host: `radio.example:${port}`, accept: "audio/mpeg", connection: "close" }]);
    expect(asked).toEqual(["radio.example"]);
  });

  it("sends a body with its length", async () => {
    const { port } = await serve(async (request, response) => {
      response.end(`${request.method} ${request.headers["content-length"]} ${await text(request)}`);
    });
    const answer = await createGuard().open(`http://hook.example:${port}/`, { ...REQUEST, method: "POST", body: "{}" });
    expect(await text(answer.body)).toBe("POST 2 {}");
  });

  it("connects to an allowed literal address without using the resolver", async () => {
    const { port } = await serve((_request, response) => response.end("ok"));
    const { asked, resolve } = resolverAnswering();
    const answer = await createGuard({ resolve }).open(`http://127.0.0.1:${port}/`, REQUEST);
    expect(await text(answer.body)).toBe("ok");
    expect(asked).toEqual([]);
  });

  it("tries the next checked address when the first does not answer", async () => {
    const { port } = await serve((_request, response) => response.end("ok"));
    const resolve = async () => ["127.0.0.2", "127.0.0.1"];
    const answer = await createGuard({ resolve, classify: () => "public" }).open(
      `http://radio.example:${port}/`,
      REQUEST,
    );
    expect(await text(answer.body)).toBe("ok");
  });

  it("returns a refusing status unchanged and handles a body that the caller never reads", async () => {
    const { port } = await serveRaw((socket) => socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 99\r\n\r\npart"));
    const { status, body } = await createGuard().open(`http://radio.example:${port}/`, REQUEST);
    expect(status).toBe(404);
    await new Promise((resolve) => body.once("close", resolve));
    expect(body.errored).toMatchObject({ kind: "unavailable" });
  });

  it("closes the connection when the reader closes the body", async () => {
    const closing = new EventEmitter();
    const { port } = await serve((_request, response) => {
      response.on("close", () => closing.emit("closed")).write("first");
    });
    const { body } = await createGuard().open(`http://radio.example:${port}/`, REQUEST);
    const closed = once(closing, "closed");
    body.destroy();
    await closed;
  });
});

describe("SHOUTcast 1 servers", () => {
  const ANSWER = "ICY 200 OK\r\nicy-name: R\r\nicy-metaint:8192\r\ncontent-type:audio/mpeg\r\n\r\nICY audio";

  it("opens a stream of a SHOUTcast 1 server", async () => {
    const { port } = await serveRaw((socket) => socket.end(ANSWER));
    const answer = await createGuard().open(`http://radio.example:${port}/`, REQUEST);
    expect(answer).toMatchObject({ status: 200, headers: { "icy-metaint": "8192", "content-type": "audio/mpeg" } });
    expect(await text(answer.body)).toBe("ICY audio");
  });

  it("opens a stream of a SHOUTcast 1 server that sends its answer byte by byte", async () => {
    const { port } = await serveRaw(async (socket) => {
      socket.setNoDelay();
      for (const sign of ANSWER) {
        socket.write(sign);
        await createClock().sleep(2);
      }
      socket.end();
    });
    const answer = await createGuard().open(`http://radio.example:${port}/`, REQUEST);
    expect([answer.status, await text(answer.body)]).toEqual([200, "ICY audio"]);
  });

  it.each(["ICY 200", "ICY", "I", "ICYX 200 OK\r\n\r\n", "icy 200 OK\r\n\r\n", "ICY ICY 200 OK\r\n\r\n"])(
    "are not recognised by the answer %j",
    async (bytes) => {
      const { port } = await serveRaw((socket) => socket.end(bytes));
      await expect(createGuard().open(`http://radio.example:${port}/`, REQUEST)).rejects.toMatchObject({
        kind: "unavailable",
        field: "url",
        message: "url: the connection failed",
      });
    },
  );

  it("follows no redirect of a SHOUTcast 1 server to an internal address", async () => {
    const { port } = await serveRaw((socket) => socket.end("ICY 302 Found\r\nlocation: http://10.0.0.1/\r\n\r\n"));
    await expect(createGuard().open(`http://radio.example:${port}/`, REQUEST)).rejects.toMatchObject({
      message: "url: redirect: must lead to a public address",
    });
  });
});

describe("names with internal addresses", () => {
  it.each([
    ["a cloud's metadata", ["169.254.169.254"]],
    ["loopback", ["127.0.0.1"]],
    ["a private network", ["10.0.0.7"]],
    ["carrier-grade NAT", ["100.64.0.1"]],
    ["IPv6 loopback", ["::1"]],
    ["IPv6 link-local with a zone", ["fe80::1%lo"]],
    ["an IPv4-mapped address", ["::ffff:127.0.0.1"]],
    ["a NAT64 address", ["64:ff9b::7f00:1"]],
    ["a public and a private address", ["8.8.8.8", "192.168.0.1"]],
    ["a private address last of many", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "fd00::1"]],
    ["something that is no address", ["127.1"]],
  ])("are refused: %s", async (_what, addresses) => {
    const guard = createOutboundGuard({ resolve: async () => addresses, ownAddresses: () => [] });
    const refusal = { kind: "invalid", field: "url", message: "url: must lead to a public address" };
    await expect(guard.open("http://radio.example/", REQUEST)).rejects.toMatchObject(refusal);
    await expect(guard.check("http://radio.example/", REQUEST)).rejects.toMatchObject(refusal);
  });

  it("does not connect to a name when one of its addresses is forbidden", async () => {
    const { port, connections } = await serve((_request, response) => response.end());
    const guard = createGuard({ resolve: async () => ["127.0.0.1", "10.0.0.1"] });
    await expect(guard.open(`http://radio.example:${port}/`, REQUEST)).rejects.toMatchObject({ kind: "invalid" });
    expect(connections()).toBe(0);
  });

  it("connects to the checked address even if the name resolves differently afterwards", async () => {
    const { port, connections } = await serve((_request, response) => response.end("checked"));
    const { asked, resolve } = resolverAnswering(["127.0.0.1"], ["169.254.169.254"]);
    const answer = await createGuard({ resolve }).open(`http://rebind.example:${port}/`, REQUEST);
    expect(await text(answer.body)).toBe("checked");
    expect(asked).toEqual(["rebind.example"]);
    expect(connections()).toBe(1);
  });

  it("checks a name again when a redirect leads to it", async () => {
    const { port } = await serve((_request, response) => response.writeHead(302, { location: "/again" }).end());
    const { asked, resolve } = resolverAnswering(["127.0.0.1"], ["169.254.169.254"]);
    const opening = createGuard({ resolve }).open(`http://rebind.example:${port}/`, REQUEST);
    await expect(opening).rejects.toMatchObject({
      kind: "invalid",
      field: "url",
      message: "url: must lead to a public address",
    });
    expect(asked).toEqual(["rebind.example", "rebind.example"]);
  });

  it("aborts the connection when the socket has an unchecked address", async () => {
    // Linux connects 0.0.0.0 to 127.0.0.1: the address that was asked for is not the one that answers.
    const received: string[] = [];
    const { port } = await serve((request, response) => {
      received.push(request.url ?? "");
      response.end();
    });
    const guard = createGuard({ resolve: async () => ["0.0.0.0"], classify: () => "public" });
    const refusal = { kind: "invalid", field: "url", message: "url: must lead to an address that was checked" };
    await expect(guard.open(`http://radio.example:${port}/`, REQUEST)).rejects.toMatchObject(refusal);
    expect(received).toEqual([]);
  });

  it("refuses names of this machine, even if private addresses are allowed", async () => {
    const policy = { ...POLICY, allowPrivate: true };
    const guard = createOutboundGuard({
      resolve: async (name) => (name === "self.example" ? ["fd12::0005"] : ["fd12::6"]),
      ownAddresses: () => ["192.168.1.5", "fd12:0:0::5"],
    });
    await expect(guard.check("http://self.example/", { ...REQUEST, policy })).rejects.toMatchObject({
      kind: "invalid",
    });
    await expect(guard.check("http://192.168.1.5/", { ...REQUEST, policy })).rejects.toMatchObject({ kind: "invalid" });
    expect((await guard.check("http://nas.example/", { ...REQUEST, policy })).hostname).toBe("nas.example");
    expect((await guard.check("http://192.168.1.6/", { ...REQUEST, policy })).hostname).toBe("192.168.1.6");
  });

  it("treats the machine's own interfaces as this machine by default", async () => {
    const guard = createOutboundGuard({ classify: () => "public" });
    await expect(guard.check("http://127.0.0.1/", REQUEST)).rejects.toMatchObject({ kind: "invalid" });
    expect((await guard.check("http://127.9.9.9/", REQUEST)).hostname).toBe("127.9.9.9");
  });

  it("resolves names with the system by default", async () => {
    const addresses = await createResolver()("localhost", new AbortController().signal);
    expect(addresses.filter(isLoopback)).toEqual(addresses);
    expect(addresses).not.toEqual([]);
  });
});

describe("failures of a guarded fetch", () => {
  it.each([
    ["fails", () => Promise.reject(new Error("ENOTFOUND radio.example"))],
    ["is empty", () => Promise.resolve([])],
  ])("are unavailable when the resolution of the name %s", async (_how, resolve) => {
    const failure = { kind: "unavailable", field: "url", message: "url: the host name was not found" };
    await expect(createGuard({ resolve }).open("http://radio.example/", REQUEST)).rejects.toMatchObject(failure);
    await expect(createGuard({ resolve }).check("http://radio.example/", REQUEST)).rejects.toMatchObject(failure);
  });

  it("hides the refusing address from the caller but keeps it as the cause for the log", async () => {
    const { port } = await serve(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const failure = await createGuard()
      .open(`http://radio.example:${port}/`, REQUEST)
      .catch((problem: unknown) => problem);
    expect(failure).toMatchObject({ kind: "unavailable", field: "url", message: "url: the connection failed" });
    expect(failure).toHaveProperty("cause.code", "ECONNREFUSED");
  });

  it.each([
    ["closes at once", ""],
    ["speaks another protocol", "220 mail.example ESMTP\r\n"],
    ["stops within the headers", "HTTP/1.1 200 OK\r\nContent-"],
    ["switches protocols unasked", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
  ])("are unavailable for a server that %s", async (_how, bytes) => {
    const { port } = await serveRaw((socket) => socket.end(bytes));
    await expect(createGuard().open(`http://radio.example:${port}/`, REQUEST)).rejects.toMatchObject({
      kind: "unavailable",
    });
  });

  it.each([
    ["a body that is too short", "Content-Length: 99\r\n\r\npart"],
    ["a broken chunk", "Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\nzzz\r\n"],
  ])("break the stream of %s", async (_what, rest) => {
    const { port } = await serveRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    const { body } = await createGuard().open(`http://radio.example:${port}/`, REQUEST);
    await expect(text(body)).rejects.toMatchObject({
      kind: "unavailable",
      field: "url",
      message: "url: the connection broke",
    });
  });
});

describe("timeouts of a guarded fetch", () => {
  it("stops waiting for a resolver that never answers", async () => {
    const clock = createFakeClock();
    const guard = createGuard({ clock, resolve: () => new Promise(() => undefined) });
    const refused = expect(guard.open("http://radio.example/", REQUEST)).rejects.toMatchObject({ kind: "unavailable" });
    await clock.advance(5000);
    await refused;
  });

  it("stops waiting for a server that accepts but never completes encryption", async () => {
    const clock = createFakeClock();
    const { port } = await serveRaw((socket) => void clock.advance(5000).then(() => socket.unref()));
    const failure = { kind: "unavailable", field: "url", message: "url: the server could not be reached in time" };
    await expect(createGuard({ clock }).open(`https://radio.example:${port}/`, REQUEST)).rejects.toMatchObject(failure);
  });

  it("stops waiting for a silent server", async () => {
    const { port } = await serveRaw(() => undefined);
    const failure = { kind: "unavailable", field: "url", message: "url: the server did not answer in time" };
    const opening = createGuard().open(`http://radio.example:${port}/`, { ...REQUEST, idleTimeoutMs: 50 });
    await expect(opening).rejects.toMatchObject(failure);
  });

  it("stops waiting for a server that does not read the request", async () => {
    const { port } = await listen(createTcpServer((socket) => socket.pause()));
    const sending = { ...REQUEST, method: "POST", body: Buffer.alloc(64 * 1024 * 1024), idleTimeoutMs: 50 } as const;
    const failure = { kind: "unavailable", field: "url", message: "url: the server did not answer in time" };
    await expect(createGuard().open(`http://radio.example:${port}/`, sending)).rejects.toMatchObject(failure);
  });

  it("stops waiting for a server whose headers arrive endlessly slowly", async () => {
    const clock = createFakeClock();
    const { port } = await serveRaw(async (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      for (let second = 0; second < 5; second += 1) {
        socket.write(`x-${second}: y\r\n`);
        await clock.advance(1000);
      }
    });
    const failure = { kind: "unavailable", field: "url", message: "url: the server did not answer in time" };
    await expect(createGuard({ clock }).open(`http://radio.example:${port}/`, REQUEST)).rejects.toMatchObject(failure);
  });

  it("stops waiting for a stream that falls silent", async () => {
    const { port } = await serve((_request, response) => response.write("first"));
    const { body } = await createGuard().open(`http://radio.example:${port}/`, {
      ...REQUEST,
      idleTimeoutMs: SILENT_MS,
    });
    await expect(text(body)).rejects.toMatchObject({
      kind: "unavailable",
      field: "url",
      message: "url: the server stopped sending",
    });
  });

  it("does not time out while bytes arrive, however long the transfer takes", async () => {
    const clock = createClock();
    const { port } = await serve(async (_request, response) => {
      for (let part = 0; part < 10; part += 1) {
        response.write("x");
        await clock.sleep(60);
      }
      response.end();
    });
    const { body } = await createGuard().open(`http://radio.example:${port}/`, { ...REQUEST, idleTimeoutMs: 400 });
    expect(await text(body)).toBe("x".repeat(10));
  });

  it("does not count a pause of the reader as silence of the server", async () => {
    const size = 1024 * 1024;
    const { port } = await serve((_request, response) => response.end(Buffer.alloc(size)));
    const { body } = await createGuard().open(`http://radio.example:${port}/`, {
      ...REQUEST,
      idleTimeoutMs: SILENT_MS,
    });
    await createClock().sleep(SILENT_MS * 1.5);
    let received = 0;
    for await (const chunk of body) received += chunk.length;
    expect(received).toBe(size);
  });

  it("returns a complete answer that arrived before the whole request was sent, and stops sending", async () => {
    const size = 64 * 1024 * 1024;
    const taking = new EventEmitter();
    const { port } = await listen(
      createTcpServer((socket) => {
        socket.pause().write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly");
        socket.on("close", () => taking.emit("closed", socket.bytesRead));
        taking.once("resume", () => socket.resume());
      }),
    );
    const sending = { ...REQUEST, method: "POST", body: Buffer.alloc(size), idleTimeoutMs: 200 } as const;
    const { body } = await createGuard().open(`http://radio.example:${port}/`, sending);
    await createClock().sleep(500);
    expect(await text(body)).toBe("early");
    const closed = once(taking, "closed");
    taking.emit("resume");
    expect((await closed)[0]).toBeLessThan(size);
  });

  it("stops waiting for a server that falls silent after its reader paused", async () => {
    const { port } = await serve((_request, response) => response.write(Buffer.alloc(40_000)));
    const { body } = await createGuard().open(`http://radio.example:${port}/`, {
      ...REQUEST,
      idleTimeoutMs: SILENT_MS,
    });
    await createClock().sleep(SILENT_MS * 1.5);
    await expect(text(body)).rejects.toMatchObject({ message: "url: the server stopped sending" });
  });
});

describe("abort of a guarded fetch", () => {
  const stopped = new Error("stopped");

  it("does not start when it is already aborted", async () => {
    const { asked, resolve } = resolverAnswering();
    const signal = AbortSignal.abort(stopped);
    await expect(createGuard({ resolve }).open("http://radio.example/", { ...REQUEST, signal })).rejects.toBe(stopped);
    await expect(createGuard({ resolve }).check("http://radio.example/", { ...REQUEST, signal })).rejects.toBe(stopped);
    expect(asked).toEqual([]);
  });

  it("stops during name resolution when aborted", async () => {
    const controller = new AbortController();
    const resolve = () => {
      queueMicrotask(() => controller.abort(stopped));
      return new Promise<string[]>(() => undefined);
    };
    const opening = createGuard({ resolve }).open("http://radio.example/", { ...REQUEST, signal: controller.signal });
    await expect(opening).rejects.toBe(stopped);
  });

  it("stops between resolution and connection when aborted", async () => {
    const { port, connections } = await serve((_request, response) => response.end());
    const controller = new AbortController();
    const classify = () => {
      controller.abort(stopped);
      return "public" as const;
    };
    const { signal } = controller;
    const opening = createGuard({ classify }).open(`http://radio.example:${port}/`, { ...REQUEST, signal });
    await expect(opening).rejects.toBe(stopped);
    expect(connections()).toBe(0);
  });

  it.each(["http", "https"])("closes the connection when aborted while %s waits for its server", async (scheme) => {
    const controller = new AbortController();
    let closed: Promise<unknown> = Promise.reject(new Error("no connection came"));
    closed.catch(() => undefined);
    const { port } = await serveRaw((socket) => {
      closed = new Promise((resolve) => socket.once("close", resolve));
      controller.abort(stopped);
    });
    const { signal } = controller;
    const opening = createGuard().open(`${scheme}://radio.example:${port}/`, { ...REQUEST, signal });
    await expect(opening).rejects.toBe(stopped);
    await closed;
  });

  it("stops while the body is read when aborted", async () => {
    const controller = new AbortController();
    const { port } = await serve((_request, response) => response.write("first"));
    const { signal } = controller;
    const { body } = await createGuard().open(`http://radio.example:${port}/`, { ...REQUEST, signal });
    const reading = text(body);
    controller.abort(stopped);
    await expect(reading).rejects.toBe(stopped);
  });
});
