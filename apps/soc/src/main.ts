import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { formatServiceAddress, listen, type RunningService, refuseStart, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { createWorkerProcess, EXIT_LEASE_LOST } from "./adapters/worker-process.ts";
import { readConfig } from "./composition/config.ts";
import { describeMachine } from "./composition/machine.ts";
import { openLogs } from "./composition/open-logs.ts";
import { readStartRole, type StartRole } from "./composition/roles.ts";
import { serve } from "./composition/serve.ts";
import { startWork } from "./composition/start-work.ts";

const clock = createClock();
const log = createLog({ clock, level: "info" });
const NO_RESTARTS = () => ({ restarts_24h: 0, last_reason: null });

async function start(): Promise<RunningService> {
  const role = readStartRole(process.argv.slice(2));
  return role === "worker" || role === "relay" ? startWorking(role) : startServing(role);
}

/** What the HTTP server of a process needs, whatever its role. */
async function readServed(role: StartRole) {
  return {
    ...readConfig(process.env),
    role,
    version: await readVersion(new URL("../package.json", import.meta.url)),
    consoleFolder: fileURLToPath(new URL("../../soc-console/dist", import.meta.url)),
    children: { logEngine: NO_RESTARTS, worker: NO_RESTARTS },
  };
}

/** A process that answers requests, receives logs, or does both. On one box it keeps a worker running. */
async function startServing(role: StartRole): Promise<RunningService> {
  const { host, port, adminPassword, logStoreAddress, ...config } = readConfig(process.env);
  const ids = createIds(clock);
  const logs = openLogs({
    ...config,
    address: logStoreAddress,
    program: process.execPath,
    entry: fileURLToPath(new URL("./main-log-engine.js", import.meta.url)),
    clock,
    log,
  });
  const settings = {
    ...config,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", import.meta.url)),
    machine: describeMachine(logStoreAddress),
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
  const children = { logEngine: () => logs.restarts(), worker: worker.restarts };
  const firstAdmin = role === "intake" ? undefined : toFirstAdmin(adminPassword, config.dataFolder, ids);
  const soc = await serve(
    {
      settings,
      logStore: logs.store,
      firstAdmin,
      onRefused: (refusal) => refuseStart(process, refusal),
      clock,
      ids,
      log,
    },
    { ...(await readServed(role)), children },
  );
  await listen(soc.app, { host, port }, "SOC_PORT");
  // Without a database, and in dummy, there is no background work.
  if (role === "all" && config.databaseUrl !== undefined && config.mode !== "dummy") worker.start();
  return {
    readyLine: formatReadyLine(role),
    async stop() {
      await worker.close();
      await soc.close();
      await logs.close();
    },
  };
}

/** A process with background work. Its server answers the programs that watch over it, and no others. */
async function startWorking(role: "worker" | "relay"): Promise<RunningService> {
  const config = readConfig(process.env);
  const soc = await startWork({
    config,
    entry: import.meta.url,
    roles: [role],
    served: await readServed(role),
    onLeaseLost(reason) {
      log.error({ err: reason }, "worker lost its lease");
      process.exit(EXIT_LEASE_LOST);
    },
    onRefused: (refusal) => refuseStart(process, refusal),
    clock,
    log,
  });
  if (soc.app) await listen(soc.app, config, "SOC_PORT");
  return { readyLine: formatReadyLine(role), stop: () => soc.close() };
}

function formatReadyLine(role: StartRole): string {
  const { host, port, tls, mode } = readConfig(process.env);
  const address = formatServiceAddress({ host, port, hasTls: tls !== undefined });
  return `Manara SOC is ready at ${address} in mode ${mode}${role === "all" ? "" : ` as ${role}`}`;
}

function toFirstAdmin(given: string | undefined, dataFolder: string, ids: ReturnType<typeof createIds>) {
  return {
    password: given ?? ids.secret(15).toString("base64url"),
    async onCreated(password: string): Promise<void> {
      if (given === undefined) await showPassword(dataFolder, password);
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
