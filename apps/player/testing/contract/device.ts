import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { createOutboundGuard, type OutboundGuard } from "@kit/guard/fetch";
import { Problem } from "@kit/problem";
import { vi } from "vitest";
import type { Hardware, ManualInput } from "../../src/drivers/hardware.ts";
import { createMemoryDisplay } from "../../src/drivers/memory-display.ts";
import { createSimulatedBattery } from "../../src/drivers/simulated-battery.ts";
import { createSimulatedCardReader } from "../../src/drivers/simulated-card-reader.ts";
import { createSimulatedClockChip } from "../../src/drivers/simulated-clock.ts";
import { createSimulatedHardware } from "../../src/drivers/simulated-hardware.ts";
import { createSimulatedPower } from "../../src/drivers/simulated-power.ts";
import type { PlayerParts } from "../../src/player.ts";
import { createManualEngine } from "../manual-engine.ts";
import { createTestPlayer, TOKEN } from "../test-player.ts";

export const MINUTE_MS = 60_000;
/** Surahs of the first reciter on the card; the second one has surah 1 only. */
export const SURAHS = [1, 2, 5, 114];
export const RECITER = "Husary";
export const ADHAN = "Adhan/makkah.mp3";
export const STREAM = "http://radio.example.com/live";
export const LENGTH_MS = 60_000;
/** A public name that leads into the network of the home. */
export const INSIDE = "inside.example.com";
const PRIVATE_ADDRESS = "10.0.0.7";
const DARK = { ...createMemoryDisplay(), start: () => Promise.reject(new Problem("failed", "display: none")) };
const PUBLIC_ADDRESS = "93.184.216.34";
const PATIENCE = { timeout: 10_000, interval: 5 };

export interface ContractDeviceOptions extends Partial<Omit<PlayerParts, "hardware">> {
  parts?: Partial<Hardware>;
  start?: Date;
  /** Whether the screen is drawn, which takes most of a test's time. */
  hasScreen?: boolean;
}

export interface Request {
  body?: unknown;
  /** Undefined sends no token. */
  token?: string | undefined;
  from?: string;
  headers?: Record<string, string>;
}

export type ContractDevice = Awaited<ReturnType<typeof startContractDevice>>;

/** A whole device with a memory card, on simulated parts. The test controls its clock, engine and streams. */
export async function startContractDevice(options: ContractDeviceOptions = {}) {
  const { parts, start, hasScreen = false, ...given } = options;
  const folder = await mkdtemp(join(tmpdir(), "contract-"));
  const cardFolder = join(folder, "card");
  const dataFolder = join(folder, "data");
  await fillCard(cardFolder, folder);
  const clock = createFakeClock(start);
  const ids = createIds(clock);
  const engine = createManualEngine(LENGTH_MS);
  const reader = createSimulatedCardReader();
  const battery = createSimulatedBattery();
  const power = createSimulatedPower();
  const chip = createSimulatedClockChip(clock, () => power.wake());
  const display = createMemoryDisplay();
  const hands: ManualInput[] = [];
  const simulated = createSimulatedHardware({ engine, dataFolder, clock, ids });
  const guard = createOutboundGuard({
    resolve: async (name) => [name === INSIDE ? PRIVATE_ADDRESS : PUBLIC_ADDRESS],
    ownAddresses: () => [],
    clock,
  });
  const opened: string[] = [];
  const player = await createTestPlayer({
    ...{ dataFolder, cardFolder, clock, ids },
    guard: { ...guard, open: openSilence(guard, opened) },
    hardware: {
      ...simulated,
      ...{ reader, battery, power, chip, display: hasScreen ? display : DARK },
      start: async (hand) => void hands.push(hand),
      ...parts,
    },
    ...given,
  });
  await player.start();
  await clock.advance(0);
  const { app } = player;

  async function send(method: "GET" | "POST" | "DELETE", path: string, request: Request = {}) {
    const { body, from, headers = {} } = request;
    const token = "token" in request ? request.token : TOKEN;
    const answered = await app.inject({
      method,
      url: path.startsWith("//") ? path.slice(1) : `/api${path}`,
      ...(from !== undefined && { remoteAddress: from }),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !Buffer.isBuffer(body) && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { payload: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    const isJson = String(answered.headers["content-type"]).startsWith("application/json");
    return {
      status: answered.statusCode,
      body: isJson ? answered.json() : {},
      headers: answered.headers,
      text: answered.body,
      bytes: answered.rawPayload,
    };
  }

  const get = (path: string, request?: Request) => send("GET", path, request);
  const post = (path: string, body?: unknown, request?: Request) => send("POST", path, { ...request, body });
  const remove = (path: string) => send("DELETE", path);
  const status = async () => (await get("/playback/status")).body;

  /** The engine plays the newest load from here. */
  function flow(positionMs = 0, durationMs = LENGTH_MS): void {
    engine.at({ positionMs, durationMs });
    engine.emit("flowing");
  }

  async function playFile(path = `${RECITER}/002.mp3`): Promise<void> {
    await post("/playback/play", { path });
    flow();
  }

  /** Connects to the stream, and the engine plays it. */
  async function playStream(): Promise<void> {
    const loads = engine.loads.length;
    await post("/playback/play", { url: STREAM });
    await vi.waitFor(() => {
      if (engine.loads.length === loads) throw new Error("the stream is not loaded yet");
    }, PATIENCE);
    flow(0, 0);
  }

  async function untilScanned(): Promise<void> {
    await vi.waitFor(async () => {
      const { body } = await get("/library/reciters");
      if (body.reciters.length < 2 || body.scanning) throw new Error("the card is not scanned yet");
    }, PATIENCE);
  }

  await untilScanned();
  return {
    ...{ app, clock, engine, reader, battery, power, chip, display, hands, opened, folder, cardFolder, dataFolder },
    ...{ send, get, post, remove, status, flow, playFile, playStream },
    /** Stops what plays and leaves every mode. */
    async calm(): Promise<void> {
      await post("/playback/stop");
      await post("/playback/mode", { mode: "off" });
    },
    async close(): Promise<void> {
      power.wake();
      await player.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fillCard(cardFolder: string, outside: string): Promise<void> {
  await writeFile(join(outside, "outside.mp3"), "sound");
  const names = [
    ...SURAHS.map((surah) => `${RECITER}/${String(surah).padStart(3, "0")}.mp3`),
    "Minshawi/001.mp3",
    ADHAN,
  ];
  for (const folder of [RECITER, "Minshawi", "Adhan"]) await mkdir(join(cardFolder, folder), { recursive: true });
  for (const name of names) await writeFile(join(cardFolder, name), "sound");
  await symlink(join(outside, "outside.mp3"), join(cardFolder, "link.mp3"));
}

/** Every server answers with endless audio that never arrives; the guard still checks the address. */
function openSilence(guard: OutboundGuard, opened: string[]): OutboundGuard["open"] {
  return async (url, options) => {
    await guard.check(url, options);
    opened.push(url);
    const body = new PassThrough();
    // More than the bytes that distinguish audio from text; zeros are not text.
    body.write(Buffer.alloc(4096));
    return { status: 200, headers: { "content-type": "audio/mpeg" }, body, url: new URL(url) };
  };
}
