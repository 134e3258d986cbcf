import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { Duplex } from "node:stream";
import { createClock } from "@kit/clock";
import Type from "typebox";
import Value from "typebox/value";
import { type Device, startDevice } from "./bench-player-device.ts";

const MPV = "mpv";
const FFMPEG = "ffmpeg";
const PLAYS = 30;
const WARM_UP = 5;
const FILES = ["Bench/001.mp3", "Bench/002.mp3"];
const BETWEEN_PLAYS_MS = 100;
const SURAHS = 114;
const CARDS = [50, 176];

const MpvMessage = Type.Object({ event: Type.Optional(Type.String()) });

const clock = createClock();

/** Measures the latency that the service adds to mpv, and how a scan of the card slows down requests. */
async function main(): Promise<void> {
  for (const tool of [MPV, FFMPEG]) {
    if (spawnSync(tool, ["--version"]).error)
      throw new Error(`the bench player needs ${tool} (Debian: apt-get install ${tool})`);
  }
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${memoryGiB} GiB\n`);
  await benchPlay();
  console.log(
    "\n| names on the card | scan | requests answered meanwhile | median answer | longest answer |\n|---|---|---|---|---|",
  );
  for (const reciters of CARDS) await benchScan(reciters);
}

async function benchPlay(): Promise<void> {
  const card = mkdtempSync(join(tmpdir(), "bench-card-"));
  mkdirSync(join(card, "Bench"));
  const tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=60", "-b:a", "128k"];
  for (const file of FILES) spawnSync(FFMPEG, ["-loglevel", "error", ...tone, join(card, file)]);
  const device = await startDevice(card);
  // Answered when mpv runs.
  await device.ask("POST", "/api/playback/play", { path: FILES[0] });
  const bare = startBareMpv(readMpvCommand(device.pid));
  const [ofService, ofMpv]: [number[], number[]] = [[], []];
  for (let play = 0; play < WARM_UP + PLAYS; play += 1) {
    const file = FILES[play % FILES.length] ?? "";
    const waits = [await playByService(device, file), await bare.play(join(card, file))];
    await clock.sleep(BETWEEN_PLAYS_MS);
    if (play < WARM_UP) continue;
    ofService.push(waits[0] ?? 0);
    ofMpv.push(waits[1] ?? 0);
  }
  bare.close();
  await device.close();
  console.log("| play to sound, ms | median | fastest | slowest |\n|---|---|---|---|");
  for (const [who, waits] of [
    ["bare mpv, JSON IPC", ofMpv],
    ["POST /api/playback/play over HTTPS", ofService],
  ] as const) {
    console.log(
      `| ${who} | ${[median(waits), Math.min(...waits), Math.max(...waits)].map((ms) => ms.toFixed(1)).join(" | ")} |`,
    );
  }
  const [service, mpv] = [median(ofService), median(ofMpv)];
  console.log(
    `\nThe service adds ${(service - mpv).toFixed(1)} ms: ${(service / mpv).toFixed(2)} times bare mpv (${PLAYS} plays each)`,
  );
}

/** The first status of a play has no duration; the next one is sent when mpv reports that sound runs. */
async function playByService(device: Device, path: string): Promise<number> {
  const startMs = clock.monotonicMs();
  const sounding = device.nextEvent(
    ({ type, data }) => type === "playback" && data.track === path && data.duration !== 0,
  );
  await device.ask("POST", "/api/playback/play", { path });
  return (await sounding).atMs - startMs;
}

/** The very program and flags that the service runs. */
function readMpvCommand(pid: number): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  const commands = children.map((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").split("\0").slice(0, -1));
  const command = commands.find(([name]) => name === MPV);
  if (!command) throw new Error("the player runs no mpv");
  return command;
}

function startBareMpv([program = "", ...flags]: readonly string[]) {
  const child = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const socket = child.stdio[3];
  if (!(socket instanceof Duplex)) throw new Error("the fourth stream of mpv is no socket");
  const lines = createInterface(socket);
  return {
    play: (path: string) =>
      new Promise<number>((resolve) => {
        const startMs = clock.monotonicMs();
        lines.on("line", function read(line) {
          const { event } = Value.Parse(MpvMessage, JSON.parse(line));
          if (event !== "playback-restart") return;
          lines.off("line", read);
          resolve(clock.monotonicMs() - startMs);
        });
        socket.write(`${JSON.stringify({ command: ["loadfile", path] })}\n`);
      }),
    close: () => child.kill(),
  };
}

async function benchScan(reciters: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bench-card-"));
  const [card, names] = [join(folder, "card"), join(folder, "names")];
  for (let reciter = 0; reciter < reciters; reciter += 1) makeReciter(join(names, `Reciter ${reciter}`));
  const device = await startDevice(card);
  const scanning = device.nextEvent(({ type, data }) => type === "library" && data.scanning === true);
  const scanned = device.nextEvent(({ type, data }) => type === "library" && data.surahs === reciters * SURAHS);
  renameSync(names, card);
  const startedAtMs = (await scanning).atMs;
  const waits = await askUntil(scanned, device);
  const seconds = ((await scanned).atMs - startedAtMs) / 1000;
  await device.close();
  const [typical, longest] = [median(waits).toFixed(1), Math.max(...waits).toFixed(1)];
  console.log(`| ${reciters * SURAHS} | ${seconds.toFixed(2)} s | ${waits.length} | ${typical} ms | ${longest} ms |`);
}

function makeReciter(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let surah = 1; surah <= SURAHS; surah += 1)
    writeFileSync(join(folder, `${String(surah).padStart(3, "0")}.mp3`), "");
}

/** One request after the other; how long each was waited for. */
async function askUntil(end: Promise<unknown>, device: Device): Promise<number[]> {
  const waits: number[] = [];
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const startMs = clock.monotonicMs();
    await device.ask("GET", "/api/system");
    waits.push(clock.monotonicMs() - startMs);
  }
  return waits;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await main();
