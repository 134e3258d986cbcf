import { mkdir, writeFile } from "node:fs/promises";
import { hostname, platform } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { addressOf, listen, type RunningService, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { readConfig } from "./config.ts";
import { createPlatform } from "./platform.ts";
import { createFirstAdmin } from "./users/users.service.ts";

const clock = createClock();

async function start(): Promise<RunningService> {
  const { host, port, adminPassword, ...config } = readConfig(process.env);
  const ids = createIds(clock);
  const log = createLog({ clock, level: "info" });
  const soc = await createPlatform({
    ...config,
    clock,
    ids,
    log,
    version: await readVersion(new URL("../package.json", import.meta.url)),
    consoleFolder: fileURLToPath(new URL("../../soc-console/dist", import.meta.url)),
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    machine: { deployment_mode: "one_box", hostname: hostname(), platform: platform() },
    async welcomeAdmin(users) {
      const password = adminPassword ?? ids.secret(15).toString("base64url");
      const isCreated = await createFirstAdmin(users, password);
      if (isCreated && adminPassword === undefined) await showPassword(config.dataFolder, password);
    },
  });
  await listen(soc.app, { host, port }, "SOC_PORT");
  return {
    readyLine: `Manara SOC is ready at ${addressOf({ host, port, hasTls: config.tls !== undefined })} in mode ${config.mode}`,
    stop: () => soc.close(),
  };
}

/** Shown once, to a person at a terminal; where output is collected it goes to a file that only the owner can read. */
async function showPassword(dataFolder: string, password: string): Promise<void> {
  if (process.stdout.isTTY) {
    process.stdout.write(`Sign in as admin with the password ${password} (shown only now)\n`);
    return;
  }
  const path = join(dataFolder, "initial-admin-password");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  process.stdout.write(`Sign in as admin with the password in ${path}\n`);
}

await runService(process, clock, start);
