import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { type StartedService, startService } from "../services.ts";

type Json = ReturnType<typeof JSON.parse>;

export type Headers = Readonly<Record<string, string | string[]>>;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The raw text of the answer. */
  text: string;
  /** The same, read as JSON. */
  body: Json;
}

export interface Question {
  method: string;
  /** The whole path, `/api` included. */
  path: string;
  text?: string;
  /** Several values are sent as several lines. */
  headers?: Headers;
}

export interface LiveEvent {
  type: string;
  seq: number;
  ts: number;
  data: Json;
  /** When it arrived here, on the monotonic clock. */
  atMs: number;
}

export interface LiveSocket {
  /** All that has arrived, oldest first. */
  events: readonly LiveEvent[];
  /** The first matching event of this type after the one of this type that was returned before. */
  next(type: string, isWanted?: (data: Json) => boolean, withinMs?: number): Promise<LiveEvent>;
  close(): Promise<void>;
}

export type PlayerClient = Awaited<ReturnType<typeof createPlayerClient>>;

const clock = createClock();

/** A client that knows the device's token and trusts the device's own authority. */
export async function createPlayerClient({ url, dataFolder }: Pick<StartedService, "url" | "dataFolder">) {
  const token = (await readFile(join(dataFolder, "token"), "utf8")).trim();
  const { cert: ca } = JSON.parse(await readFile(join(dataFolder, "tls", "ca.json"), "utf8"));
  const agent = new Agent({ ca, keepAlive: true });

  async function ask({ method, path, text = "", headers }: Question): Promise<Answer> {
    const own = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const asking = request(`${url}${path}`, { method, agent, headers: { ...own, ...headers } });
    asking.end(text);
    const [response] = await once(asking, "response");
    let answered = "";
    for await (const chunk of response.setEncoding("utf8")) answered += chunk;
    return {
      status: response.statusCode,
      headers: response.headers,
      text: answered,
      body: String(response.headers["content-type"]).startsWith("application/json") ? JSON.parse(answered) : undefined,
    };
  }

  const bearer = (sent = token) => ({ authorization: `Bearer ${sent}` });

  return {
    token,
    ask,
    get: (path: string) => ask({ method: "GET", path }),
    post: (path: string, body?: unknown, options: { token?: string } = {}) =>
      ask({
        method: "POST",
        path,
        headers: bearer(options.token),
        ...(body !== undefined && { text: JSON.stringify(body) }),
      }),
    del: (path: string, options: { token?: string } = {}) =>
      ask({ method: "DELETE", path, headers: bearer(options.token) }),
    /** Resolves when the server has sent hello. */
    socket: () => openSocket(`${url.replace("https:", "wss:")}/ws`, ca, token),
    close: () => agent.destroy(),
  };
}

async function openSocket(url: string, ca: string, token: string): Promise<LiveSocket> {
  const socket = new WebSocket(url, { ca });
  const events: LiveEvent[] = [];
  const answered = new Map<string, number>();
  socket.on("message", (message) => {
    events.push({ ...JSON.parse((message as Buffer).toString("utf8")), atMs: clock.monotonicMs() });
  });
  // A killed service resets the connection; a pending wait for a message then fails.
  socket.on("error", () => undefined);
  await once(socket, "message");
  // As the dashboard of an owner does.
  socket.send(JSON.stringify({ type: "token", token }));
  return {
    events,

    async next(type, isWanted = () => true, withinMs = 5000) {
      const deadline = clock.deadline(withinMs);
      for (;;) {
        const from = answered.get(type) ?? 0;
        const index = events.findIndex((event, at) => at >= from && event.type === type && isWanted(event.data));
        const found = events[index];
        if (found) {
          answered.set(type, index + 1);
          return found;
        }
        await once(socket, "message", { signal: deadline }).catch((cause: unknown) => {
          const latest = events.slice(-5).map((event) => JSON.stringify(event));
          throw new Error(`no such '${type}' within ${withinMs} ms; the latest: ${latest.join("\n")}`, { cause });
        });
      }
    },

    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, "close");
    },
  };
}

export interface StartedPlayer {
  service: StartedService;
  client: PlayerClient;
}

/** Starts the built player on a card, with mpv and an audio output that keeps time but makes no sound. */
export async function startPlayer(
  card: string,
  env: Record<string, string> = {},
  command: readonly string[] = [],
): Promise<StartedPlayer> {
  const given = { PLAYER_DRIVERS: "linux", PLAYER_AUDIO_OUTPUT: "null", PLAYER_CARD_DIR: card, ...env };
  const started = await startService("player", given, command);
  const service = { ...started, dataFolder: env.PLAYER_DATA_DIR ?? started.dataFolder };
  return { service, client: await createPlayerClient(service) };
}

/** Does the same for one test and stops the player after it. */
export async function startPlayerForTest(...given: Parameters<typeof startPlayer>): Promise<StartedPlayer> {
  const player = await startPlayer(...given);
  onTestFinished(async () => {
    await player.service.stop();
  });
  return player;
}

/** Resolves when every name on the card is known. */
export async function untilScanned({ get }: Pick<PlayerClient, "get">): Promise<void> {
  const deadline = clock.deadline(15_000);
  while ((await get("/api/library/reciters")).body.scanned_at === null) await clock.sleep(100, deadline);
}

/** Plays a file of the card and waits until its audio runs. */
export async function hearFile({ get, post }: Pick<PlayerClient, "get" | "post">, path: string): Promise<void> {
  const deadline = clock.deadline(5000);
  const { status, text } = await post("/api/playback/play", { path });
  if (status !== 200) throw new Error(`${path} is not played: ${text}`);
  for (;;) {
    const { state, duration } = (await get("/api/playback/status")).body;
    if (state === "playing" && duration > 0) return;
    await clock.sleep(20, deadline);
  }
}
