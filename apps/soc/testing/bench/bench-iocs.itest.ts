import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { parseQuery } from "@kit/query/query";
import { expect, it } from "vitest";
import { buildSearchQuestion } from "../../src/adapters/clickhouse/clickhouse-questions.ts";
import { encodeRows } from "../../src/adapters/clickhouse/clickhouse-rows.ts";
import { boxTables } from "../../src/adapters/clickhouse/clickhouse-tables.ts";
import { indexedConditions, scannedConditions } from "../../src/detection/iocs/ioc-history.ts";
import { createIocMatcher, type MatchedIoc } from "../../src/detection/iocs/ioc-matcher.ts";
import { createStreamMatcher } from "../../src/detection/matching/stream-matcher.ts";
import { ALL_SITES } from "../../src/foundation/caller/caller.ts";
import { toLog } from "../../src/logs/normalise/normalise.ts";
import type { LogEvent } from "../../src/ports/log-event.ts";
import type { SqlCondition } from "../../src/ports/log-store.ts";
import { startBareEngine } from "./bare-log-engine.ts";

// The default size only shows that the benchmark works; the specified sizes are measured with BENCH_IOCS=100000,
// BENCH_RULES=1000, BENCH_EVENTS=200000 and BENCH_ROWS=10000000.
const { BENCH_IOCS = "10000", BENCH_EVENTS = "20000", BENCH_RULES = "200", BENCH_ROWS = "20000" } = process.env;
const [IOCS, EVENTS] = [Number(BENCH_IOCS), Number(BENCH_EVENTS)];
const [RULES, ROWS] = [Number(BENCH_RULES), Number(BENCH_ROWS)];
const isFull = IOCS >= 100_000;
const HOURS = 3 * 60 * 60_000;
const BATCH = 500_000;
const DAY_MS = 24 * 60 * 60_000;
const SEARCH_MS = 5000;
const MAX_COST = 0.2;
const TURNS = isFull ? 10 : 2;
const clock = createClock();
const ids = createIds(clock);

function iocAt(n: number): MatchedIoc {
  const id = `ioc-${n}`;
  const hex = (n * 2_654_435_761).toString(16).padStart(16, "0");
  switch (n % 5) {
    case 0:
      return { id, type: "ipv4", value: `${45 + (n % 100)}.${(n >> 8) % 256}.${(n >> 3) % 256}.${n % 256}` };
    case 1:
      return { id, type: "domain", value: `host${n}.bad-domain-${n % 5000}.net` };
    case 2:
      return { id, type: "sha256", value: hex.repeat(4).slice(0, 64) };
    case 3:
      return { id, type: "url", value: `http://bad-url-${n}.net/drop/${n}` };
    default:
      return n % 50 === 4
        ? { id, type: "cidr", value: `${150 + (n % 50)}.${(n >> 4) % 256}.${n % 256}.0/24` }
        : { id, type: "md5", value: hex.repeat(2).slice(0, 32) };
  }
}

/** A JSON event of a proxy, a firewall, an operating system or a host monitor. */
function eventAt(n: number): string {
  const host = `ws-${n % 400}.corp.internal`;
  const common = { "@timestamp": new Date(Date.UTC(2026, 10, 15) + n).toISOString(), host: { name: host } };
  switch (n % 4) {
    case 0:
      return JSON.stringify({
        ...common,
        message: `GET https://cdn${n % 900}.shop-${n % 3000}.com/assets/app.${n % 77}.js?v=${n} 200 ${n % 9000}`,
        source: { ip: `10.${n % 7}.${n % 250}.${n % 240}` },
        destination: { ip: `93.184.${n % 256}.${(n >> 8) % 256}`, port: 443 },
        url: {
          full: `https://cdn${n % 900}.shop-${n % 3000}.com/assets/app.js`,
          domain: `cdn${n % 900}.shop-${n % 3000}.com`,
        },
        user_agent: { original: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/129.0.0.0" },
      });
    case 1:
      return JSON.stringify({
        ...common,
        message: `allow tcp 10.${n % 7}.${n % 250}.${n % 240}:${40_000 + (n % 9000)} -> 93.184.${n % 256}.9:443`,
        source: { ip: `10.${n % 7}.${n % 250}.${n % 240}`, port: 40_000 + (n % 9000) },
        destination: { ip: `93.184.${n % 256}.9`, port: 443 },
        network: { bytes: n, transport: "tcp" },
      });
    case 2:
      return JSON.stringify({
        ...common,
        message: `Logon ${n % 9 === 0 ? "FAILED" : "succeeded"} for user${(n * 7919) % 3000} by session ${(n * 104_729) % 999_983}`,
        user: { name: `user${(n * 7919) % 3000}` },
        event: { code: String(4600 + (n % 40)) },
        winlog: { logon: { type: n % 10 }, channel: "Security" },
      });
    default:
      return JSON.stringify({
        ...common,
        message: `Process created: C:\\Program Files\\App${n % 60}\\app${n % 60}.exe -k service${n % 20}`,
        process: {
          name: `app${n % 60}.exe`,
          command_line: `C:\\Program Files\\App${n % 60}\\app${n % 60}.exe -k service${n % 20} --id ${n}`,
          hash: { sha256: (n % 60).toString(16).padStart(64, "a"), md5: (n % 60).toString(16).padStart(32, "b") },
        },
      });
  }
}

function logAt(n: number, text: string): LogEvent {
  const at = new Date(Date.UTC(2026, 10, 15) + n).toISOString();
  return toLog(JSON.parse(text), { id: ids.next(), ingested_at: at, site: "", raw: text });
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Events per CPU second, from the received text to the log that goes to the log store and the rules. */
function measureRate(texts: readonly string[], match: (log: LogEvent) => number) {
  const rules = createStreamMatcher(
    Array.from({ length: RULES }, (_, n) => ({
      id: `rule-${n}`,
      condition: parseQuery(`event_code:${4600 + (n % 400)} AND message:"*needle${n}*" AND NOT user:svc${n}`),
    })),
  );
  let hits = 0;
  const begun = cpuMs();
  for (let place = 0; place < texts.length; place += 1000) {
    const logs = texts.slice(place, place + 1000).map((text, at) => logAt(place + at, text));
    for (const log of logs) hits += rules.match(log).length + match(log);
    encodeRows(logs);
  }
  return { perSecond: Math.round((texts.length * 1000) / (cpuMs() - begun)), hits };
}

it(`matches ${IOCS} indicators against every ingested event`, { timeout: HOURS }, () => {
  const matcher = createIocMatcher();
  const before = process.memoryUsage().heapUsed;
  const [loadMs] = [cpuMs()];
  matcher.add(Array.from({ length: IOCS }, (_, n) => iocAt(n)));
  const loaded = cpuMs() - loadMs;
  const megabytes = Math.round((process.memoryUsage().heapUsed - before) / 1e6);
  const texts = Array.from({ length: EVENTS }, (_, n) => eventAt(n));
  // One event in a thousand contains an indicator.
  for (let n = 500; n < EVENTS; n += 1000) texts[n] = JSON.stringify({ message: `asked for x.${iocAt(1).value}` });
  const turns: { plain: number; watched: number }[] = [];
  // Alternate, so that other load on the machine affects both sides; the first turn includes JIT compilation.
  for (let turn = 0; turn < TURNS; turn += 1) {
    const plain = measureRate(texts, () => 0).perSecond;
    const { perSecond: watched, hits } = measureRate(texts, (log) => matcher.match(log).length);
    expect(hits).toBe(Math.floor((EVENTS + 499) / 1000));
    turns.push({ plain, watched });
  }
  const counted = turns.slice(1).toSorted((a, b) => a.watched / a.plain - b.watched / b.plain);
  const { plain, watched } = counted[Math.floor(counted.length / 2)] ?? { plain: 0, watched: 0 };
  const cost = 1 - watched / plain;
  process.stdout.write(
    `${IOCS} indicators (${loaded.toFixed(0)} ms to load, ${megabytes} MB), ${RULES} rules: ${plain} events per CPU-second without, ${watched} with: ${(cost * 100).toFixed(1)} %\n`,
  );
  if (isFull) expect(cost).toBeLessThan(MAX_COST);
});

const MESSAGES = `[
  format('GET https://cdn{}.shop-{}.com/assets/app.js?v={} 200', toString(n % 900), toString(n % 3000), toString(n)),
  format('allow tcp 10.{}.{}.{}:{} -> 93.184.{}.9:443', toString(n % 7), toString(n % 250), toString(n % 240), toString(40000 + n % 9000), toString(n % 251)),
  format('Logon succeeded for user{} by session {}', toString(n * 7919 % 3000), toString(n * 104729 % 999983)),
  format('Process created: app{}.exe -k service{} --id {}', toString(n % 60), toString(n % 20), toString(n))][n % 4 + 1]`;

/** The same events, generated by the engine: ingesting ten million would take hours. */
const buildInsert = (first: number, count: number, nowMs: number) => `
INSERT INTO logs SELECT concat('log-', toString(n)), fromUnixTimestamp64Milli(ms), fromUnixTimestamp64Milli(ms), '',
  ['proxy', 'firewall', 'windows', 'edr'][n % 4 + 1], concat('ws-', toString(n % 400), '.corp.internal'), 'info', '', '', '',
  if(n % 4 = 2, concat('user', toString(n * 7919 % 3000)), ''), format('10.{}.{}.{}', toString(n % 7), toString(n % 250), toString(n % 240)),
  if(n % 4 < 2, format('93.184.{}.{}', toString(n % 251), toString(intDiv(n, 256) % 256)), ''), 40000 + n % 9000, 443, '', message,
  concat('{"message":"', message, '","hash":"', hash, '","text":"', repeat(hex(sipHash64(n)), 20), '"}'),
  concat('{"file":{"hash":"', hash, '"},"bytes":', toString(n % 9999), '}')::JSON(max_dynamic_paths = 128), 'event'
FROM (SELECT number + ${first} AS n, ${MESSAGES} AS message, lower(hex(sipHash128(n % 60000))) AS hash,
  toInt64(${nowMs} - 60000 - 29 * ${DAY_MS} * (1 - n / ${ROWS})) AS ms FROM numbers(${count}))`;

const READ_SETTINGS =
  "SETTINGS date_time_output_format = 'iso', use_top_k_dynamic_filtering = 0, max_execution_time = 60";

const SOUGHT = [
  { type: "ipv4", value: "93.184.77.9" },
  { type: "domain", value: "cdn12.shop-12.com" },
  { type: "email", value: "user7@corp.internal" },
  { type: "md5", value: "d41d8cd98f00b204e9800998ecf8427e" },
  // This indicator occurs in some events.
  { type: "md5", value: "77794e0c314b1fed3a0e9d17eb7d6efd" },
  { type: "ipv6", value: "2a00:1450::7" },
  { type: "url", value: "http://cdn12.shop-12.com/drop" },
  { type: "cidr", value: "93.184.77.0/28" },
  { type: "domain", value: "never-seen.net" },
] as const;

it(`finds a new indicator in ${ROWS} stored events`, { timeout: HOURS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-iocs-"));
  const bare = startBareEngine(join(folder, "bare"));
  try {
    for (const sql of boxTables(90)) await bare.ask({ kind: "run", sql });
    const now = clock.now().getTime();
    for (let first = 0; first < ROWS; first += BATCH) {
      await bare.ask({ kind: "run", sql: buildInsert(first, Math.min(BATCH, ROWS - first), now) });
    }
    const asked = { scope: ALL_SITES, time: "ingested_at", order: "newest", limit: 2000 } as const;
    const window = { from: new Date(now - 30 * DAY_MS), to: new Date(now) };
    async function ask(conditions: readonly SqlCondition[]) {
      let [ms, logs] = [0, 0];
      for (const where of conditions) {
        const { sql, parameters = {} } = buildSearchQuestion({ ...asked, ...window, where });
        const answer = await bare.ask({ kind: "select", sql: `${sql} ${READ_SETTINGS}`, parameters });
        ms += answer.ms;
        logs += Number(answer.result);
      }
      return { ms, logs };
    }
    for (const ioc of SOUGHT) {
      const indexed = await ask(indexedConditions([ioc]));
      const scanned = await ask(scannedConditions([ioc]));
      process.stdout.write(
        `${ROWS} events, ${ioc.type} ${ioc.value}: by the indexes ${indexed.ms.toFixed(0)} ms (${indexed.logs}), over the originals ${scanned.ms.toFixed(0)} ms (${scanned.logs})\n`,
      );
      // If the index search already finds more than the limit, the originals are not scanned.
      expect(indexed.ms + (indexed.logs >= asked.limit ? 0 : scanned.ms)).toBeLessThan(SEARCH_MS);
    }
    const hundred = Array.from({ length: 100 }, (_, n) => iocAt(n));
    const indexed = await ask(indexedConditions(hundred));
    const scanned = await ask(scannedConditions(hundred));
    process.stdout.write(
      `${ROWS} events, a hundred at once: by the indexes ${indexed.ms.toFixed(0)} ms (${indexed.logs}), over the originals ${scanned.ms.toFixed(0)} ms (${scanned.logs})\n`,
    );
  } finally {
    await bare.stop();
    rmSync(folder, { recursive: true });
  }
});
