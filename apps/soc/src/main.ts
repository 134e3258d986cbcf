import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { formatServiceAddress, listen, type RunningService, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { createWorkerProcess } from "./adapters/worker-process.ts";
import { readConfig } from "./composition/config.ts";
import { describeMachine } from "./composition/machine.ts";
import { openLogs } from "./composition/open-logs.ts";
import { serve } from "./composition/serve.ts";

const clock = createClock();
const log = createLog({ clock, level: "info" });

async function start(): Promise<RunningService> {
  const { host, port, tls, adminPassword, ...config } = readConfig(process.env);
  const ids = createIds(clock);
  const logs = openLogs({
    ...config,
    program: process.execPath,
    entry: fileURLToPath(new URL("./main-log-engine.js", import.meta.url)),
    clock,
    log,
  });
  const settings = {
    ...config,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", import.meta.url)),
    machine: describeMachine(config.logSettings),
  };
  const firstAdmin = {
    password: adminPassword ?? ids.secret(15).toString("base64url"),
    async onCreated(password: string): Promise<void> {
      if (adminPassword === undefined) await showPassword(config.dataFolder, password);
    },
  };
  const worker = createWorkerProcess({
    program: process.execPath,
    entry: fileURLToPath(new URL("./main-worker.js", import.meta.url)),
    env: process.env,
    clock,
    log,
  });
  // The log engine starts meanwhile: until it answers, what needs logs is 503. Without a database no logs are stored.
  if (config.databaseUrl !== undefined) logs.start();
  const soc = await serve(
    { settings, logStore: logs.store, firstAdmin, clock, ids, log },
    {
      ...config,
      tls,
      version: await readVersion(new URL("../package.json", import.meta.url)),
      consoleFolder: fileURLToPath(new URL("../../soc-console/dist", import.meta.url)),
      children: { logEngine: () => logs.restarts(), worker: worker.restarts },
    },
  );
  await listen(soc.app, { host, port }, "SOC_PORT");
  // Without a database, and in dummy, there is no background work.
  if (config.databaseUrl !== undefined && config.mode !== "dummy") worker.start();
  return {
    readyLine: `Manara SOC is ready at ${formatServiceAddress({ host, port, hasTls: tls !== undefined })} in mode ${config.mode}`,
    async stop() {
      await worker.close();
      await soc.close();
      await logs.close();
    },
  };
}

/**
 * Shows the password once on a terminal; otherwise writes it to a file that only the owner can read, so that no log
 * collects it.
 */
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

await runService(process, { clock, log }, start);
