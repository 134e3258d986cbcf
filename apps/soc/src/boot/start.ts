import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { formatServiceAddress, type Host, listen, type RunningService, refuseStart } from "@kit/http/service";
import { reportToServiceManager } from "@kit/http/service-manager";
import type { Log } from "@kit/log";
import { createWorkerProcess, EXIT_LEASE_LOST } from "../adapters/worker-process.ts";
import { readConfig } from "./config/config.ts";
import { openLogBucket } from "./config/config-logs.ts";
import { formatProtectionsOff } from "./config/config-profile.ts";
import { describeMachine } from "./machine.ts";
import { openLogs } from "./open-logs.ts";
import { readStartRole, type StartRole } from "./roles.ts";
import { serve } from "./serve.ts";
import { startWork } from "./start-work.ts";
import { createYamlThreadStarter } from "./yaml-thread.ts";

type Config = ReturnType<typeof readConfig>;

export interface StartDeps {
  host: Host &
    Pick<NodeJS.Process, "argv" | "env" | "execPath" | "cpuUsage" | "memoryUsage" | "stdin" | "stderr" | "version">;
  /** The URL of the entry file, from which other entry files and product folders are located. */
  entry: string;
  clock: Clock;
  log: Log;
}

const NO_RESTARTS = () => ({ restarts_24h: 0, last_reason: null });

/** Starts the process with the role given in its arguments. */
export async function start(deps: StartDeps): Promise<RunningService> {
  const role = readStartRole(deps.host.argv.slice(2));
  const config = readConfig(deps.host.env);
  reportProtections(config, deps.log);
  const service = await (role === "worker" || role === "relay"
    ? startWorking(deps, config, role)
    : startServing(deps, config, role));
  return reportToServiceManager(service, { ...deps, environment: deps.host.env });
}

/** With the strict profile, a protection that is off is a decision that must be seen. */
function reportProtections(config: Config, log: Log): void {
  const off = formatProtectionsOff(config);
  const { profile } = config;
  if (off === undefined) log.info({ profile }, "all protections are on");
  else log[profile === "strict" ? "warn" : "info"]({ profile, protections: off }, "some protections are off");
}

/** The parts of the HTTP server that every role needs. */
async function readServed({ host, entry }: StartDeps, config: Config, role: StartRole) {
  return {
    ...config,
    role,
    isHttps: config.tls !== undefined || (config.publicUrl?.startsWith("https:") ?? false),
    version: await readVersion(new URL("../package.json", entry)),
    consoleFolder: fileURLToPath(new URL("../../soc-console/dist", entry)),
    children: { logEngine: NO_RESTARTS, worker: NO_RESTARTS },
    usage: host,
  };
}

/** Starts a process that serves requests, receives logs, or both. On a single machine it keeps a worker running. */
async function startServing(deps: StartDeps, given: Config, role: StartRole): Promise<RunningService> {
  const { host: self, entry, clock, log } = deps;
  const { host, port, adminPassword, ...config } = given;
  const ids = createIds(clock);
  const logs = openLogs({
    ...config,
    bucket: await openLogBucket(config.logSettings),
    program: self.execPath,
    entry: fileURLToPath(new URL("./main-log-engine.js", entry)),
    clock,
    ids,
    log,
  });
  const settings = {
    ...config,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", entry)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", entry)),
    startYamlThread: createYamlThreadStarter(entry),
    machine: describeMachine(config.logSettings),
  };
  const worker = createWorkerProcess({
    program: self.execPath,
    args: [fileURLToPath(entry), "worker"],
    env: self.env,
    clock,
    log,
  });
  // The log engine starts concurrently: until it responds, requests that need logs are answered with 503. Without a
  // database no logs are stored.
  if (config.databaseUrl !== undefined) logs.start();
  const children = { logEngine: () => logs.restarts(), worker: worker.restarts };
  const firstAdmin = role === "intake" ? undefined : createFirstAdmin(self, adminPassword, config.dataFolder, ids);
  const onRefused = (refusal: unknown) => refuseStart(self, refusal);
  const soc = await serve(
    { settings, logStore: logs.store, firstAdmin, onRefused, clock, ids, log },
    { ...(await readServed(deps, given, role)), children },
  );
  await listen(soc.app, { host, port }, "SOC_PORT");
  // Without a database, and in dummy mode, there is no background work.
  if (role === "all" && config.databaseUrl !== undefined && config.mode !== "dummy") worker.start();
  return {
    readyLine: formatReadyLine(given, role),
    async stop() {
      await worker.close();
      await soc.close();
      await logs.close();
    },
  };
}

/** Starts a process with background work. Its server only serves monitoring programs. */
async function startWorking(deps: StartDeps, config: Config, role: "worker" | "relay"): Promise<RunningService> {
  const { host, entry, clock, log } = deps;
  const soc = await startWork({
    config,
    entry,
    roles: [role],
    served: await readServed(deps, config, role),
    onLeaseLost(reason) {
      log.error({ err: reason }, "worker lost its lease");
      host.exit(EXIT_LEASE_LOST);
    },
    onRefused: (refusal) => refuseStart(host, refusal),
    clock,
    log,
  });
  if (soc.app) await listen(soc.app, config, "SOC_PORT");
  return { readyLine: formatReadyLine(config, role), stop: () => soc.close() };
}

function formatReadyLine({ host, port, tls, mode }: Config, role: StartRole): string {
  const address = formatServiceAddress({ host, port, hasTls: tls !== undefined });
  return `Manara SOC is ready at ${address} in mode ${mode}${role === "all" ? "" : ` as ${role}`}`;
}

function createFirstAdmin(
  { stdout }: Pick<Host, "stdout">,
  given: string | undefined,
  dataFolder: string,
  ids: ReturnType<typeof createIds>,
) {
  return {
    password: given ?? ids.secret(15).toString("base64url"),
    async onCreated(password: string): Promise<void> {
      if (given === undefined) await showPassword(stdout, dataFolder, password);
    },
  };
}

/**
 * Shows the password once on a terminal; otherwise writes it to a file that only the owner can read, so that no log
 * collects it.
 */
async function showPassword(stdout: Host["stdout"], dataFolder: string, password: string): Promise<void> {
  if (stdout.isTTY) {
    stdout.write(`Sign in as admin with the password ${password} (shown only now)\n`);
    return;
  }
  const path = join(dataFolder, "initial-admin-password");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  stdout.write(`Sign in as admin with the password in ${path}\n`);
}
