import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ADMIN_PASSWORD } from "../../services.ts";
import { createSocClient, requestToken } from "../client.ts";
import { buildSecret, makeObjects, makeVariables, placeFiles, renderChart, toPod } from "./kube-pods.ts";
import { buildLogStore, LOG_STORE_IMAGE, makeSecrets } from "./log-store-image.ts";
import { buildServerImages, dropImage, obtainImage, podman } from "./podman.ts";
import { untilReady } from "./three-hosts.ts";

const clock = createClock();
const NETWORK = "manara-pods";
const SERVERS = ["database", "nats", "log-store"].map((name) => `${NETWORK}-${name}`);
const ROLES = ["api", "intake", "worker"] as const;
const READY_MS = 180_000;
const PASSWORD = "login-of-a-test";
const OWNER_PASSWORD = "owner-of-a-test";
const NATS = `listen: 0.0.0.0:4222
max_payload: 8MB
jetstream { store_dir: /var/lib/nats, sync_interval: always }
`;

let image: string;
let folder: string;

const start = (name: string, ...args: readonly string[]) =>
  podman("run", "--detach", `--name=${NETWORK}-${name}`, `--network=${NETWORK}`, ...args);

async function startServers(): Promise<void> {
  await podman("network", "create", NETWORK);
  const variables = { POSTGRES_DB: "soc", POSTGRES_USER: "soc_owner", POSTGRES_PASSWORD: OWNER_PASSWORD };
  await start(
    "database",
    ...Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`),
    "localhost/manara-postgres:15",
  );
  await writeFile(join(folder, "nats.conf"), NATS);
  await chmod(join(folder, "nats.conf"), 0o644);
  await start("nats", `--volume=${folder}/nats.conf:/etc/nats/nats.conf:ro`, "localhost/manara-nats:2.10");
  await start("log-store", LOG_STORE_IMAGE);
  await vi.waitFor(() => askOwner("SELECT 1"), { timeout: 60_000, interval: 500 });
}

/** Connects over the network: during its initialisation the server listens only on its socket. */
function askOwner(statement: string): Promise<string> {
  const psql = ["psql", "--host=127.0.0.1", "--username=soc_owner", "--dbname=soc", `--command=${statement}`];
  return podman("exec", `--env=PGPASSWORD=${OWNER_PASSWORD}`, `${NETWORK}-database`, ...psql);
}

beforeAll(async () => {
  image = await obtainImage();
  await buildServerImages("postgres", "nats");
  await buildLogStore(image);
  folder = await mkdtemp(join(tmpdir(), "pods-"));
  await makeSecrets(folder);
  await startServers();
}, 1_200_000);
afterAll(async () => {
  for (const role of [...ROLES, "migrate"]) await podman("pod", "rm", "--force", "--ignore", `soc-${role}`);
  await podman("rm", "--force", "--ignore", "--volumes", ...SERVERS);
  const volumes = ROLES.flatMap((role) => [`soc-${role}-data`, `soc-${role}-tmp`]);
  await podman("volume", "rm", "--force", ...volumes, "soc-keys");
  await podman("secret", "rm", "soc-variables", "soc-owner", "soc-keys");
  await podman("network", "rm", "--force", NETWORK);
  await podman("rmi", "--force", LOG_STORE_IMAGE);
  await dropImage(image);
  await rm(folder, { recursive: true });
}, 300_000);

/** The pods of the chart, and what an operator makes before it. */
async function makePods(values: readonly string[]): Promise<void> {
  const rendered = await renderChart(values);
  const readKey = (name: string) => readFile(join(folder, "secrets", name));
  const keys = { "ledger.key": await readKey("ledger.key"), "channels.key": await readKey("channels.key") };
  // Uses the address: the name server of podman 4.3 may stop answering when a pod ends.
  const [database, nats, logStore] = await Promise.all(SERVERS.map(readAddress));
  await makeVariables(folder, "soc-variables", {
    SOC_DATABASE_URL: `postgres://soc_app:${PASSWORD}@${database}:5432/soc`,
    SOC_STREAM: `nats://${nats}:4222`,
    SOC_LOG_STORE: `http://${logStore}:8123`,
    SOC_ADMIN_PASSWORD: ADMIN_PASSWORD,
  });
  await makeVariables(folder, "soc-owner", {
    SOC_DATABASE_OWNER_URL: `postgres://soc_owner:${OWNER_PASSWORD}@${database}:5432/soc`,
  });
  const secret = buildSecret("soc-keys", keys);
  const find = (name: string) => rendered.filter(({ metadata }) => metadata.name === name);
  const workload = (name: string) =>
    find(name).filter(({ kind }) => ["Job", "Deployment", "StatefulSet"].includes(kind));
  await makeObjects(folder, NETWORK, "migrate", [secret, ...workload("soc-migrate").map(toPod)]);
  await podman("pod", "start", "soc-migrate");
  expect(await podman("wait", "soc-migrate-migrate")).toBe("0");
  await askOwner(`ALTER ROLE soc_app LOGIN PASSWORD '${PASSWORD}'`);
  for (const role of ROLES) {
    await makeObjects(folder, NETWORK, role, [...find("soc-variables"), ...workload(`soc-${role}`).map(toPod)]);
  }
  await placeFiles("soc-keys", keys);
}

async function readAddress(container: string): Promise<string> {
  const address = `{{(index .NetworkSettings.Networks "${NETWORK}").IPAddress}}`;
  return podman("inspect", `--format=${address}`, container);
}

/** A pod has the address of its first container, which podman adds. */
async function readUrl(role: string): Promise<string> {
  return `http://${await readAddress(await podman("pod", "inspect", "--format={{.InfraContainerID}}", `soc-${role}`))}:8080`;
}

it("runs the pods of the chart: tables, api, intake, worker; a log becomes an alert", async () => {
  await makePods([
    `image.repository=${image.split(":")[0]}`,
    `image.tag=${image.split(":")[1]}`,
    "image.pullPolicy=Never",
    "publicUrl=https://soc.example.org",
    "trustedProxies={127.0.0.1}",
    "secrets.variables=soc-variables",
    "secrets.owner=soc-owner",
    "secrets.keys=soc-keys",
    "variables.SOC_FILES=disk",
  ]);
  const fromMs = clock.monotonicMs();
  for (const role of ROLES) await podman("pod", "start", `soc-${role}`);
  const urls = await Promise.all(ROLES.map(readUrl));
  const [api = "", intake = ""] = urls;
  await untilReady(urls, READY_MS);
  console.log(`three pods ready ${((clock.monotonicMs() - fromMs) / 1000).toFixed(1)} s after their start`);

  for (const role of ROLES) {
    const inspect = (format: string) => podman("inspect", `--format={{${format}}}`, `soc-${role}-${role}`);
    const pid = await inspect(".State.Pid");
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    for (const line of ["Uid:\t10001\t", "NoNewPrivs:\t1\n", "CapEff:\t0000000000000000\n"]) {
      expect(status, role).toContain(`\n${line}`);
    }
    expect(await inspect(".HostConfig.ReadonlyRootfs"), role).toBe("true");
  }

  const token = await requestToken(createSocClient(api));
  const client = createSocClient(api, token);
  const rule = { name: "needle", query: "message:needlex", alert_title_template: "needle on {host}" };
  expect((await client.post("/detections/rules", rule)).status).toBe(201);
  const send = () =>
    createSocClient(intake, token).post("/siem/ingest", [
      { source: "test", host: "pod", message: "a needlex in the hay" },
    ]);
  expect((await send()).status).toBe(202);
  const titles = async () => (await client.list("/alerts")).map(({ title }) => title);
  await expect.poll(titles, { timeout: 60_000 }).toEqual(["needle on pod"]);

  for (const role of ROLES) {
    // As Kubernetes stops a pod: its containers, and the network after them. `podman pod stop` ends both at once.
    await podman("stop", "--time=30", `soc-${role}-${role}`);
    expect(await podman("inspect", "--format={{.State.ExitCode}}", `soc-${role}-${role}`), role).toBe("0");
  }
}, 900_000);
