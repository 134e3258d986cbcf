import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import type { Machine, Network } from "./network.ts";
import { createService, type Service } from "./services.ts";

export interface Server {
  machine: Machine;
  service: Service;
}

export interface LogStoreServer extends Server {
  url: string;
}

const run = promisify(execFile);
const clock = createClock();
const ROOT = new URL("../../../", import.meta.url).pathname;
const NATS_PORT = 4222;
const CLUSTER_PORT = 6222;
const STORE_PORT = 8123;
const POSTGRES_PORT = 5432;
const ASK_MS = 2000;
const SQL_MS = 120_000;
const answers = async (url: string) => (await fetch(url, { signal: clock.deadline(ASK_MS) })).ok;

/** Three servers of NATS that form a cluster. */
export function createNatsCluster(network: Network, folder: string): { url: string; servers: Server[] } {
  const program = execFileSync(join(ROOT, ".ci/nats-server"), { encoding: "utf8", timeout: 300_000 }).trim();
  const machines = [1, 2, 3].map((n) => network.addMachine(`n${n}`, 20 + n));
  const routes = machines.map(({ address }) => `nats://${address}:${CLUSTER_PORT}`);
  const servers = machines.map((machine) => {
    const { name, address } = machine;
    const settings = join(folder, `${name}.conf`);
    writeFileSync(
      settings,
      `server_name: ${name}
      listen: ${address}:${NATS_PORT}
      http: ${address}:8222
      max_payload: 8MB
      jetstream { store_dir: ${JSON.stringify(join(folder, name))}, sync_interval: always }
      cluster { name: soc, listen: ${address}:${CLUSTER_PORT}, routes: ${JSON.stringify(routes)} }`,
    );
    const service = createService({
      name,
      logs: folder,
      start: () => machine.inside(program, ["-c", settings]),
      // Does not check whether every consumer is current: NATS 2.10 reports removed consumers as current for minutes.
      isReady: () => answers(`http://${address}:8222/healthz?js-server-only=true`),
    });
    return { machine, service };
  });
  return { url: machines.map(({ address }) => `nats://${address}:${NATS_PORT}`).join(","), servers };
}

/** Two log engines, each reached by its address. */
export function createLogStores(network: Network, folder: string): LogStoreServer[] {
  const entry = join(ROOT, "apps/soc/bundle/main-log-engine.js");
  return [1, 2].map((n) => {
    const machine = network.addMachine(`s${n}`, 40 + n);
    const { name, address } = machine;
    const data = join(folder, name);
    mkdirSync(data);
    const url = `http://${address}:${STORE_PORT}`;
    const program = new URL("./log-store.mjs", import.meta.url).pathname;
    const service = createService({
      name,
      logs: folder,
      start: () => machine.inside(process.execPath, [program, entry, data, address, String(STORE_PORT)]),
      isReady: () => answers(`${url}/ping`),
    });
    return { machine, url, service: overEngine(service, join(folder, `${name}.log`)) };
  });
}

/** Signals also reach the engine, which is a child of the program at the port. */
function overEngine(service: Service, output: string): Service {
  const signalEngine = (signal: NodeJS.Signals) => {
    const pid = [...readFileSync(output, "utf8").matchAll(/^engine (\d+)$/gm)].at(-1)?.[1];
    try {
      sendSignal(Number(pid), signal);
    } catch {
      // It has ended.
    }
  };
  return {
    ...service,
    kill() {
      service.kill();
      signalEngine("SIGKILL");
    },
    freeze() {
      signalEngine("SIGSTOP");
      service.freeze();
    },
    thaw() {
      signalEngine("SIGCONT");
      service.thaw();
    },
  };
}

/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;
const DROP_RIGHTS = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, "--clear-groups"];
const POSTGRES_BIN = () => {
  const versions = readdirSync("/usr/lib/postgresql").toSorted((a, b) => Number(b) - Number(a));
  return `/usr/lib/postgresql/${versions[0]}/bin`;
};

export interface Databases {
  servers: Server[];
  /** The addresses of both for the product, with this password. */
  url(password: string): string;
  ownerUrl: string;
  start(): Promise<void>;
  primary(): Server;
  /** Kills the primary and promotes the standby; a new standby takes the place of the former primary. */
  promote(): Promise<void>;
  ask(statement: string): Promise<string[]>;
}

/** A primary and a synchronous standby. */
export function createDatabases(network: Network, folder: string): Databases {
  const bin = POSTGRES_BIN();
  const servers = [1, 2].map((n) => createDatabase(network.addMachine(`d${n}`, 30 + n), folder, bin));
  const [first, second] = servers;
  if (!first || !second) throw new Error("there are two databases");
  let primary = first;
  let standby = second;
  const all = servers.map(({ machine }) => `${machine.address}:${POSTGRES_PORT}`).join(",");

  async function ask(statement: string, { machine } = primary): Promise<string[]> {
    const address = `postgres://owner@${machine.address}:${POSTGRES_PORT}/postgres?connect_timeout=3`;
    const deadline = clock.deadline(SQL_MS);
    for (;;) {
      try {
        return (await run("psql", ["-XAt", "-v", "ON_ERROR_STOP=1", "-c", statement, address])).stdout
          .split("\n")
          .filter(Boolean);
      } catch (error) {
        if (deadline.aborted) throw error;
        await clock.sleep(200);
      }
    }
  }

  async function follow(): Promise<void> {
    const data = join(folder, standby.machine.name, "data");
    rmSync(data, { recursive: true, force: true });
    const copy = [
      "-D",
      data,
      "-h",
      primary.machine.address,
      "-p",
      String(POSTGRES_PORT),
      "-U",
      "owner",
      "-R",
      "-X",
      "stream",
      "-c",
      "fast",
    ];
    const { command, args } = standby.machine.inside("/usr/bin/setpriv", [
      ...DROP_RIGHTS,
      join(bin, "pg_basebackup"),
      ...copy,
    ]);
    await run(command, args);
    await standby.service.start();
    await ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await ask("SELECT pg_reload_conf()");
  }

  return {
    servers,
    url: (password) => `postgres://soc_app:${password}@${all}/postgres`,
    ownerUrl: `postgres://owner@${first.machine.address}:${POSTGRES_PORT}/postgres`,
    primary: () => primary,
    ask: (statement) => ask(statement),
    async start() {
      createCluster(first.machine, folder, bin);
      await first.service.start();
      await follow();
    },
    async promote() {
      await primary.service.stop("SIGKILL");
      await ask("ALTER SYSTEM SET synchronous_standby_names = ''", standby);
      await ask("SELECT pg_promote()", standby);
      [primary, standby] = [standby, primary];
      await follow();
    },
  };
}

function createCluster({ name }: Machine, folder: string, bin: string): void {
  const data = join(folder, name, "data");
  const initdb = [join(bin, "initdb"), "-D", data, "-U", "owner", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"];
  execFileSync("/usr/bin/setpriv", [...DROP_RIGHTS, ...initdb], { stdio: "ignore" });
  // The test itself is the owner; the product needs its password.
  appendFileSync(
    join(data, "pg_hba.conf"),
    `host all owner 10.77.0.1/32 trust
host replication owner 10.77.0.0/24 trust
host all soc_app 10.77.0.0/24 scram-sha-256
`,
  );
}

function createDatabase(machine: Machine, folder: string, bin: string): Server {
  const { name, address } = machine;
  const own = join(folder, name);
  mkdirSync(own);
  chownSync(own, UNPRIVILEGED, UNPRIVILEGED);
  const settings = [
    `port=${POSTGRES_PORT}`,
    `listen_addresses=${address}`,
    `unix_socket_directories=${own}`,
    "wal_retrieve_retry_interval=500ms",
    "max_connections=250",
    // A standby that lost its cable is noticed, and reconnects.
    "wal_sender_timeout=5s",
    "wal_receiver_timeout=5s",
  ];
  const args = ["-D", join(own, "data"), ...settings.flatMap((setting) => ["-c", setting])];
  const service = createService({
    name,
    logs: folder,
    start: () => machine.inside("/usr/bin/setpriv", [...DROP_RIGHTS, join(bin, "postgres"), ...args]),
    isReady: async () => {
      const address_ = `postgres://owner@${address}:${POSTGRES_PORT}/postgres?connect_timeout=3`;
      return (await run("psql", ["-XAtc", "SELECT 1", address_])).stdout.trim() === "1";
    },
  });
  return { machine, service };
}
