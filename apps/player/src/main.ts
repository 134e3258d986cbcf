import { freemem, hostname } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { closeGracefully, listen, type RunningService, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { createPlayerApp } from "./app.ts";
import { openCertificate } from "./certificate/certificate.ts";
import { readConfig } from "./config.ts";
import { measureStorage } from "./storage/storage.ts";
import { createSystemService } from "./system/system.service.ts";
import { openToken } from "./token/token.ts";

const clock = createClock();

async function start(): Promise<RunningService> {
  const { host, port, hasTls, dataFolder, isLimited } = readConfig(process.env);
  const ids = createIds(clock);
  const log = createLog({ clock, level: "info" });
  const token = await openToken(dataFolder, ids);
  const names = ["localhost", "127.0.0.1", "::1", hostname(), `${hostname()}.local`];
  const app = await createPlayerApp({
    clock,
    ids,
    log,
    tls: hasTls ? await openCertificate({ dataFolder, clock, ids, names }) : undefined,
    isLimited,
    dashboardFolder: fileURLToPath(new URL("../../player-dashboard/dist", import.meta.url)),
    currentToken: () => token.value,
    system: createSystemService({
      version: await readVersion(new URL("../package.json", import.meta.url)),
      clock,
      freeMemory: freemem,
      measureStorage: () => measureStorage(dataFolder),
      boot_failures: [],
    }),
  });
  await listen(app, { host, port }, "PLAYER_PORT");
  // The token goes to a person at a terminal, never into a file that collects output.
  if (token.isNew) process.stdout.write(`Device token: ${process.stdout.isTTY ? token.value : `in ${token.path}`}\n`);
  return {
    readyLine: `Manara Player is ready at ${hasTls ? "https" : "http"}://${shownHost(host)}:${port}`,
    stop: () => closeGracefully(app, clock),
  };
}

function shownHost(host: string): string {
  return ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host) ? "localhost" : host;
}

await runService(process, clock, start);
