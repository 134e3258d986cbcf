import { hostname, networkInterfaces } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { createOutboundGuard } from "@kit/guard/fetch";
import { addressOf, listen, type RunningService, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { openCertificateService } from "./certificate/certificate.service.ts";
import { openCertificate } from "./certificate/certificate.ts";
import { readCertificateFiles } from "./certificate/certificate-files.ts";
import { namesOf } from "./certificate/device-names.ts";
import { type Config, readConfig } from "./config.ts";
import { createMpvEngine } from "./drivers/mpv-engine.ts";
import { createSimulatedEngine } from "./drivers/simulated-engine.ts";
import { createPlayer } from "./player.ts";
import { openToken } from "./token/token.ts";

const clock = createClock();
const ids = createIds(clock);
const log = createLog({ clock, level: "info" });

async function start(): Promise<RunningService> {
  const config = readConfig(process.env);
  const { host, port, hasTls, dataFolder, cardFolder, isLimited, isSimulated, audioOutput } = config;
  const token = await openToken(dataFolder, ids);
  const player = await createPlayer({
    dataFolder,
    cardFolder,
    version: await readVersion(new URL("../package.json", import.meta.url)),
    engine: isSimulated ? createSimulatedEngine({ clock }) : createMpvEngine({ clock, log, output: audioOutput }),
    guard: createOutboundGuard({ clock }),
    certificate: hasTls ? await openCertificateService({ open: certificateOf(config), clock, log }) : undefined,
    isLimited,
    dashboardFolder: fileURLToPath(new URL("../../player-dashboard/dist", import.meta.url)),
    currentToken: () => token.value,
    clock,
    ids,
    log,
  });
  await listen(player.app, { host, port }, "PLAYER_PORT");
  await player.start();
  // The token goes to a person at a terminal, never into a file that collects output.
  if (token.isNew) process.stdout.write(`Device token: ${process.stdout.isTTY ? token.value : `in ${token.path}`}\n`);
  return {
    readyLine: `Manara Player is ready at ${addressOf({ host, port, hasTls })}`,
    stop: () => player.close(),
  };
}

function certificateOf({ dataFolder, certificateFiles }: Config) {
  const names = () => namesOf(hostname(), networkInterfaces());
  return () =>
    certificateFiles ? readCertificateFiles(certificateFiles) : openCertificate({ dataFolder, clock, ids, log, names });
}

await runService(process, clock, start);
