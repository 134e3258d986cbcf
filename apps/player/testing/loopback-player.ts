import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { reachOf } from "@kit/guard/address";
import { createOutboundGuard, type OutboundGuardDeps } from "@kit/guard/fetch";
import { silentLog } from "@kit/log/silent";
import { freePort } from "@kit/testing/process";
import { openCertificateService } from "../src/certificate/certificate.service.ts";
import { forgetAuthority, openCertificate } from "../src/certificate/certificate.ts";
import type { Hardware } from "../src/drivers/hardware.ts";
import { createMpvEngine } from "../src/drivers/mpv-engine.ts";
import { createPcscCardReader } from "../src/drivers/pcsc-card-reader.ts";
import { createSimulatedHardware } from "../src/drivers/simulated-hardware.ts";
import { createSimulatedWifi } from "../src/drivers/simulated-wifi.ts";
import { createPlayer } from "../src/player.ts";
import { openDeviceToken } from "../src/token/device-token.ts";

export interface LoopbackOptions extends Pick<OutboundGuardDeps, "resolve"> {
  /** The program to run as mpv. */
  mpv?: string;
  /** The memory card; without it no card is inserted. */
  cardFolder?: string;
  /** The built dashboard; without it none is served. */
  dashboardFolder?: string;
  /** The path of pcscd's socket; without it the card reader is simulated. */
  pcscdSocket?: string;
  /** The version of the firmware; 1.0.0 by default. */
  version?: string;
  /** Real parts instead of simulated ones. */
  parts?: Partial<Hardware>;
  /** The data of a device that is started again. */
  again?: Pick<LoopbackPlayer, "dataFolder" | "port">;
  /** The port of the pages in the set-up network; without it there are none. */
  setupPort?: number;
  /** The device has never been in a network, so that it opens its own. */
  isNew?: boolean;
  clock?: Clock;
  /** Receives what the device writes to its console; without it there is none. */
  print?: (text: string) => void;
}

export interface LoopbackPlayer {
  url: string;
  port: number;
  dataFolder: string;
  close(): Promise<void>;
}

/** Represents the internet; the rest of 127.0.0.0/8 stays forbidden. */
export const PUBLIC_ADDRESS = "127.0.0.1";
const FONT_FOLDER = join(import.meta.dirname, "../assets/fonts");
export const FORBIDDEN_ADDRESS = "127.0.0.2";

/**
 * The player as it is built, on real audio, but in this process and with a guard that treats one loopback address as a
 * public one: the shipped guard would correctly refuse every server that a test can start.
 */
export async function startLoopbackPlayer(options: LoopbackOptions = {}): Promise<LoopbackPlayer> {
  const {
    mpv,
    cardFolder,
    dashboardFolder = import.meta.dirname,
    pcscdSocket,
    version = "1.0.0",
    parts,
    again,
    setupPort,
    isNew = false,
    clock = createClock(),
    resolve,
    print,
  } = options;
  const ids = createIds(clock);
  const log = silentLog;
  const dataFolder = again?.dataFolder ?? (await mkdtemp(join(tmpdir(), "player-")));
  const token = await openDeviceToken({ dataFolder, ids, log, onNew: () => undefined });
  const port = again?.port ?? (await freePort());
  const player = await createPlayer({
    dataFolder,
    cardFolder: cardFolder ?? join(dataFolder, "card"),
    version,
    hardware: {
      ...createSimulatedHardware({
        engine: createMpvEngine({ clock, log, output: "null", command: mpv }),
        dataFolder,
        clock,
        ids,
      }),
      ...(pcscdSocket !== undefined && { reader: createPcscCardReader({ clock, log, socketPath: pcscdSocket }) }),
      ...(isNew && { wifi: createSimulatedWifi() }),
      ...parts,
    },
    usage: process,
    program: { node: "v20.0.0", folder: import.meta.dirname },
    port,
    setupPort,
    hasPairing: true,
    deviceConsole: print && { write: print },
    token,
    guard: createOutboundGuard({
      ...(resolve && { resolve }),
      ownAddresses: () => [],
      classify: (address) => (address === PUBLIC_ADDRESS ? "public" : reachOf(address)),
    }),
    clock,
    ids,
    log,
    certificate: await openCertificateService({
      open: (names, isClockValid) =>
        openCertificate({ dataFolder, clock, ids, log, hostname: "manara", names, isClockValid }),
      forgetAuthority: () => forgetAuthority({ dataFolder }),
      names: () => ["localhost", "127.0.0.1"],
      clock,
      log,
    }),
    isLimited: false,
    ownNames: [],
    dashboardFolder,
    fontFolder: FONT_FOLDER,
  });
  await player.app.listen({ host: "127.0.0.1", port });
  await player.start();
  return { url: `https://localhost:${port}`, port, dataFolder, close: () => player.close() };
}
