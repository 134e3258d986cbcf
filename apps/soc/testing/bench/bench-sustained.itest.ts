import process from "node:process";
import { createClock } from "@kit/clock";
import pg from "pg";
import { expect, it } from "vitest";
import { lacksPublicData } from "../fixtures/public-data.ts";
import { createBatches } from "./events.ts";
import { computeFigures, inWords, print } from "./figures.ts";
import { type Product, startProduct } from "./product.ts";
import { publicRuleTexts } from "./public-rules.ts";

const { BENCH_RATE = "300", BENCH_MINUTES = "0.1", BENCH_SIGMA_RULES = "40" } = process.env;
const rate = Number(BENCH_RATE);
const seconds = Number(BENCH_MINUTES) * 60;
const isFull = rate >= 10_000;
const BATCHES_PER_SECOND = 10;
const batch = Math.ceil(rate / BATCHES_PER_SECOND);
/** With more unanswered requests than this, senders wait, and the measured rate drops. */
const IN_FLIGHT = 20;
const PROBE_MS = 1000;
const SEARCH_MS = 1000;
const POLL_MS = 20;
const SEARCHABLE_MS = 2000;
const CAUGHT_UP_MS = 120_000;
const RULES_PER_IMPORT = 250;
const HOUR = 60 * 60_000;
const clock = createClock();

it.skipIf(lacksPublicData("sigma-rules.tar.gz", "otrf-events-60k.ndjson.gz"))(
  `ingests ${rate} events per second with rules and searches`,
  { timeout: 2 * HOUR },
  async () => {
    const product = await startProduct();
    const owner = new pg.Client(product.databaseUrl);
    try {
      await owner.connect();
      const rules = await importRules(product);
      await rulesLoaded(owner, rules);
      const before = await product.cpuMicros();
      const over = new AbortController();
      const [probing, searching] = [probe(product, over.signal), search(product, over.signal)];
      const behind = watchStream(owner, over.signal);
      const sent = await send(product);
      over.abort();
      const [probes, searches, behindSeconds] = await Promise.all([probing, searching, behind]);
      const after = await product.cpuMicros();

      const acknowledged = sent.events + probes.length;
      const { total_events } = await product.get("/siem/stats");
      print(
        `sustained: ${Math.round(sent.events / sent.seconds)} events/s for ${Math.round(sent.seconds)} s with ${rules} rules ` +
          `and searches: ${acknowledged} acknowledged, ${acknowledged - total_events} lost`,
      );
      print(
        `sustained: searchable after, ms p50 / p95 / max: ${inWords(computeFigures(probes))} (${probes.length} probes)`,
      );
      print(`sustained: answers to the senders, ms p50 / p95 / max: ${inWords(computeFigures(sent.answersMs))}`);
      print(
        `sustained: searches meanwhile, ms p50 / p95 / max: ${inWords(computeFigures(searches))} (${searches.length})`,
      );
      print(`sustained: the rules were at most ${Math.max(...behindSeconds).toFixed(1)} s behind`);
      const shares = [...after].map(
        ([name, micros]) => `${name} ${formatCores(micros - (before.get(name) ?? 0), sent)}`,
      );
      print(`sustained: processors used: ${shares.join(", ")}`);

      expect(total_events).toBe(acknowledged);
      await caughtUp(owner);
      if (!isFull) return;
      expect(computeFigures(probes).p95).toBeLessThan(SEARCHABLE_MS);
      expect(sent.events / sent.seconds).toBeGreaterThan(0.98 * rate);
    } finally {
      await owner.end();
      await product.stop();
    }
  },
);

const formatCores = (micros: number, sent: { seconds: number }) => (micros / 1e6 / sent.seconds).toFixed(2);

async function importRules(product: Product): Promise<number> {
  const texts = publicRuleTexts().slice(0, Number(BENCH_SIGMA_RULES));
  let rules = 0;
  for (let first = 0; first < texts.length; first += RULES_PER_IMPORT) {
    const { items } = await product.import(texts.slice(first, first + RULES_PER_IMPORT).join("\n---\n"));
    rules += items.length;
  }
  return rules;
}

/** Waits until the stream covers all rules and has processed an event with them, so that warm-up is not measured. */
async function rulesLoaded(owner: pg.Client, rules: number): Promise<void> {
  const covered = "SELECT count(*)::int AS found FROM detection_coverage WHERE owner = 'stream'";
  const found = async () => (await owner.query<{ found: number }>(covered)).rows[0]?.found;
  await expect.poll(found, { timeout: CAUGHT_UP_MS, interval: 200 }).toBe(rules);
  await caughtUp(owner);
}

async function readLagSeconds(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ behind: number }>(
    "SELECT extract(epoch FROM clock_timestamp() - position)::float8 AS behind FROM detection_stream",
  );
  return rows[0]?.behind ?? Number.POSITIVE_INFINITY;
}

async function caughtUp(owner: pg.Client): Promise<void> {
  await expect.poll(() => readLagSeconds(owner), { timeout: CAUGHT_UP_MS, interval: 200 }).toBeLessThan(5);
}

async function send(product: Product) {
  const answersMs: number[] = [];
  const inFlight = new Set<Promise<void>>();
  // More batches than can be in flight.
  const nextBatch = createBatches(10 * IN_FLIGHT, batch);
  const beganMs = clock.monotonicMs();
  const batches = Math.ceil((seconds * rate) / batch);

  async function sendOne(lines: Uint8Array<ArrayBuffer>): Promise<void> {
    const startMs = clock.monotonicMs();
    await product.ingest(lines, batch, "bench");
    answersMs.push(clock.monotonicMs() - startMs);
  }

  for (let sent = 0; sent < batches; sent += 1) {
    await clock.sleep(Math.max(0, beganMs + (sent * 1000) / BATCHES_PER_SECOND - clock.monotonicMs()));
    while (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight);
    const sending = sendOne(nextBatch(sent, clock.now().toISOString()));
    inFlight.add(sending);
    void sending.finally(() => inFlight.delete(sending)).catch(() => undefined);
  }
  await Promise.all(inFlight);
  return { events: batches * batch, seconds: (clock.monotonicMs() - beganMs) / 1000, answersMs };
}

/** The delay between sending an event and finding it with a search. */
async function probe(product: Product, over: AbortSignal): Promise<number[]> {
  const waitsMs: number[] = [];
  for (let n = 0; !over.aborted; n += 1) {
    const word = `probe${n}x${process.pid}`;
    const startMs = clock.monotonicMs();
    const event = { "@timestamp": clock.now().toISOString(), message: `the word ${word} was sent` };
    await product.ingest(JSON.stringify(event), 1, "probe");
    const query = { query: word, from: new Date(clock.now().getTime() - HOUR).toISOString() };
    while ((await product.get("/siem/logs", query)).items.length === 0) await clock.sleep(POLL_MS);
    waitsMs.push(clock.monotonicMs() - startMs);
    await clock.sleep(PROBE_MS, over).catch(() => undefined);
  }
  return waitsMs;
}

async function search(product: Product, over: AbortSignal): Promise<number[]> {
  const waitsMs: number[] = [];
  for (let n = 0; !over.aborted; n += 1) {
    const from = new Date(clock.now().getTime() - HOUR).toISOString();
    const asked = [
      { query: `failed user${(n * 9) % 3000}`, from },
      { query: `host:host${n % 400}.example.test`, from },
      { query: `src_ip:10.${n % 7}.${n % 250}.${n % 240}`, from },
    ][n % 3];
    const startMs = clock.monotonicMs();
    await product.get("/siem/logs", asked);
    waitsMs.push(clock.monotonicMs() - startMs);
    await clock.sleep(SEARCH_MS, over).catch(() => undefined);
  }
  return waitsMs;
}

async function watchStream(owner: pg.Client, over: AbortSignal): Promise<number[]> {
  const behind: number[] = [];
  do {
    behind.push(await readLagSeconds(owner));
    await clock.sleep(1000, over).catch(() => undefined);
  } while (!over.aborted);
  return behind;
}
