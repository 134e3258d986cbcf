import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import type { Machine, Network } from "./network.ts";
import { createService, type Service } from "./services.ts";

export const ROLES = ["api", "intake", "worker"] as const;
export type Role = (typeof ROLES)[number];

/** One host: processes of three roles with a folder, an address and a clock of their own. */
export interface Host {
  name: string;
  machine: Machine;
  services: Record<Role, Service>;
  urls: Record<Role, string>;
  dataFolder: string;
  shiftClock(milliseconds: number): void;
}

export interface HostsDeps {
  network: Network;
  folder: string;
  adminPassword: string;
  streamUrl: string;
  logStores: readonly string[];
  /** Contains the current password. */
  databaseUrl(): string;
}

export interface Hosts {
  all(): readonly Host[];
  /** A new host in the first free place, which is given the keys of the first one. */
  add(): Promise<Host>;
  /** Ends a host for good. */
  remove(host: Host, signal: NodeJS.Signals): Promise<void>;
}

const clock = createClock();
const COMMAND = new URL("../../../apps/soc/bundle/main-command.js", import.meta.url).pathname;
const SHIFTED_CLOCK = new URL("../shifted-clock.mjs", import.meta.url).pathname;
const KEYS = ["ledger.key", "channels.key"] as const;
const PORTS: Readonly<Record<Role, number>> = { api: 8080, intake: 8081, worker: 8082 };
const MANY = "10000000";
const PLACES = 4;
const ASK_MS = 2000;

export function createHosts(deps: HostsDeps): Hosts {
  const machines = Array.from({ length: PLACES }, (_, n) => deps.network.addMachine(`h${n + 1}`, 11 + n));
  const secrets = join(deps.folder, "secrets");
  mkdirSync(secrets);
  let hosts: Host[] = [];
  let born = 0;

  return {
    all: () => hosts,
    async add() {
      const machine = machines.find((each) => !hosts.some((host) => host.machine === each));
      if (!machine) throw new Error("every place has a host");
      born += 1;
      const isFirst = born === 1;
      const host = buildHost(deps, machine, `${machine.name}-${born}`, isFirst ? undefined : secrets);
      await host.services.api.start();
      if (isFirst) for (const key of KEYS) copyFileSync(join(host.dataFolder, key), join(secrets, key));
      await Promise.all([host.services.intake.start(), host.services.worker.start()]);
      hosts = [...hosts, host];
      return host;
    },
    async remove(host, signal) {
      hosts = hosts.filter((each) => each !== host);
      await Promise.all(ROLES.map((role) => host.services[role].stop(signal)));
      host.machine.heal();
      rmSync(host.dataFolder, { recursive: true, force: true });
    },
  };
}

function buildHost(deps: HostsDeps, machine: Machine, name: string, secrets: string | undefined): Host {
  const dataFolder = join(deps.folder, name);
  mkdirSync(dataFolder);
  const shift = join(deps.folder, `${name}.shift`);
  writeFileSync(shift, "0");
  const buildEnv = (role: Role) => ({
    NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`,
    SHIFTED_CLOCK_FILE: shift,
    SOC_MODE: "real",
    SOC_HOST: machine.address,
    SOC_PORT: String(PORTS[role]),
    SOC_DATA_DIR: dataFolder,
    SOC_DATABASE_URL: deps.databaseUrl(),
    SOC_STREAM: deps.streamUrl,
    SOC_STREAM_MB: "512",
    SOC_LOG_STORE: deps.logStores.join(","),
    SOC_ADMIN_PASSWORD: deps.adminPassword,
    SOC_LIMIT_ADDRESS_PER_MINUTE: MANY,
    SOC_LIMIT_GENERAL_PER_MINUTE: MANY,
    SOC_LIMIT_INTAKE_PER_MINUTE: MANY,
    ...(secrets !== undefined && {
      SOC_LEDGER_KEY_FILE: join(secrets, "ledger.key"),
      SOC_CHANNELS_KEY_FILE: join(secrets, "channels.key"),
    }),
  });
  const urls = mapRoles((role) => `http://${machine.address}:${PORTS[role]}`);
  const services = mapRoles((role) =>
    createService({
      name: `${name}-${role}`,
      logs: deps.folder,
      start: () => ({ ...machine.inside(process.execPath, [COMMAND, "start", "--role", role]), env: buildEnv(role) }),
      isReady: async () => (await fetch(`${urls[role]}/ready`, { signal: clock.deadline(ASK_MS) })).ok,
    }),
  );
  return {
    name,
    machine,
    services,
    urls,
    dataFolder,
    shiftClock: (milliseconds) => writeFileSync(shift, String(milliseconds)),
  };
}

function mapRoles<Value>(build: (role: Role) => Value): Record<Role, Value> {
  return { api: build("api"), intake: build("intake"), worker: build("worker") };
}
