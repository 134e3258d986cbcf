import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { vi } from "vitest";
import { createPairCommand } from "../src/commands/pair.ts";
import type { ControlKey } from "../src/controls/control-input.ts";
import type { ManualInput } from "../src/drivers/hardware.ts";
import { createSimulatedHardware } from "../src/drivers/simulated-hardware.ts";
import { type DeviceToken, openDeviceToken } from "../src/token/device-token.ts";
import { createManualEngine } from "./manual-engine.ts";
import { createTestPlayer } from "./test-player.ts";

/** For work on the disk, which does not follow the test's clock. */
export const PATIENCE = { timeout: 10_000, interval: 10 };
/** A whole device starts slowly on a busy machine. */
export const START_MS = 30_000;

const NO_SCREEN = new Problem("failed", "display: there is no frame buffer");

export interface OwnerBenchOptions {
  isLimited?: boolean;
  hasPairing?: boolean;
  /** Without it the display does not start. */
  hasScreen?: boolean;
  /** The data of a device that is started again. */
  folder?: string;
  /** Every code of this device is 000000, so that a client that guesses finds it. */
  hasWeakCode?: boolean;
  /** Delays every replacement of the token. */
  beforeRenewal?: () => Promise<void>;
}

const CODE_BYTES = 4;

/** A whole device that no person has used yet. The test controls its clock, keys and engine. */
export async function startOwnerBench(options: OwnerBenchOptions = {}) {
  const {
    isLimited = false,
    hasPairing = true,
    hasScreen = true,
    folder,
    hasWeakCode = false,
    beforeRenewal,
  } = options;
  const clock = createFakeClock();
  const random = createIds(clock);
  const ids = hasWeakCode
    ? { ...random, secret: (bytes: number) => (bytes === CODE_BYTES ? Buffer.alloc(bytes) : random.secret(bytes)) }
    : random;
  const engine = createManualEngine(60_000);
  const dataFolder = folder ?? (await mkdtemp(join(tmpdir(), "owner-")));
  const cardFolder = join(dataFolder, "card");
  await mkdir(join(cardFolder, "Husary"), { recursive: true });
  for (const name of ["001.mp3", "002.mp3"]) await writeFile(join(cardFolder, "Husary", name), "sound");
  const printed: string[] = [];
  const warnings: string[] = [];
  const opened = await openDeviceToken({
    dataFolder,
    ids,
    log: silentLog,
    onNew: ({ value }) => printed.push(`token ${value}`),
  });
  const token: DeviceToken = {
    ...opened,
    async renew() {
      await beforeRenewal?.();
      await opened.renew();
    },
  };
  const hands: ManualInput[] = [];
  const simulated = createSimulatedHardware({ engine, dataFolder, clock, ids });
  const player = await createTestPlayer({
    ...{ dataFolder, cardFolder, clock, ids, token, isLimited, hasPairing },
    hardware: {
      ...simulated,
      ...(!hasScreen && { display: { ...simulated.display, start: () => Promise.reject(NO_SCREEN) } }),
      start: async (hand) => void hands.push(hand),
    },
    log: { ...silentLog, warn: (_fields: object, message: string) => void warnings.push(message) },
    deviceConsole: { write: (text) => void printed.push(text) },
  });
  await player.start();
  await clock.advance(0);
  const { app } = player;
  const [hand] = hands;
  if (!hand) throw new Error("the hardware was not started");

  const call = (method: "GET" | "POST", path: string, { body = {}, sent = "", from = "192.168.0.7" } = {}) =>
    app.inject({
      method,
      url: `/api${path}`,
      remoteAddress: from,
      headers: sent === "" ? {} : { authorization: `Bearer ${sent}` },
      ...(method === "POST" && { payload: body }),
    });

  return {
    ...{ app, clock, engine, token, hand, printed, warnings, call, dataFolder },
    hold: async (ms: number, key: ControlKey = "main") => {
      hand.key(key, "down");
      await clock.advance(ms);
      hand.key(key, "up");
      await clock.advance(100);
    },
    /** Runs the command on the device. Returns the digits that it prints. */
    openAtConsole: async () => {
      const written: string[] = [];
      const terminal = { write: (text: string) => void written.push(text) };
      const pair = createPairCommand({ dataFolder: () => dataFolder, terminal, clock: createClock() });
      await pair.run({ values: {}, positionals: [] });
      return written.join("").replace(/\s/g, "");
    },
    /** The code that the console showed last. */
    code: () => /(\d{6})\n$/.exec(printed.findLast((line) => line.startsWith("Pairing")) ?? "")?.[1] ?? "",
    pair: (code: string, from?: string) => call("POST", "/pairing", { body: { code }, ...(from && { from }) }),
    body: async (path: string) => (await call("GET", path)).json(),
    storedToken: async () => (await readFile(join(dataFolder, "token"), "utf8")).trim(),
    untilScanned: () =>
      vi.waitFor(async () => {
        await clock.advance(500);
        const { reciters } = (await call("GET", "/library/reciters")).json();
        if (reciters.length === 0) throw new Error("the card is not scanned yet");
      }, PATIENCE),
    close: () => player.close(),
  };
}
