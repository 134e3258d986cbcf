import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { expect, it, onTestFinished } from "vitest";
import { count } from "../counts.ts";
import { startBalancer } from "./cluster/balancer.ts";
import { type CheckedRule, check, type Verdict } from "./cluster/checker.ts";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import { runFaults } from "./cluster/faults.ts";
import { canMakeNetworks } from "./cluster/network.ts";
import { createRandom } from "./cluster/random.ts";
import { STREAMING_RULES, startSenders, THRESHOLD } from "./cluster/senders.ts";

const clock = createClock();
const MINUTE_MS = 60_000;
const MINUTES = Number(process.env.PROVE_FAULT_MINUTES ?? count({ ci: 1, full: 60 }));
const SEED = Number(process.env.PROVE_FAULT_SEED ?? 1);
const SENDERS = 10;
/** A rule raises at most 500 alerts an hour; one more alert reports the rest. */
const MAX_FINDINGS = 450;
const FINDINGS_A_MINUTE = 30;
const SETTLED_MS = 6 * MINUTE_MS;
const QUIET_MS = 15_000;
const TAKEOVER_MS = 10_000;
const print = (line: string) => void process.stdout.write(`${line}\n`);

async function addRules(cluster: Cluster): Promise<CheckedRule[]> {
  const { client } = await cluster.signIn();
  const add = async (rule: object): Promise<string> => {
    const { status, body } = await client.post("/detections/rules", rule);
    if (status !== 201) throw new Error(`a rule was refused: ${status} ${JSON.stringify(body)}`);
    return body.id;
  };
  const rules: CheckedRule[] = [];
  for (let n = 0; n < STREAMING_RULES; n += 1) {
    const word = `needle${n}x`;
    const id = await add({ name: word, query: `message:${word}`, alert_title_template: `${word} on {host}` });
    rules.push({ id, word, title: (host) => `${word} on ${host}`, count: 1 });
  }
  const id = await add({
    name: "burst",
    type: "threshold",
    query: "message:burstx",
    threshold: { count: THRESHOLD, group_by: ["host"], within_minutes: 5 },
    schedule_enabled: true,
    schedule_interval_minutes: 1,
    alert_title_template: "burst on {host}",
  });
  return [...rules, { id, word: "burstx", title: (host) => `burst on ${host}`, count: THRESHOLD }];
}

/** One key for each sender: what a sender names belongs to the partition of its key. */
async function addKeys(cluster: Cluster): Promise<string[]> {
  const { client } = await cluster.signIn();
  const keys: string[] = [];
  for (let n = 0; n < SENDERS; n += 1) {
    const { status, body } = await client.post("/api-keys", { name: `sender-${n}`, scopes: ["siem:ingest"] });
    if (status !== 201) throw new Error(`a key was refused: ${status}`);
    keys.push(body.key);
  }
  return keys;
}

interface Takeover {
  tookMs: number;
  /** The oldest watermark of a partition of another owner meanwhile. */
  othersMs: number;
}

interface Sample {
  partition: string;
  owner: string;
  /** The age of the watermark: all earlier events are stored, evaluated and raised. */
  ageMs: number;
}

/** Kills an owner and waits until every log of its partitions up to then is evaluated by others. */
function createTakeovers({ databases }: Cluster) {
  const takeovers: Takeover[] = [];

  async function readSamples(): Promise<Sample[]> {
    const age = "extract(epoch FROM clock_timestamp() - watermark) * 1000";
    const rows = await databases.ask(`SELECT partition, owner, ${age} FROM log_partitions ORDER BY partition`);
    return rows.map((row) => {
      const [partition = "", owner = "", ageMs] = row.split("|");
      return { partition, owner, ageMs: Number(ageMs) };
    });
  }

  async function measure(kill: () => void): Promise<void> {
    const before = new Map((await readSamples()).map(({ partition, owner }) => [partition, owner]));
    const seen: Sample[] = [];
    const isOwned = ({ partition, owner }: Sample) => before.get(partition) === owner;
    kill();
    const startMs = clock.monotonicMs();
    for (let hasMoved = false, tookMs = 0; tookMs < (hasMoved ? MINUTE_MS : 2 * TAKEOVER_MS); ) {
      await clock.sleep(200);
      const samples = await readSamples();
      tookMs = clock.monotonicMs() - startMs;
      seen.push(...samples.filter(isOwned));
      hasMoved = !samples.every(isOwned);
      const isDone = hasMoved && samples.every(({ ageMs }) => ageMs < tookMs);
      if (isDone) return void takeovers.push({ tookMs: Math.round(tookMs), othersMs: findOldest(seen, samples) });
    }
    // A worker that owned nothing, as it had just been started, has nothing to take over.
    const isOwner = !(await readSamples()).every(isOwned);
    if (isOwner) takeovers.push({ tookMs: MINUTE_MS, othersMs: 0 });
  }
  return { takeovers, measure };
}

/** The oldest watermark of owners that still own something at the end. */
function findOldest(seen: readonly Sample[], atEnd: readonly Sample[]): number {
  const alive = new Set(atEnd.map(({ owner }) => owner));
  return Math.round(Math.max(0, ...seen.filter(({ owner }) => alive.has(owner)).map(({ ageMs }) => ageMs)));
}

const DEFECTS = [
  "unknown",
  "lost",
  "doubled",
  "notServed",
  "missedAlerts",
  "doubledAlerts",
  "unexpectedAlerts",
  "missedMatches",
  "doubledMatches",
  "unexpectedMatches",
] as const;

/** Checks until nothing is missing, or the time is over; then once more, after a pause in which too much may come. */
async function checkSettled(read: () => Promise<Verdict>): Promise<Verdict> {
  const deadline = clock.deadline(SETTLED_MS);
  for (;;) {
    const verdict = await read();
    const missing = verdict.lost.length + verdict.missedAlerts.length + verdict.missedMatches.length;
    if (missing === 0 || deadline.aborted) break;
    await clock.sleep(3000);
  }
  await clock.sleep(QUIET_MS);
  return read();
}

it.runIf(canMakeNetworks())(
  `keeps every acknowledged log once and raises each match once over ${MINUTES} minutes of faults (seed ${SEED})`,
  {
    timeout: (MINUTES + 20) * MINUTE_MS,
  },
  async () => {
    const cluster = await startCluster();
    let isGood = false;
    onTestFinished(() => cluster.stop({ keepsFolder: !isGood }), 2 * MINUTE_MS);
    const rules = await addRules(cluster);
    const keys = await addKeys(cluster);
    const random = createRandom(SEED);
    const intakes = () => cluster.hosts.all().map(({ urls }) => urls.intake);
    const balancer = await startBalancer(cluster.network.address, intakes, createRandom(SEED + 1));
    onTestFinished(() => balancer.close());
    const durationMs = MINUTES * MINUTE_MS;
    const findings = Math.min(MAX_FINDINGS, MINUTES * FINDINGS_A_MINUTE);
    // The rules own their part of the stream before the first log comes.
    await clock.sleep(QUIET_MS);
    const senders = startSenders({
      url: balancer.url,
      keys,
      seed: SEED,
      findings,
      durationMs,
    });
    onTestFinished(() => senders.abort());
    const { takeovers, measure } = createTakeovers(cluster);
    const counts = await runFaults({ cluster, balancer, random, print, measureTakeover: measure }, durationMs);
    await senders.stop();
    print(`seed ${SEED}, ${MINUTES} minutes, faults ${JSON.stringify(counts)}`);
    print(`answers ${JSON.stringify(senders.answers())}, balancer faults ${balancer.faults()}`);
    print(`takeovers ${JSON.stringify(takeovers)}`);

    const { url: api, token } = await cluster.signIn();
    const stores = cluster.stores.map(({ url }) => url);
    // Keep what the senders recorded with the folder of a failed run, for the analysis.
    await writeFile(join(cluster.folder, "sent.json"), JSON.stringify({ sent: senders.sent, rules }));
    const verdict = await checkSettled(() => check({ sent: senders.sent, rules, api, token, stores }));
    const few = Object.fromEntries(DEFECTS.map((name) => [name, verdict[name].slice(0, 20)]));
    const numbers = Object.fromEntries(DEFECTS.map((name) => [name, verdict[name].length]));
    print(JSON.stringify({ ...verdict, ...numbers }));
    print(`logs in ${cluster.folder}`);
    expect(few).toEqual(Object.fromEntries(DEFECTS.map((name) => [name, []])));
    expect(verdict).toMatchObject({ deadLetters: 0, ledgerAlarm: null });
    expect(
      Object.keys(senders.answers()).filter((answer) => !["202", "503", "0", "balancer"].includes(answer)),
    ).toEqual([]);
    expect(Math.max(0, ...takeovers.map(({ tookMs }) => tookMs))).toBeLessThan(TAKEOVER_MS);
    expect(verdict.expectedAlerts).toBeGreaterThan(0);
    isGood = true;
  },
);
