import { execFile, execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { buildLogStore, COMPOSE, LOG_STORE_IMAGE, makeSecrets } from "./log-store-image.ts";
import { ENGINE, podman } from "./podman.ts";

const run = promisify(execFile);
const clock = createClock();
/** The switch between the hosts. Each host publishes its ports on its own address and has a private network behind it. */
const SWITCH = "manara-hosts";
const SUBNET = "10.78.0";
const NAMES = ["one", "two", "three"] as const;
type Name = (typeof NAMES)[number];
/** The files of each host, as the documents say. */
const FILES: Readonly<Record<Name, readonly string[]>> = {
  one: ["host", "database", "devices", "broker"],
  two: ["host", "database", "log-store", "devices"],
  three: ["host", "log-store", "devices"],
};
/** So many answers as the checker needs. */
const UNLIMITED = `services:
  api:
    environment:
      SOC_LIMIT_GENERAL_PER_MINUTE: "1000000"
      SOC_LIMIT_ADDRESS_PER_MINUTE: "1000000"
`;

export interface ContainerHost {
  name: Name;
  address: string;
  urls: { api: string; intake: string; worker: string };
  up(): Promise<void>;
  /** Ends its containers at once and removes its address; its volumes stay. */
  lose(): Promise<void>;
  podman(...args: readonly string[]): Promise<string>;
}

export interface ThreeHosts {
  /** The address of the switch, for the test itself. */
  address: string;
  hosts: Readonly<Record<Name, ContainerHost>>;
  stores: readonly string[];
  /** Changes the variables of a host. */
  write(name: Name, changed?: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

const ip = (...args: string[]) => execFileSync("/bin/ip", args, { stdio: ["ignore", "ignore", "pipe"] });

export async function prepareThreeHosts(socImage: string): Promise<ThreeHosts> {
  await buildLogStore(socImage);
  const folder = await mkdtemp(join(tmpdir(), "three-hosts-"));
  await makeSecrets(folder);
  const passwords = await readFile(join(folder, "passwords.env"), "utf8");
  const addresses = { one: `${SUBNET}.11`, two: `${SUBNET}.12`, three: `${SUBNET}.13` };
  const stores = [addresses.two, addresses.three].map((address) => `http://${address}:8123`);

  async function write(name: Name, changed: Readonly<Record<string, string>> = {}): Promise<void> {
    const variables = {
      HOST_NAME: name,
      HOST_ADDRESS: addresses[name],
      HOST_1: addresses.one,
      HOST_2: addresses.two,
      HOST_3: addresses.three,
      POSTGRES_PRIMARY: name === "two" ? addresses.one : "",
      SOC_LOG_STORE: stores.join(","),
      SOC_PUBLIC_URL: "https://soc.example.org",
      SOC_TRUSTED_PROXIES: `${SUBNET}.1`,
      DEVICES_NAMES: `soc.example.org,${addresses.one}`,
      BROKER_ADDRESS: addresses.one,
      SOC_IMAGE: socImage,
      LOG_STORE_IMAGE,
      ...changed,
    };
    const lines = Object.entries(variables).map(([key, value]) => `${key}=${value}\n`);
    await writeFile(join(folder, name, ".env"), passwords + lines.join(""), { mode: 0o600 });
  }

  for (const name of NAMES) {
    await cp(COMPOSE, join(folder, name), { recursive: true });
    await cp(join(folder, "secrets"), join(folder, name, "secrets"), { recursive: true });
    await run("chown", ["-R", "10001:10001", join(folder, name, "secrets")]);
    await writeFile(join(folder, name, "unlimited.yaml"), UNLIMITED);
    await write(name);
  }
  ip("link", "add", SWITCH, "type", "bridge");
  ip("link", "set", SWITCH, "up");
  ip("addr", "add", `${SUBNET}.1/24`, "dev", SWITCH);
  const build = (name: Name) => createHost(name, addresses[name], join(folder, name));
  const hosts = { one: build("one"), two: build("two"), three: build("three") };
  return {
    address: `${SUBNET}.1`,
    hosts,
    stores,
    write,
    async remove() {
      for (const host of Object.values(hosts)) {
        await host.lose();
        const project = `--filter=label=io.podman.compose.project=manara-${host.name}`;
        const volumes = (await podman("volume", "ls", "--quiet", project)).split("\n").filter(Boolean);
        if (volumes.length > 0) await podman("volume", "rm", ...volumes);
        await podman("network", "rm", "--force", `manara-${host.name}_default`);
      }
      ip("link", "del", SWITCH);
      await podman("rmi", "--force", LOG_STORE_IMAGE);
      await rm(folder, { recursive: true });
    },
  };
}

function createHost(name: Name, address: string, cwd: string): ContainerHost {
  const project = `manara-${name}`;
  const files = [...FILES[name].map((file) => `${file}.yaml`), "unlimited.yaml"].flatMap((file) => ["--file", file]);
  let isThere = false;
  return {
    name,
    address,
    urls: { api: `http://${address}:8080`, intake: `http://${address}:8081`, worker: `http://${address}:8082` },
    async up() {
      if (!isThere) ip("addr", "add", `${address}/24`, "dev", SWITCH);
      isThere = true;
      await run("podman-compose", [...files, "--project-name", project, "up", "--detach"], {
        cwd,
        env: { ...process.env, ...ENGINE },
        maxBuffer: 64 * 1024 * 1024,
      });
    },
    async lose() {
      if (isThere) ip("addr", "del", `${address}/24`, "dev", SWITCH);
      isThere = false;
      const filter = `--filter=label=io.podman.compose.project=${project}`;
      const containers = (await podman("ps", "--all", "--quiet", filter)).split("\n").filter(Boolean);
      // Do not wait for an orderly end.
      if (containers.length > 0) await podman("rm", "--force", "--time=0", ...containers);
    },
    podman: (service, ...args) => podman("exec", `${project}_${service}_1`, ...args),
  };
}

export async function untilReady(urls: readonly string[], withinMs: number): Promise<number> {
  const fromMs = clock.monotonicMs();
  const deadline = clock.deadline(withinMs);
  const isReady = (url: string) =>
    fetch(`${url}/ready`, { signal: AbortSignal.any([deadline, clock.deadline(2000)]) }).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let waiting = [...urls]; waiting.length > 0; ) {
    if (deadline.aborted) throw new Error(`not ready: ${waiting.join(", ")}`);
    const answers = await Promise.all(waiting.map(isReady));
    waiting = waiting.filter((_, n) => !answers[n]);
    await clock.sleep(200);
  }
  return clock.monotonicMs() - fromMs;
}
