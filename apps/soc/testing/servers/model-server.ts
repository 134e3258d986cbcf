import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createClock } from "@kit/clock";
import { anthropicEvents, chatEvents, type ScriptedReply } from "./model-wire.ts";

/** A request as received by the model. */
export interface ModelRequest {
  path: string;
  headers: IncomingMessage["headers"];
  text: string;
  // Two wire formats, which tests read without conversion.
  body: Record<string, unknown>;
}

export type Behaviour =
  | ({ kind: "reply" } & ScriptedReply)
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string }
  /** Sends these texts as the stream, with a pause after each. */
  | { kind: "stream"; texts: Iterable<string>; gapMs?: number; end: "close" | "cut" | "hang" }
  | { kind: "hang" | "cut" };

export type Script = (request: ModelRequest, count: number) => Behaviour;

const clock = createClock();

/** A scripted model provider, in the format of the path: chat completions or messages. */
export async function startModelServer(script: Script) {
  const requests: ModelRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    readText(request)
      .then((text) => {
        const received = { path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) };
        requests.push(received);
        return behave(script(received, requests.length), received.path, response);
      })
      .catch(() => response.destroy());
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

async function behave(behaviour: Behaviour, path: string, response: ServerResponse): Promise<void> {
  switch (behaviour.kind) {
    case "hang":
      return;
    case "cut":
      response.destroy();
      return;
    case "status":
      response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body ?? '{"error":{"message":"no"}}');
      return;
    case "reply":
      return stream(response, path.endsWith("/messages") ? anthropicEvents(behaviour) : chatEvents(behaviour));
    case "stream":
      return stream(response, behaviour.texts, behaviour);
    default:
      behaviour satisfies never;
  }
}

async function stream(
  response: ServerResponse,
  texts: Iterable<string>,
  { gapMs = 0, end = "close" }: { gapMs?: number; end?: "close" | "cut" | "hang" } = {},
): Promise<void> {
  const closed = new Promise((resolve) => response.once("close", resolve));
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const text of texts) {
    if (response.destroyed) return;
    if (!response.write(text)) await Promise.race([once(response, "drain"), closed]);
    if (gapMs > 0) await clock.sleep(gapMs);
  }
  // A byte that is written before the socket ends must arrive.
  if (end !== "close") await clock.sleep(20);
  if (end === "close") response.end();
  if (end === "cut") response.destroy();
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
