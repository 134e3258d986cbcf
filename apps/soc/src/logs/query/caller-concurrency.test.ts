import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestFrame } from "../../../testing/harness/test-frame.ts";
import { limitCallerConcurrency } from "./caller-concurrency.ts";

/** Each started request, and how to end it. */
const begun: { name: string; end: () => void }[] = [];
let app: ReturnType<typeof createTestFrame>;
let port: number;

beforeEach(async () => {
  begun.length = 0;
  app = createTestFrame();
  app.decorateRequest("caller", null);
  app.addHook("onRequest", async (request) => {
    request.caller = { kind: "user", username: String(request.headers["x-user"]), role: "tier1" };
  });
  limitCallerConcurrency(app);
  for (const logLane of ["people", "previews"] as const) {
    app.get<{ Querystring: { name: string } }>(`/${logLane}`, { config: { logLane } }, async ({ query: { name } }) => {
      await new Promise<void>((resolve) => begun.push({ name, end: resolve }));
      return { name };
    });
  }
  const logLane = (body: unknown) => (JSON.stringify(body).includes("reads") ? ("people" as const) : undefined);
  const body = { type: "object", additionalProperties: true };
  app.post<{ Body: { name: string } }>("/by-body", { config: { logLane }, schema: { body } }, async (request) => {
    await new Promise<void>((resolve) => begun.push({ name: request.body.name, end: resolve }));
    return {};
  });
  port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
});

afterEach(async () => {
  for (const { end } of begun) end();
  await app.close();
});

const ask = (user: string, name: string, lane = "people") =>
  app.inject({ url: `/${lane}?name=${name}`, headers: { "x-user": user } });
const names = () => begun.map(({ name }) => name);

it("runs two requests of a caller at a time, queues the others, and separates lanes and callers", async () => {
  const asked = ["a1", "a2", "a3", "a4"].map((name) => ask("a", name));
  await expect.poll(names).toEqual(["a1", "a2"]);
  asked.push(ask("b", "b1"), ask("a", "preview", "previews"));
  await expect.poll(names).toEqual(["a1", "a2", "b1", "preview"]);
  begun[1]?.end();
  await expect.poll(() => names().slice(4)).toEqual(["a3"]);
  begun[0]?.end();
  await expect.poll(() => names().slice(4)).toEqual(["a3", "a4"]);
  for (const { end } of begun) end();
  expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
});

it("refuses the thirteenth request of a caller with Retry-After", async () => {
  const asked = Array.from({ length: 12 }, (_, n) => ask("a", `a${n}`));
  await expect.poll(names).toHaveLength(2);
  const refused = await ask("a", "one too many");
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
  for (let n = 0; n < 12; n += 1) {
    await expect.poll(() => begun.length).toBeGreaterThan(n);
    begun[n]?.end();
  }
  expect((await Promise.all(asked)).every(({ statusCode }) => statusCode === 200)).toBe(true);
});

it("passes the turn of a disconnected client on to the next request", async () => {
  const send = async (name: string) => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(`GET /people?name=${name} HTTP/1.1\r\nHost: localhost\r\nX-User: a\r\n\r\n`);
    return socket;
  };
  const sockets = [await send("a1"), await send("a2")];
  await expect.poll(names).toEqual(["a1", "a2"]);
  const waiting = [await send("left while waiting"), await send("a4")];
  waiting[0]?.destroy();
  sockets[0]?.destroy();
  await expect.poll(() => names().slice(2)).toEqual(["a4"]);
  for (const socket of [...sockets, ...waiting]) socket.destroy();
});

it("queues a request whose body says that it reads logs, and no other", async () => {
  const post = (name: string) =>
    app.inject({ method: "POST", url: "/by-body", headers: { "x-user": "a" }, payload: { name } });
  const asked = ["reads 1", "reads 2", "reads 3", "other"].map(post);
  await expect.poll(() => names().toSorted()).toEqual(["other", "reads 1", "reads 2"]);
  for (const { end } of begun) end();
  await expect.poll(names).toContain("reads 3");
  begun.at(-1)?.end();
  await Promise.all(asked);
});
