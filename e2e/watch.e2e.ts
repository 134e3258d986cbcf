import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { freePort } from "@kit/testing/process";
import { expect, it, onTestFinished } from "vitest";
import type { PlayerClient } from "./player/client.ts";
import { startSimulatedForTest } from "./player/simulator.ts";
import { startPrometheus } from "./prometheus-server.ts";
import type { SocClient } from "./soc/client.ts";
import { startDatabaseForTest } from "./soc/database.ts";
import { type HostOptions, signInAt, startHost } from "./soc/hosts.ts";
import { sendBatch } from "./soc/log-senders.ts";
import { startNats } from "./soc/nats-server.ts";

const clock = createClock();
const OPENSSL = "openssl";
const WATCH = new URL("../packaging/watch/", import.meta.url).pathname;
const RULES = ["soc-alerts.yml", "player-alerts.yml", "slos.yml"].map((name) => join(WATCH, "prometheus", name));
const SOON = { timeout: 60_000, interval: 1000 };
const PAUSE_MS = 250;
/** They are about this machine, which has much else to do. */
const OF_THE_MACHINE = /Disk|StorageFull|Busy|Slo/;

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "watch-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A small platform: one process of each role on one host, with NATS and with syslog over TLS. */
async function startPlatform(folder: string) {
  const [{ url: databaseUrl }, stream] = await Promise.all([startDatabaseForTest(), startNats()]);
  const [key, certificate] = [join(folder, "syslog.key"), join(folder, "syslog.pem")];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", key, "-out", certificate];
  execFileSync(OPENSSL, ["req", "-x509", "-nodes", "-subj", "/CN=localhost", "-days", "90", ...made], {
    stdio: "ignore",
  });
  const env = { SOC_STREAM: stream, SOC_LOG_PARTITIONS: "2", SOC_STREAM_MB: "256" };
  const api = await startHost({ role: "api", databaseUrl, env });
  const start = (role: HostOptions["role"], own = {}) =>
    startHost({ role, databaseUrl, dataFolder: api.dataFolder, env: { ...env, ...own } });
  const syslog = {
    SOC_SYSLOG_TLS_PORT: String(await freePort()),
    SOC_SYSLOG_TLS_CERT: certificate,
    SOC_SYSLOG_TLS_KEY: key,
  };
  const client = await signInAt(api);
  const [intake, worker] = await Promise.all([start("intake", syslog), start("worker")]);
  return { client, intake, targets: [api, intake, worker].map(({ port }) => `localhost:${port}`) };
}

/** The built player, with a place on earth so that adhans are planned. */
async function startDevice() {
  const { service, client } = await startSimulatedForTest(await makeFolder());
  const answered = await client.post("/api/prayer/config", { lat: 30.04, lng: 31.24, adhan: { enabled: true } });
  expect(answered.status, answered.text).toBe(200);
  return { service, client };
}

/** Logs in small batches, one event of which cannot be read, and requests to both products, until the test is over. */
function startLoad(soc: SocClient, player: PlayerClient, receiver: { url: string; token: string }) {
  const over = new AbortController();
  const run = async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      await sendBatch(() => receiver, `turn-${turn}`, [{ source: "load", message: `turn ${turn}` }]);
      await Promise.all([soc.get("/alerts"), soc.get("/siem/logs?limit=1"), player.get("/api/system")]);
      await clock.sleep(PAUSE_MS);
    }
  };
  const running = run();
  onTestFinished(async () => {
    over.abort();
    await running;
  });
}

/** The title of each panel and what it asks, over all processes. */
async function readDashboard(product: string): Promise<{ title: string; expr: string }[]> {
  const { panels } = JSON.parse(await readFile(join(WATCH, "grafana", `${product}.json`), "utf8"));
  return panels.flatMap(({ title, targets = [] }: { title: string; targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => ({ title: `${product}: ${title}`, expr: expr.replaceAll("$instance", ".*") })),
  );
}

it("answers every panel with data and evaluates every rule without an alert, with both products at work", async () => {
  const folder = await makeFolder();
  const [soc, player] = await Promise.all([startPlatform(folder), startDevice()]);
  const { body: created } = await soc.client.post("/api-keys", { name: "prometheus", scopes: ["stats:read"] });
  const { body: shipper } = await soc.client.signIn("admin", "correct horse battery");
  const at = (name: string) => join(folder, name);
  await writeFile(at("soc.key"), created.key);
  await writeFile(at("player.token"), player.client.token);
  const { cert } = JSON.parse(await readFile(join(player.service.dataFolder, "tls", "ca.json"), "utf8"));
  await writeFile(at("player-ca.pem"), cert);
  startLoad(soc.client, player.client, { url: soc.intake.url, token: shipper.access_token });

  const prometheus = await startPrometheus(
    [
      {
        job_name: "manara-soc",
        authorization: { credentials_file: at("soc.key") },
        static_configs: [{ targets: soc.targets }],
      },
      {
        job_name: "manara-player",
        scheme: "https",
        tls_config: { ca_file: at("player-ca.pem") },
        authorization: { credentials_file: at("player.token") },
        static_configs: [{ targets: [`localhost:${player.service.port}`] }],
      },
    ],
    RULES,
  );
  const panels = [...(await readDashboard("soc")), ...(await readDashboard("player"))];
  expect(panels.length).toBeGreaterThan(45);
  const findEmpty = async () => {
    const answered = await Promise.all(panels.map(({ expr }) => prometheus.query(expr)));
    return panels.filter((_, place) => answered[place]?.length === 0);
  };
  await expect.poll(findEmpty, SOON).toEqual([]);
  const findFaults = async () => (await prometheus.listRules()).filter(({ health }) => health !== "ok");
  await expect.poll(findFaults, SOON).toEqual([]);
  expect((await prometheus.listRules()).length).toBeGreaterThan(50);
  const findAlerts = async () => (await prometheus.listAlerts()).filter((name) => !OF_THE_MACHINE.test(name));
  await expect.poll(findAlerts, SOON).toEqual([]);
  expect((await prometheus.listTargets()).map(({ lastError }) => lastError)).toEqual(["", "", "", ""]);
});
