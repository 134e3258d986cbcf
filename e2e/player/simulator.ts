import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { createConnection } from "node:net";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { WebSocket } from "ws";
import type { StartedService } from "../services.ts";
import { type StartedPlayer, startPlayerForTest, untilScanned } from "./client.ts";

type Device = Pick<StartedService, "url" | "dataFolder">;

/** One line for `simulator.sock`. */
export type Command =
  | { tap: string }
  | { lift: true }
  | { button: "press" | "down" | "up" }
  | { battery: { percentage: number; charging: boolean } }
  | { eject: true };

export interface Bytes {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

const clock = createClock();

/** The built player with simulated parts and without budgets. The card is already scanned. */
export async function startSimulatedForTest(card: string, env: Record<string, string> = {}): Promise<StartedPlayer> {
  const player = await startPlayerForTest(card, { PLAYER_DRIVERS: "simulated", PLAYER_LIMITS: "off", ...env });
  await untilScanned(player.client);
  return player;
}

/** Sends one command to the simulated device. Returns the simulator's answer. */
export async function execute({ dataFolder }: Pick<Device, "dataFolder">, deed: Command): Promise<unknown> {
  const socket = createConnection(join(dataFolder, "simulator.sock"));
  socket.end(`${JSON.stringify(deed)}\n`);
  let answered = "";
  for await (const chunk of socket.setEncoding("utf8")) {
    answered += chunk;
    if (answered.endsWith("\n")) break;
  }
  return JSON.parse(answered);
}

/** For bodies that are not JSON: bundles and pictures. */
export async function askBytes(
  { url, dataFolder }: Device,
  { method, path, token, body }: { method: string; path: string; token?: string; body?: Buffer },
): Promise<Bytes> {
  const asking = request(`${url}${path}`, {
    method,
    ca: await readAuthority(dataFolder),
    headers: {
      "content-length": body?.length ?? 0,
      ...(body && { "content-type": "application/octet-stream" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });
  asking.end(body);
  const [response] = await once(asking, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}

/** Connects, and returns a promise that resolves when the server closes the connection. */
export async function openGuest({ url, dataFolder }: Device): Promise<{ dropped: Promise<unknown> }> {
  const socket = new WebSocket(`${url.replace("https:", "wss:")}/ws`, { ca: await readAuthority(dataFolder) });
  await once(socket, "message");
  return { dropped: once(socket, "close", { signal: clock.deadline(10_000) }) };
}

async function readAuthority(dataFolder: string): Promise<string> {
  return JSON.parse(await readFile(join(dataFolder, "tls", "ca.json"), "utf8")).cert;
}
