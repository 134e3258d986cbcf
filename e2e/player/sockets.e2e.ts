import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { count } from "../counts.ts";
import { SMALL_HEAP } from "../hostile.ts";
import { residentMiB } from "../services.ts";
import { makeFile } from "./card.ts";
import { type StartedPlayer, startPlayer } from "./client.ts";
import { quantile } from "./figures.ts";

const COMMANDS = count({ ci: 200, full: 2000 });
const LISTENERS = 63;

// A path of 3,700 characters makes an event of more than 7 KiB, so that a buffer for a client that never reads would be
// visible.
const LONG_PATH = `${Array.from({ length: 15 }, (_, i) => String(i % 10).repeat(245)).join("/")}/001.mp3`;
const WARM_UP_EVENTS = 500;
const FLOOD_EVENTS = 5000;
const AT_ONCE = 10;
// Heap and 64 encrypted connections; a memory leak would be larger.
const FLAT_MIB = 16;

interface Listener {
  socket: WebSocket;
  seqs: number[];
  /** When the answer to each command arrived. */
  receivedAtMs: number[];
  /** Over every frame after the hello, to the letter. */
  digest: ReturnType<typeof createHash>;
}

const clock = createClock();
let player: StartedPlayer;
let ca: string;

beforeAll(async () => {
  const card = await mkdtemp(join(tmpdir(), "card-"));
  await makeFile(join(card, LONG_PATH), { seconds: 60 });
  player = await startPlayer(card, { ...SMALL_HEAP, PLAYER_LIMITS: "off" });
  ({ cert: ca } = JSON.parse(await readFile(join(player.service.dataFolder, "tls", "ca.json"), "utf8")));
});
afterAll(async () => {
  player.client.close();
  await player.service.stop();
});

const dial = () => new WebSocket(`${player.service.url.replace("https:", "wss:")}/ws`, { ca });

async function listen(): Promise<Listener> {
  const listener: Listener = { socket: dial(), seqs: [], receivedAtMs: [], digest: createHash("sha256") };
  const { socket, seqs, receivedAtMs, digest } = listener;
  await once(socket, "message");
  socket.on("message", (message: Buffer) => {
    const { type, seq } = JSON.parse(message.toString("utf8"));
    if (type === "volume") receivedAtMs.push(clock.monotonicMs());
    seqs.push(seq);
    digest.update(message);
  });
  return listener;
}

/** Opens a socket and reads no byte after the answer to its upgrade. */
async function openSilently(): Promise<TLSSocket> {
  const { port } = player.service;
  const socket = connect({ port, host: "localhost", ca });
  const head = ["GET /ws HTTP/1.1", `host: localhost:${port}`, "connection: upgrade", "upgrade: websocket"];
  const key = ["sec-websocket-version: 13", "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA=="];
  socket.write(`${[...head, ...key].join("\r\n")}\r\n\r\n`);
  const [answer] = await once(socket, "data");
  socket.pause();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

async function statusOfUpgrade(): Promise<number> {
  const socket = dial();
  const status = await Promise.race([
    once(socket, "unexpected-response").then(([, response]) => Number(response.statusCode)),
    once(socket, "open").then(() => 101),
  ]);
  socket.on("error", () => undefined);
  socket.terminate();
  return status;
}

/** A pause while paused changes nothing but still emits an event. */
async function flood(events: number): Promise<void> {
  for (let sent = 0; sent < events; sent += AT_ONCE) {
    const answers = Array.from({ length: AT_ONCE }, () => player.client.post("/api/playback/pause"));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  }
}

it("sends 63 clients all events in time and in order with constant memory, while a 64th never reads", async () => {
  const { service, client } = player;
  await client.post("/api/playback/play", { path: LONG_PATH });
  await flood(WARM_UP_EVENTS);
  const silent = await openSilently();
  const emptyMiB = await residentMiB(service);
  await flood(FLOOD_EVENTS);
  const fullMiB = await residentMiB(service);
  const floodedAtMs = clock.monotonicMs();
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, listen));

  const beforeMiB = await residentMiB(service);
  const sentAtMs: number[] = [];
  for (let i = 0; i < COMMANDS; i += 1) {
    sentAtMs.push(clock.monotonicMs());
    expect((await client.post("/api/playback/volume", { volume: i % 101 })).status).toBe(200);
  }
  await expect
    .poll(() => listeners.every(({ receivedAtMs }) => receivedAtMs.length === COMMANDS), { timeout: 5000 })
    .toBe(true);
  const afterMiB = await residentMiB(service);

  const waits = listeners.flatMap(({ receivedAtMs }) => receivedAtMs.map((atMs, i) => atMs - (sentAtMs[i] ?? 0)));
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(waits, share).toFixed(1));
  console.log(`sockets: ${COMMANDS} changes to ${LISTENERS} clients: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`);
  console.log(
    `sockets: resident ${emptyMiB.toFixed(1)} MiB before 36 MiB for one who never reads, ${fullMiB.toFixed(1)} after`,
  );
  console.log(`sockets: resident ${beforeMiB.toFixed(1)} MiB before, ${afterMiB.toFixed(1)} MiB after`);
  expect(quantile(waits, 0.95)).toBeLessThan(50);
  expect(fullMiB).toBeLessThan(emptyMiB + FLAT_MIB);
  expect(afterMiB).toBeLessThan(beforeMiB + FLAT_MIB);
  const [{ seqs } = { seqs: [] }] = listeners;
  expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 0) + i));
  expect(new Set(listeners.map(({ digest }) => digest.digest("hex"))).size).toBe(1);

  // It has been over the limit at least since the flood.
  await expect.poll(() => service.output(), { timeout: 45_000, interval: 1000 }).toContain("slow socket closed");
  console.log(`sockets: who never read was dropped after ${Math.round((clock.monotonicMs() - floodedAtMs) / 1000)} s`);
  expect(await statusOfUpgrade()).toBe(101);
  for (const { socket } of listeners) {
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.terminate();
  }
  silent.destroy();
});
