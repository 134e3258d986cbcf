import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createFrame, type FrameOptions } from "@kit/http/frame";
import { createFixedWindows } from "@kit/http/limits";
import { createLog } from "@kit/log";
import Type from "typebox";

const ITEMS = Array.from({ length: 25 }, (_, i) => ({
  id: `item-${i}`,
  title: `Surah ${i}`,
  severity: "high",
  count: i,
}));

/** Implements the same two answers with raw node:http: parse, check every field, stringify. */
function startRaw(): void {
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      const text = JSON.stringify(body);
      response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
      response.end(text);
    };
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname !== "/items") return send(404, { error: "not found" });
    if (request.method === "GET") {
      const limit = Number(url.searchParams.get("limit") ?? 50);
      if (!Number.isInteger(limit) || limit < 1 || limit > 200) return send(400, { error: "limit" });
      return send(200, { items: ITEMS.slice(0, limit), total: ITEMS.length });
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      return isSeek(body) ? send(200, { success: true, position: body.position }) : send(400, { error: "body" });
    });
  });
  server.listen(0, "127.0.0.1", () => printPort(server.address()));
}

function isSeek(body: unknown): body is { position: number } {
  if (typeof body !== "object" || body === null || !("position" in body)) return false;
  const isPosition = typeof body.position === "number" && body.position >= 0;
  const isMode = !("mode" in body) || body.mode === "on" || body.mode === "off";
  const isTags = !("tags" in body) || (Array.isArray(body.tags) && body.tags.every((tag) => typeof tag === "string"));
  return isPosition && isMode && isTags;
}

const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  q: Type.Optional(Type.String()),
});
const Item = Type.Object({ id: Type.String(), title: Type.String(), severity: Type.String(), count: Type.Integer() });
const ItemsBody = Type.Object({ items: Type.Array(Item), total: Type.Integer() });
const SeekRequest = Type.Object(
  {
    position: Type.Number({ minimum: 0 }),
    mode: Type.Optional(Type.Enum(["on", "off"])),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
  },
  { additionalProperties: false },
);
const SeekBody = Type.Object({ success: Type.Boolean(), position: Type.Number() });

async function startFrame(extras: Pick<FrameOptions, "log" | "limits">): Promise<void> {
  const app = createFrame({
    errorBody: (error) => ({ error }),
    ids: createIds(createClock()),
    bodyBytes: 16 * 1024,
    bodyDepth: 8,
    pages: { folder: import.meta.dirname, api: "/api" },
    ...extras,
  });
  app.get("/items", { schema: { querystring: Query, response: { 200: ItemsBody } } }, async ({ query }) => ({
    items: ITEMS.slice(0, query.limit),
    total: ITEMS.length,
  }));
  app.post("/items", { schema: { body: SeekRequest, response: { 200: SeekBody } } }, async ({ body }) => ({
    success: true,
    position: body.position,
  }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  printPort(app.server.address());
}

function printPort(address: string | AddressInfo | null): void {
  if (typeof address === "object") console.log(address?.port);
}

function completeExtras(): Pick<FrameOptions, "log" | "limits"> {
  const clock = createClock();
  const budget = { name: "all", limit: 1_000_000_000, windowMs: 60_000 };
  // The log is formatted in full and discarded, so that the speed of a terminal does not count.
  const log = createLog({ clock, level: "info", stream: { write: () => undefined } });
  return {
    log,
    limits: { windows: createFixedWindows({ clock }), budgetOf: () => budget, findClient: (address) => address },
  };
}

if (process.argv[2] === "raw") startRaw();
else await startFrame(process.argv[2] === "frame" ? {} : completeExtras());
