import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { reachOf } from "@kit/guard/address";
import { createOutboundGuard, type OutboundGuardDeps } from "@kit/guard/fetch";
import { silentLog } from "@kit/log/silent";
import { freePort } from "@kit/testing/process";
import { openCertificateService } from "../src/certificate/certificate.service.ts";
import { openCertificate } from "../src/certificate/certificate.ts";
import { createMpvEngine } from "../src/drivers/mpv-engine.ts";
import { createSimulatedHardware } from "../src/drivers/simulated-hardware.ts";
import { createPlayer } from "../src/player.ts";
import { openToken } from "../src/token/token.ts";

export interface LoopbackOptions extends Pick<OutboundGuardDeps, "resolve"> {
  /** What to run as mpv. */
  mpv?: string;
}

export interface LoopbackPlayer {
  url: string;
  dataFolder: string;
  close(): Promise<void>;
}

/** Stands for the internet; the rest of 127.0.0.0/8 stays as forbidden as it is. */
export const PUBLIC_ADDRESS = "127.0.0.1";
export const FORBIDDEN_ADDRESS = "127.0.0.2";

/**
 * The player as it is built, on real audio, but in this process and with a guard that takes one loopback address for a
 * public one: the shipped guard would, rightly, refuse every server that a test can start.
 */
export async function startLoopbackPlayer({ mpv, ...guarded }: LoopbackOptions = {}): Promise<LoopbackPlayer> {
  const clock = createClock();
  const ids = createIds(clock);
  const log = silentLog;
  const dataFolder = await mkdtemp(join(tmpdir(), "player-"));
  const token = await openToken(dataFolder, ids);
  const player = await createPlayer({
    dataFolder,
    cardFolder: join(dataFolder, "card"),
    version: "1.0.0",
    hardware: createSimulatedHardware({
      engine: createMpvEngine({ clock, log, output: "null", command: mpv }),
      dataFolder,
      clock,
      ids,
    }),
    port: 0,
    hasPairing: false,
    renewToken: async () => undefined,
    guard: createOutboundGuard({
      ...guarded,
      ownAddresses: () => [],
      classify: (address) => (address === PUBLIC_ADDRESS ? "public" : reachOf(address)),
    }),
    clock,
    ids,
    log,
    certificate: await openCertificateService({
      open: () => openCertificate({ dataFolder, clock, ids, log, names: () => ["localhost"] }),
      clock,
      log,
    }),
    isLimited: false,
    dashboardFolder: import.meta.dirname,
    currentToken: () => token.value,
  });
  const port = await freePort();
  await player.app.listen({ host: "127.0.0.1", port });
  await player.start();
  return { url: `https://localhost:${port}`, dataFolder, close: () => player.close() };
}
