import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { WebSocket } from "ws";

const Authority = Type.Object({ cert: Type.String() });
const Frame = Type.Object({ type: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) });

/** An event of the player, and when it arrived on the monotonic clock. */
export type ReceivedEvent = Static<typeof Frame> & { atMs: number };

/** The built player on its own port, as a client sees it. */
export interface Device {
  pid: number;
  ask(method: "GET" | "POST", path: string, body?: object): Promise<void>;
  /** Subscribes at once. Resolves to the first event that the predicate accepts. */
  nextEvent(isWanted: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>;
  close(): Promise<void>;
}

const PORT = 18_443;
const READY_LINE = / is ready at /;
const clock = createClock();

export async function startDevice(cardFolder: string): Promise<Device> {
  const dataFolder = mkdtempSync(join(tmpdir(), "bench-player-"));
  const script = fileURLToPath(new URL("../../apps/player/bundle/main.js", import.meta.url));
  const child = spawn(process.execPath, [script], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PLAYER_PORT: String(PORT),
      PLAYER_DATA_DIR: dataFolder,
      PLAYER_CARD_DIR: cardFolder,
      PLAYER_DRIVERS: "linux",
      PLAYER_AUDIO_OUTPUT: "null",
      PLAYER_LIMITS: "off",
    },
  });
  process.once("exit", () => child.kill());
  await whenReady(child);
  const token = readFileSync(join(dataFolder, "token"), "utf8").trim();
  const { cert: ca } = Value.Parse(Authority, JSON.parse(readFileSync(join(dataFolder, "tls", "ca.json"), "utf8")));
  const agent = new Agent({ ca, keepAlive: true });
  const socket = new WebSocket(`wss://localhost:${PORT}/ws`, { ca });
  await once(socket, "message");

  return {
    pid: child.pid ?? 0,

    ask: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const url = `https://localhost:${PORT}${path}`;
        const asking = request(url, { method, agent, headers }, (response) => {
          response.resume().once("end", resolve);
          if (response.statusCode !== 200) reject(new Error(`${method} ${path} was answered ${response.statusCode}`));
        });
        asking.once("error", reject).end(body && JSON.stringify(body));
      }),

    nextEvent: (isWanted) =>
      new Promise((resolve) => {
        function receive(message: Buffer): void {
          const event = { ...Value.Parse(Frame, JSON.parse(message.toString("utf8"))), atMs: clock.monotonicMs() };
          if (!isWanted(event)) return;
          socket.off("message", receive);
          resolve(event);
        }
        socket.on("message", receive);
      }),

    async close() {
      socket.terminate();
      agent.destroy();
      child.kill();
      await once(child, "exit");
    },
  };
}

async function whenReady(child: ChildProcess): Promise<void> {
  let printed = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.on("data", (text: Buffer) => {
      printed += text.toString("utf8");
    });
  }
  while (!READY_LINE.test(printed)) {
    if (child.exitCode !== null) throw new Error(`the player did not start:\n${printed}`);
    await clock.sleep(10);
  }
}
