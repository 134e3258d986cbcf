import { hostname, networkInterfaces } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { isLoopback } from "@kit/guard/address";
import { createOutboundGuard } from "@kit/guard/fetch";
import { formatServiceAddress, listen, type RunningService, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { type CertificateServiceDeps, openCertificateService } from "./certificate/certificate.service.ts";
import { forgetAuthority, openCertificate } from "./certificate/certificate.ts";
import { readCertificateFiles } from "./certificate/certificate-files.ts";
import { listDeviceNames } from "./certificate/device-names.ts";
import { type Config, readConfig } from "./config.ts";
import { type ConsoleDevice, createConsoleDevice } from "./drivers/console-device.ts";
import { openLinuxHardware } from "./drivers/linux-hardware.ts";
import { createSimulatedEngine } from "./drivers/simulated-engine.ts";
import { createSimulatedHardware } from "./drivers/simulated-hardware.ts";
import { createPlayer } from "./player.ts";
import { openDeviceToken } from "./token/device-token.ts";

// The graphics library need not search for system fonts: the device has its own.
process.env.DISABLE_SYSTEM_FONTS_LOAD = "1";

const clock = createClock();
const ids = createIds(clock);
const log = createLog({ clock, level: "info" });

async function start(): Promise<RunningService> {
  const config = readConfig(process.env);
  const {
    host,
    port,
    setupPort,
    hasTls,
    dataFolder,
    cardFolder,
    isLimited,
    ownNames,
    isSimulated,
    audio,
    framebuffer,
    hasPairing,
  } = config;
  if (!hasTls && !isLoopback(host))
    log.warn({ host }, "PLAYER_TLS is off: the token and all data cross the network in plain text");
  const deviceConsole = chooseConsole(config);
  const token = await openDeviceToken({
    dataFolder,
    ids,
    log,
    onNew({ value, path }) {
      deviceConsole?.write(`Device token: ${value}\n`);
      if (!process.stdout.isTTY) process.stdout.write(`Device token: in ${path}\n`);
    },
  });
  const hardware = isSimulated
    ? createSimulatedHardware({ engine: createSimulatedEngine({ clock }), dataFolder, clock, ids })
    : await openLinuxHardware({
        audio,
        framebuffer,
        environment: process.env,
        clock,
        ids,
        log,
      });
  const player = await createPlayer({
    dataFolder,
    cardFolder,
    version: await readVersion(new URL("../package.json", import.meta.url)),
    hardware,
    usage: process,
    program: { node: process.version, folder: fileURLToPath(new URL(".", import.meta.url)) },
    guard: createOutboundGuard({ clock }),
    certificate: hasTls ? await openCertificateService(chooseCertificate(config)) : undefined,
    isLimited,
    ownNames,
    // The bundle of the package keeps these places beside itself.
    dashboardFolder: fileURLToPath(new URL("../../player-dashboard/dist", import.meta.url)),
    fontFolder: fileURLToPath(new URL("../assets/fonts", import.meta.url)),
    token,
    port,
    setupPort,
    hasPairing,
    deviceConsole,
    clock,
    ids,
    log,
  });
  await listen(player.app, { host, port }, "PLAYER_PORT");
  await player.start();
  token.announce();
  return {
    readyLine: `Manara Player is ready at ${formatServiceAddress({ host, port, hasTls })}`,
    stop: () => player.close(),
  };
}

/** A secret is shown only to a person at a terminal, never written to a file that collects output. */
function chooseConsole({ consolePath }: Config): ConsoleDevice | undefined {
  if (consolePath !== undefined) return createConsoleDevice({ path: consolePath, log });
  return process.stdout.isTTY ? { write: (text) => void process.stdout.write(text) } : undefined;
}

function chooseCertificate({ dataFolder, certificateFiles }: Config): CertificateServiceDeps {
  const own = { dataFolder, clock, ids, log };
  return {
    open: (names, isClockValid) =>
      certificateFiles
        ? readCertificateFiles(certificateFiles)
        : openCertificate({ ...own, hostname: hostname(), names, isClockValid }),
    forgetAuthority: () => forgetAuthority({ dataFolder }),
    names: () => listDeviceNames(hostname(), networkInterfaces()),
    clock,
    log,
  };
}

await runService(process, { clock, log }, start);
