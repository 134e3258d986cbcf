import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ADMIN_PASSWORD } from "../../services.ts";
import { createSocClient, requestToken, type SocClient } from "../client.ts";
import { createHosts, type Hosts, ROLES } from "./hosts.ts";
import { createNetwork, type Network } from "./network.ts";
import {
  createDatabases,
  createLogStores,
  createNatsCluster,
  type Databases,
  type LogStoreServer,
  type Server,
} from "./servers.ts";

/** Three hosts, three NATS servers, a database with its standby, and two log stores. */
export interface Cluster {
  folder: string;
  network: Network;
  hosts: Hosts;
  nats: readonly Server[];
  stores: readonly LogStoreServer[];
  databases: Databases;
  /** A client of the first host as the administrator. */
  signIn(): Promise<{ client: SocClient; url: string; token: string }>;
  /** Gives the product another password for the database, host by host. */
  rotatePassword(): Promise<void>;
  /** Replaces the processes of one host after the other, as an upgrade does. */
  restartAll(): Promise<void>;
  stop(options: { keepsFolder: boolean }): Promise<void>;
}

const run = promisify(execFile);
const HOSTS = 3;
const COMMAND = new URL("../../../apps/soc/bundle/main-command.js", import.meta.url).pathname;

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "soc-cluster-"));
  chmodSync(folder, 0o755);
  const network = createNetwork();
  const nats = createNatsCluster(network, folder);
  const stores = createLogStores(network, folder);
  const databases = createDatabases(network, folder);
  let rotations = 0;
  const password = () => `password-${rotations}`;
  const hosts = createHosts({
    network,
    folder,
    adminPassword: ADMIN_PASSWORD,
    streamUrl: nats.url,
    logStores: stores.map(({ url }) => url),
    databaseUrl: () => databases.url(password()),
  });

  async function restartAll(): Promise<void> {
    for (const { services } of hosts.all()) {
      await Promise.all(
        ROLES.map(async (role) => {
          await services[role].stop("SIGTERM");
          await services[role].start();
        }),
      );
    }
  }

  async function stop({ keepsFolder }: { keepsFolder: boolean }): Promise<void> {
    const services = hosts.all().flatMap((host) => ROLES.map((role) => host.services[role]));
    const servers = [...nats.servers, ...stores, ...databases.servers].map(({ service }) => service);
    for (const each of [...services, ...servers]) each.thaw();
    await Promise.all(services.map((each) => each.stop("SIGKILL")));
    await Promise.all(
      servers.map((each) => {
        each.kill();
        return each.stop("SIGKILL");
      }),
    );
    network.remove();
    if (!keepsFolder) rmSync(folder, { recursive: true, force: true });
  }

  try {
    await Promise.all([
      ...nats.servers.map(({ service }) => service.start()),
      ...stores.map(({ service }) => service.start()),
      databases.start(),
    ]);
    await run(process.execPath, [COMMAND, "migrate"], {
      env: { ...process.env, SOC_DATABASE_OWNER_URL: databases.ownerUrl },
    });
    await databases.ask(`ALTER ROLE soc_app LOGIN PASSWORD '${password()}'`);
    for (let n = 0; n < HOSTS; n += 1) await hosts.add();
  } catch (error) {
    await stop({ keepsFolder: true });
    throw new Error(`the cluster did not start; its logs are in ${folder}`, { cause: error });
  }

  return {
    folder,
    network,
    hosts,
    nats: nats.servers,
    stores,
    databases,
    async signIn() {
      const url = hosts.all()[0]?.urls.api ?? "";
      const token = await requestToken(createSocClient(url));
      return { client: createSocClient(url, token), url, token };
    },
    async rotatePassword() {
      rotations += 1;
      await databases.ask(`ALTER ROLE soc_app PASSWORD '${password()}'`);
      await restartAll();
    },
    restartAll,
    stop,
  };
}
