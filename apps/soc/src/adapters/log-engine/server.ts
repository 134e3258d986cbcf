import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Ids } from "@kit/clock/ids";
import { LOG_LANES, type LogLane } from "../../ports/log-store.ts";
import { LANE_HEADER, NOT_AFTER_HEADER } from "../clickhouse/clickhouse-reads.ts";
import type { EnginePool } from "./pool.ts";
import { EngineRefusal, type EngineRequest, parseEngineRequest, readStatement } from "./request.ts";

export interface LogEngineServerDeps {
  pool: EnginePool;
  ids: Pick<Ids, "next">;
  /** Whether the process that started the engine still runs; without it the engine is about to end. */
  hasParent: () => boolean;
  /** The memory limit of one SELECT. */
  selectBytes: number;
}

const BODY_BYTES = 160 * 1024 * 1024;
// The URL carries the parameters; ClickHouse's own limit is the same.
const HEAD_BYTES = 1024 * 1024;
// A client that reads nothing for this long counts as disconnected and must not occupy a connection of the engine.
const IDLE_MS = 120_000;
const UNKNOWN_CODE = "1002";

/** The part of ClickHouse's HTTP interface that its official client needs, in front of the engine in this process. */
export function createLogEngineServer({ pool, ids, hasParent, selectBytes }: LogEngineServerDeps): Server {
  const server = createServer({ maxHeaderSize: HEAD_BYTES, keepAliveTimeout: 0 }, (request, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    answer(request, response, gone.signal).catch((error: unknown) => refuse(response, error));
  });
  server.setTimeout(IDLE_MS);

  async function answer(request: IncomingMessage, response: ServerResponse, gone: AbortSignal): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://log-engine");
    if (pathname === "/ping") {
      await pool.ping();
      if (!hasParent()) response.statusCode = 503;
      response.end("Ok.\n");
      return;
    }
    const body = await readBody(request);
    const tag = ids.next();
    const asked = parseEngineRequest(
      searchParams,
      readStatement(searchParams, () => body.toString("utf8")),
      { tag, memoryBytes: selectBytes },
    );
    response.setHeader("X-ClickHouse-Query-Id", searchParams.get("query_id")?.replaceAll(/[^\w-]/g, "") ?? tag);
    const lane = parseLane(request.headers[LANE_HEADER]);
    const notAfterMs = Date.parse(String(request.headers[NOT_AFTER_HEADER]));
    await serve(asked, { response, body, tag, gone, lane, notAfterMs });
  }

  async function serve(
    asked: EngineRequest,
    { response, body, tag, gone, lane, notAfterMs }: EngineExchange,
  ): Promise<void> {
    switch (asked.kind) {
      case "insert": {
        const rows = await pool.insert(asked.insert, { rows: body, notAfterMs }, gone);
        const written = String(rows);
        response.setHeader("X-ClickHouse-Summary", JSON.stringify({ read_rows: written, written_rows: written }));
        response.end();
        return;
      }
      case "command":
        response.end(await pool.command(asked.sql, asked.format, gone));
        return;
      case "select":
        response.setHeader("X-ClickHouse-Format", asked.format);
        response.setHeader("X-ClickHouse-Exception-Tag", tagOfException(tag));
        await sendChunks(pool.select({ ...asked, tag, lane }, gone), response, gone);
        return;
      default:
        asked satisfies never;
    }
  }

  return server;
}

interface EngineExchange {
  response: ServerResponse;
  body: Buffer;
  tag: string;
  gone: AbortSignal;
  lane: LogLane;
  /** NaN if the insert has no deadline. */
  notAfterMs: number;
}

/** A client that names no lane, such as an operator's own client, uses the lane of people. */
function parseLane(named: string | string[] | undefined): LogLane {
  return LOG_LANES.find((lane) => lane === named) ?? "people";
}

async function sendChunks(chunks: AsyncIterable<Uint8Array>, response: ServerResponse, gone: AbortSignal) {
  for await (const chunk of chunks) {
    if (gone.aborted) return;
    // Backpressure: the engine produces the next chunk only when this one is sent, so a slow client costs no memory.
    if (!response.write(chunk)) await once(response, "drain", { signal: gone });
  }
  response.end();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const incoming: AsyncIterable<Buffer> = request;
  for await (const chunk of incoming) {
    sizeBytes += chunk.length;
    if (sizeBytes > BODY_BYTES)
      throw new EngineRefusal(307, "TOO_MANY_BYTES", `A body has at most ${BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, sizeBytes);
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.writableEnded) return;
  const message = error instanceof Error ? error.message : String(error);
  const code = /^Code: (\d+)/.exec(message)?.[1] ?? UNKNOWN_CODE;
  if (!response.headersSent) {
    response.removeHeader("X-ClickHouse-Exception-Tag");
    response.writeHead(500, { "X-ClickHouse-Exception-Code": code, "Content-Type": "text/plain; charset=UTF-8" });
    response.end(message);
    return;
  }
  // Too late for a status code: since 25.11, ClickHouse ends the rows with an exception block marked by the tag.
  const tag = String(response.getHeader("X-ClickHouse-Exception-Tag"));
  const line = `${message}\n`;
  response.end(`\r\n__exception__\r\n${tag}\n${line}${Buffer.byteLength(line)} ${tag}\r\n__exception__\r\n`);
}

function tagOfException(tag: string): string {
  return tag.replaceAll("-", "").slice(-16);
}
