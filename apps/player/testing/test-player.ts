import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { createOutboundGuard } from "@kit/guard/fetch";
import { silentLog } from "@kit/log/silent";
import { createSimulatedHardware } from "../src/drivers/simulated-hardware.ts";
import { createPlayer, type PlayerParts } from "../src/player.ts";
import { createManualEngine } from "./manual-engine.ts";

export const TOKEN = "c0ffee".padEnd(64, "0");
const FONT_FOLDER = join(import.meta.dirname, "../assets/fonts");

/** The whole service in a separate folder, with a clock and an engine that a test controls. Not started. */
export async function createTestPlayer(parts: Partial<PlayerParts> = {}) {
  const clock = createFakeClock();
  const engine = createManualEngine();
  const folder = await mkdtemp(join(tmpdir(), "player-"));
  const player = await createPlayer({
    dataFolder: join(folder, "data"),
    cardFolder: join(folder, "card"),
    version: "1.2.3",
    hardware: createSimulatedHardware({ engine, dataFolder: join(folder, "data"), clock, ids: createFakeIds() }),
    port: 8443,
    setupPort: undefined,
    hasPairing: false,
    renewToken: async () => undefined,
    guard: createOutboundGuard(),
    certificate: undefined,
    isLimited: false,
    dashboardFolder: import.meta.dirname,
    fontFolder: FONT_FOLDER,
    currentToken: () => TOKEN,
    clock,
    ids: createFakeIds(),
    log: silentLog,
    ...parts,
  });
  return { ...player, clock, engine };
}
