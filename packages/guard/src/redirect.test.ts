import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reachOf } from "./address.ts";
import { createOutboundGuard, type OutboundRequest } from "./fetch.ts";

const REQUEST: OutboundRequest = {
  field: "url",
  policy: { schemes: ["http:", "https:"], allowPrivate: false },
  connectTimeoutMs: 5000,
  idleTimeoutMs: 5000,
};

// Linux answers at all of 127.0.0.0/8. The tests treat 127.0.0.2 as public, so that 127.0.0.1 stays forbidden.
const guard = createOutboundGuard({
  resolve: async (name) => (name === "inside.example" ? ["10.0.0.1"] : ["127.0.0.2"]),
  ownAddresses: () => [],
  classify: (address) => (address === "127.0.0.2" ? "public" : reachOf(address)),
});

interface ReceivedRequest {
  line: string;
  headers: IncomingMessage["headers"];
  body: string;
}

let server: Server;
let port: number;
let seen: ReceivedRequest[];
/** Where each path leads; a path without a row answers 200. */
let routes: Map<string, [status: number, location: string]>;

beforeEach(async () => {
  seen = [];
  routes = new Map();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = "", headers } = request;
    seen.push({ line: `${method} ${headers.host?.split(":")[0]}${url}`, headers, body: await text(request) });
    const [status, location] = routes.get(url) ?? [];
    if (status) response.writeHead(status, { location });
    response.end(`at ${url}`);
  };
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve));
  port = portOf(server);
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port");
  return address.port;
}

const start = () => `http://radio.example:${port}/0`;

describe("redirects", () => {
  it("follows up to three redirects, including relative ones", async () => {
    routes
      .set("/0", [301, "1"])
      .set("/1", [302, "/2?x=y"])
      .set("/2?x=y", [307, `http://cdn.example:${port}/3`]);
    const answer = await guard.open(start(), REQUEST);
    expect(await text(answer.body)).toBe("at /3");
    expect(answer.url.href).toBe(`http://cdn.example:${port}/3`);
    expect(seen.map(({ line }) => line)).toEqual([
      "GET radio.example/0",
      "GET radio.example/1",
      "GET radio.example/2?x=y",
      "GET cdn.example/3",
    ]);
  });

  it.each([
    ["loopback", "http://127.0.0.1:1/", "must lead to a public address"],
    ["loopback in decimal", "http://2130706433/", "must lead to a public address"],
    ["loopback without a scheme", "//127.0.0.1/", "must lead to a public address"],
    ["loopback by backslashes", "\\\\127.0.0.1\\", "must lead to a public address"],
    ["localhost", "http://localhost/", "must lead to a public address"],
    ["metadata", "http://169.254.169.254/latest/", "must lead to a public address"],
    ["IPv4-mapped", "http://[::ffff:7f00:1]/", "must lead to a public address"],
    ["a private network", "http://192.168.0.1/", "must lead to a public address"],
    ["a file", "file:///etc/passwd", "must start with http:// or https:// and a host"],
    ["gopher", "gopher://radio.example/", "must start with http:// or https:// and a host"],
    ["data", "data:text/plain,x", "must start with http:// or https:// and a host"],
    ["a URL with credentials", "http://user:hunter2@cdn.example/", "must not contain credentials"],
    ["no URL", "http://[zz]/", "must be a valid URL"],
  ])("to %s are refused", async (_what, location, why) => {
    routes.set("/0", [302, location]);
    await expect(guard.open(start(), REQUEST)).rejects.toMatchObject({
      kind: "invalid",
      field: "url",
      message: `url: redirect: ${why}`,
    });
    expect(seen).toHaveLength(1);
  });

  it("refuses a redirect to a name with a private address", async () => {
    routes.set("/0", [302, `http://inside.example:${port}/`]);
    await expect(guard.open(start(), REQUEST)).rejects.toMatchObject({
      kind: "invalid",
      field: "url",
      message: "url: must lead to a public address",
    });
    expect(seen).toHaveLength(1);
  });

  it("follows a redirect to a URL longer than a caller may send", async () => {
    const long = `/${"a".repeat(4000)}`;
    routes.set("/0", [302, long]);
    expect((await guard.open(start(), REQUEST)).url.pathname).toBe(long);
  });

  it.each([
    [undefined, 4],
    [0, 1],
    [1, 2],
  ])("in a loop end after the allowed number (%s)", async (maxRedirects, requests) => {
    routes.set("/0", [302, "/0"]);
    const options = maxRedirects === undefined ? REQUEST : { ...REQUEST, maxRedirects };
    const message = `url: must not redirect more than ${requests - 1} times`;
    await expect(guard.open(start(), options)).rejects.toMatchObject({ kind: "invalid", field: "url", message });
    expect(seen).toHaveLength(requests);
  });

  it.each([
    [303, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [301, "POST", "GET", ""],
    [307, "POST", "POST", "{}"],
    [308, "POST", "POST", "{}"],
    [303, "PUT", "GET", ""],
    [302, "PUT", "PUT", "{}"],
  ] as const)("with %i change %s to %s", async (status, method, next, body) => {
    routes.set("/0", [status, "/1"]);
    const headers = { "Content-Type": "application/json" };
    await guard.open(start(), { ...REQUEST, method, headers, body: "{}" });
    expect(seen[1]).toMatchObject({ line: `${next} radio.example/1`, body });
    expect(seen[1]?.headers["content-type"]).toBe(body === "" ? undefined : "application/json");
  });

  it("keeps secrets at the same origin and drops them permanently elsewhere", async () => {
    routes.set("/0", [302, "/1"]).set("/1", [302, `http://cdn.example:${port}/2`]);
    routes.set("/2", [302, `http://radio.example:${port}/3`]);
    const headers = {
      Authorization: "Bearer x",
      COOKIE: "a=b",
      "X-Api-Key": "k",
      Accept: "audio/*",
      Range: "bytes=1-",
    };
    await guard.open(start(), { ...REQUEST, headers });
    const kept = seen.map(({ headers: { authorization, cookie, accept, range, "x-api-key": key } }) =>
      [authorization, cookie, key, accept, range].filter((value) => value !== undefined),
    );
    const all = ["Bearer x", "a=b", "k", "audio/*", "bytes=1-"];
    expect(kept).toEqual([all, all, ["audio/*", "bytes=1-"], ["audio/*", "bytes=1-"]]);
  });

  it("returns a redirect without a location as an ordinary answer", async () => {
    const silent = createServer((_request, response) => response.writeHead(302).end("nowhere"));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.2", resolve));
    const answer = await guard.open(`http://radio.example:${portOf(silent)}/`, REQUEST);
    expect([answer.status, await text(answer.body)]).toEqual([302, "nowhere"]);
    silent.close();
  });
});
