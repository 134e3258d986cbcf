import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createSocClient, requestToken } from "../client.ts";
import { startBalancer } from "../cluster/balancer.ts";
import { type CheckedRule, check, type Verdict } from "../cluster/checker.ts";
import { createRandom } from "../cluster/random.ts";
import { STREAMING_RULES, startSenders } from "../cluster/senders.ts";
import { buildServerImages, dropImage, obtainImage, podman } from "./podman.ts";
import { prepareThreeHosts, type ThreeHosts, untilReady } from "./three-hosts.ts";

const clock = createClock();
const SENDERS = 4;
const MINUTE_MS = 60_000;
const READY_MS = 6 * MINUTE_MS;
const SETTLED_MS = 4 * MINUTE_MS;
const seconds = (ms: number) => (ms / 1000).toFixed(1);

let image: string;
let cluster: ThreeHosts;

beforeAll(async () => {
  image = await obtainImage();
  await buildServerImages();
  cluster = await prepareThreeHosts(image);
}, 1_200_000);
afterAll(async () => {
  await cluster.remove();
  await dropImage(image);
}, 300_000);

/** The first administrator is made by whichever api comes first. */
async function readPassword(): Promise<string> {
  for (const { name } of Object.values(cluster.hosts)) {
    const volume = await podman("volume", "inspect", "--format={{.Mountpoint}}", `manara-${name}_api`);
    const password = await readFile(join(volume, "initial-admin-password"), "utf8").catch(() => "");
    if (password !== "") return password.trim();
  }
  throw new Error("no host has the first password");
}

async function prepare(api: string, token: string) {
  const { post } = createSocClient(api, token);
  const add = async (path: string, body: object) => {
    const answer = await post(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const rules: CheckedRule[] = [];
  for (let n = 0; n < STREAMING_RULES; n += 1) {
    const word = `needle${n}x`;
    const rule = { name: word, query: `message:${word}`, alert_title_template: `${word} on {host}` };
    const { id } = await add("/detections/rules", rule);
    rules.push({ id, word, title: (host) => `${word} on ${host}`, count: 1 });
  }
  const keys: string[] = [];
  for (let n = 0; n < SENDERS; n += 1) {
    keys.push((await add("/api-keys", { name: `sender-${n}`, scopes: ["siem:ingest"] })).key);
  }
  return { rules, keys };
}

/** A client that the platform did not certify sees the broker's certificate, and no more. */
function readBrokerName(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: 8883, rejectUnauthorized: false, servername: "soc.example.org" });
    socket.once("secureConnect", () => {
      resolve(socket.getPeerCertificate().subjectaltname);
      socket.destroy();
    });
    socket.once("error", () => resolve(undefined));
  });
}

async function checkSettled(read: () => Promise<Verdict>): Promise<Verdict> {
  const deadline = clock.deadline(SETTLED_MS);
  for (;;) {
    const verdict = await read();
    if (verdict.lost.length + verdict.missedAlerts.length === 0 || deadline.aborted) return verdict;
    await clock.sleep(3000);
  }
}

it("runs on three hosts with the compose files and loses nothing acknowledged when the first host fails", async () => {
  const { one, two, three } = cluster.hosts;
  const fromMs = clock.monotonicMs();
  for (const host of [one, two, three]) await host.up();
  const upMs = clock.monotonicMs() - fromMs;
  const allUrls = [one, two, three].flatMap(({ urls }) => Object.values(urls));
  await untilReady([...allUrls, `http://${one.address}:8083`], READY_MS);
  const readyMs = clock.monotonicMs() - fromMs;
  console.log(`three hosts ready after ${seconds(readyMs)} s, podman-compose took ${seconds(upMs)} s of it`);
  await expect.poll(() => readBrokerName(one.address), { timeout: MINUTE_MS }).toContain("DNS:soc.example.org");

  const password = await readPassword();
  const token = await requestToken(createSocClient(one.urls.api), "admin", password);
  const { rules, keys } = await prepare(one.urls.api, token);
  const intakes = () => [one, two, three].map(({ urls }) => urls.intake);
  const balancer = await startBalancer(cluster.address, intakes, createRandom(2));
  onTestFinished(() => balancer.close());
  // The rules reach the workers before the first log comes.
  await clock.sleep(15_000);
  const senders = startSenders({ url: balancer.url, keys, seed: 1, findings: 40, durationMs: 100_000 });
  onTestFinished(() => senders.abort());
  const countAcknowledged = () => senders.sent.filter(({ isAcknowledged }) => isAcknowledged).length;
  const firstAlert = createSocClient(one.urls.api, token);
  await expect.poll(async () => (await firstAlert.list("/alerts")).length, { timeout: MINUTE_MS }).toBeGreaterThan(0);
  await clock.sleep(20_000);

  await one.lose();
  const lostMs = clock.monotonicMs();
  const before = countAcknowledged();
  expect(await two.podman("database", "promote")).toBe("promoted");
  await untilReady(
    [two, three].flatMap(({ urls }) => Object.values(urls)),
    READY_MS,
  );
  console.log(
    `without host one: ${before} acknowledged before, ready again after ${seconds(clock.monotonicMs() - lostMs)} s`,
  );
  await clock.sleep(20_000);
  expect(countAcknowledged()).toBeGreaterThan(before);

  await podman("volume", "rm", "manara-one_database");
  await cluster.write("one", { POSTGRES_PRIMARY: two.address });
  const backMs = clock.monotonicMs();
  await one.up();
  await untilReady([...Object.values(one.urls), `http://${one.address}:8083`], READY_MS);
  await two.podman("database", "await-standby");
  console.log(`host one is back and the standby after ${seconds(clock.monotonicMs() - backMs)} s`);
  await clock.sleep(15_000);
  await senders.stop();

  const verdict = await checkSettled(() =>
    check({ sent: senders.sent, rules, api: three.urls.api, token, stores: cluster.stores }),
  );
  console.log(JSON.stringify(senders.answers()), JSON.stringify(verdict));
  expect(verdict).toMatchObject({
    lost: [],
    doubled: [],
    unknown: [],
    notServed: [],
    missedAlerts: [],
    doubledAlerts: [],
    unexpectedAlerts: [],
    missedMatches: [],
    doubledMatches: [],
    unexpectedMatches: [],
    deadLetters: 0,
    ledgerAlarm: null,
  });
  expect(verdict.expectedAlerts).toBeGreaterThan(0);
}, 1_800_000);
