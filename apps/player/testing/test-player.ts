import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { createOutboundGuard } from "@kit/guard/fetch";
import { silentLog } from "@kit/log/silent";
import { createSimulatedHardware } from "../src/drivers/simulated-hardware.ts";
import { createPlayer, type PlayerParts } from "../src/player.ts";
import type { DeviceToken } from "../src/token/device-token.ts";
import { createManualEngine } from "./manual-engine.ts";

export const TOKEN = "c0ffee".padEnd(64, "0");
const FONT_FOLDER = join(import.meta.dirname, "../assets/fonts");

/** The token of a device that its owner has used already. */
function createTestToken(): DeviceToken {
  return {
    current: () => TOKEN,
    announce: () => undefined,
    isPaired: () => true,
    markPaired: () => undefined,
    renew: async () => undefined,
  };
}

/** The whole service in a separate folder, with a clock and an engine that a test controls. Not started. */
export async function createTestPlayer(parts: Partial<PlayerParts> = {}) {
  const clock = createFakeClock();
  const engine = createManualEngine(60_000);
  const folder = await mkdtemp(join(tmpdir(), "player-"));
  const player = await createPlayer({
    dataFolder: join(folder, "data"),
    cardFolder: join(folder, "card"),
    version: "1.2.3",
    hardware: createSimulatedHardware({ engine, dataFolder: join(folder, "data"), clock, ids: createFakeIds() }),
    port: 8443,
    usage: process,
    program: { node: "v20.0.0", folder: import.meta.dirname },
    setupPort: undefined,
    hasPairing: true,
    deviceConsole: undefined,
    token: createTestToken(),
    guard: createOutboundGuard(),
    certificate: undefined,
    isLimited: false,
    ownNames: [],
    dashboardFolder: import.meta.dirname,
    fontFolder: FONT_FOLDER,
    clock,
    ids: createFakeIds(),
    log: silentLog,
    ...parts,
  });
  return { ...player, clock, engine };
}
