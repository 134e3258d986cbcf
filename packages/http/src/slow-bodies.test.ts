import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { createFakeIds } from "@kit/clock/fake";
import type { Log } from "@kit/log";
import { silentLog } from "@kit/log/silent";
import { expect, it, type TestContext, vi } from "vitest";
import { createFrame } from "./frame.ts";

const REQUEST_TIMEOUT_MS = 300;
/** Node checks for late requests once a second. The tests wait concurrently. */
const SURELY_LATE_MS = 2200;

async function listen({ onTestFinished }: TestContext, log?: Log) {
  const app = createFrame({
    ...(log && { log }),
    errorBody: (error) => ({ error }),
    ids: createFakeIds(),
    bodyBytes: 1024,
    bodyDepth: 8,
    pages: { folder: import.meta.dirname, api: "/api" },
  });
  app.post("/stream", { config: { streamsBody: true } }, async ({ raw }) => {
    let bytes = 0;
    for await (const chunk of raw) bytes += chunk.length;
    return { bytes };
  });
  app.post("/late", { schema: { body: { type: "object", additionalProperties: true } } }, async () => ({}));
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  // Of the two Node takes the longer one for the whole request.
  app.server.headersTimeout = REQUEST_TIMEOUT_MS;
  app.server.requestTimeout = REQUEST_TIMEOUT_MS;
  onTestFinished(() => app.close());
  return { app, address };
}

/** Sends a piece and, when that is late, the rest; answers what came back. */
async function sendSlowly(url: string, [first, rest]: readonly [string, string]) {
  const headers = { "transfer-encoding": "chunked", "content-type": "image/png" };
  const sending = request(url, { method: "POST", headers });
  const answered = new Promise<{ status: number | undefined; field: string | string[] | undefined; body: string }>(
    (resolve, reject) => {
      sending.once("error", reject);
      sending.once("response", (response) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode, field: response.headers["problem-field"], body }),
          reject,
        );
      });
    },
  );
  sending.write(first);
  await Promise.race([wait(SURELY_LATE_MS), answered]);
  sending.end(rest);
  return answered;
}

it.concurrent("lets a handler that reads the body itself accept any size and type beyond the request timeout", async (context) => {
  const { address } = await listen(context);
  const answer = await sendSlowly(`${address}/stream`, ["a".repeat(3000), "b".repeat(5000)]);
  expect(answer).toMatchObject({ status: 200, body: '{"bytes":8000}' });
}, 15_000);

it.concurrent("enforces the timeout for every other request", async (context) => {
  const { address } = await listen(context);
  const late = await sendSlowly(`${address}/late`, ["{", "}"]);
  expect(late).toEqual({ status: 400, field: "request", body: '{"error":"request: was not complete in time"}' });
}, 15_000);

it.concurrent("passes an empty body", async (context) => {
  const { app } = await listen(context);
  const answer = await app.inject({ method: "POST", url: "/stream" });
  expect(answer.json()).toEqual({ bytes: 0 });
});

it.concurrent("closes an unused connection without an answer and answers a partial head", async (context) => {
  const { address } = await listen(context);
  const read = async (sent: string) => {
    const socket = connect(Number(new URL(address).port), "127.0.0.1");
    socket.write(sent);
    return text(socket);
  };
  expect(await read("")).toBe("");
  expect(await read("GET / HTTP/1.1\r\n")).toContain("400 Bad Request");
}, 15_000);

it.concurrent("logs a request that its client aborted as aborted, not as a failure", async (context) => {
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  const { address } = await listen(context, { ...silentLog, info: note, error: note });
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  socket.write("POST /late HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{");
  await wait(100);
  socket.resetAndDestroy();
  await vi.waitFor(() => expect(lines).toContain("request cut off by its client"), 10_000);
  expect(lines).not.toContain("request failed");
});
