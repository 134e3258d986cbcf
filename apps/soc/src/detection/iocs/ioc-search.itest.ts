import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { createStreamStore } from "../scheduling/stream.store.ts";
import { createStreamWorker } from "../scheduling/stream.worker.ts";
import { IOCS } from "./ioc.ts";
import { createIocHitsService } from "./ioc-hits.service.ts";
import { createChangedIocsStore, createSearchesStore } from "./ioc-hits.store.ts";
import { createIocWatch } from "./ioc-watch.ts";
import { createIocsService } from "./iocs.service.ts";
import { createIocsStore, createShowcaseIocsStore } from "./iocs.store.ts";
import { createIocsWorker } from "./iocs.worker.ts";

const clock = createClock();
const DAY_MS = 24 * 60 * 60_000;
const WAIT = { timeout: 20_000, interval: 100 };
let engine: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let parts: Awaited<ReturnType<typeof startParts>>;
const running: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  engine = await startLogStore();
});

afterAll(() => engine.stop());

beforeEach(async () => {
  platform = await testPlatform("real");
  await platform.runtime.truth();
  parts = await startParts();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()));
  await platform.close();
});

async function startParts() {
  const { db, runtime, ids } = platform;
  const stores = { database: createIocsStore(db), showcase: createShowcaseIocsStore([]) };
  const iocs = createIocsService({ runtime, stores, audit: createAuditStore(ids), clock });
  const { alerts } = await detectionsPlatform(platform, engine.store);
  const hits = createIocHitsService({ db, alerts, clock, ids });
  const watch = createIocWatch({ changed: createChangedIocsStore(db), hits, clock, log: silentLog });
  return { iocs, alerts, hits, watch };
}

async function add(value: string, more: object = {}) {
  const request = { value, force: true, ...more };
  return (await platform.db.transaction().execute((tx) => parts.iocs.create(tx, IOCS, request))).ioc;
}

function buildLog(given: Partial<LogEvent>, agoMs = 0): LogEvent {
  const at = new Date(clock.now().getTime() - agoMs).toISOString();
  return sampleLog({ id: platform.ids.next(), timestamp: at, ingested_at: at, ...given });
}

/** Lists all alerts of indicators by title. */
async function listAlerts() {
  const rows = await platform.db
    .selectFrom("alerts")
    .select(["title", "source", "severity", "iocs", "log_ids", "occurrence_count", "host"])
    .where("source", "=", "iocs")
    .orderBy("title")
    .execute();
  return rows;
}

describe("incoming logs", () => {
  it("raises one alert per indicator, no matter how often it arrives in new logs", async () => {
    const address = await add("5.6.7.8", { severity: "critical" });
    await add("evil-domain.net");
    expect(await parts.watch.refresh()).toBe(true);
    const logs = [
      buildLog({ src_ip: "5.6.7.8", host: "ws-1" }),
      buildLog({ dst_ip: "5.6.7.8", host: "ws-1", message: "to cdn.evil-domain.net" }),
      buildLog({ message: "nothing" }),
    ];
    await parts.watch.onLogs(logs);
    await parts.watch.onLogs(logs);
    await Promise.all([parts.watch.onLogs(logs), parts.watch.onLogs(logs)]);
    const [first, second] = logs.map(({ id }) => id);
    expect(await listAlerts()).toEqual([
      {
        title: "Known indicator seen: 5.6.7.8 on ws-1",
        source: "iocs",
        severity: "critical",
        iocs: ["5.6.7.8"],
        log_ids: [first, second],
        occurrence_count: 2,
        host: "ws-1",
      },
      expect.objectContaining({
        title: "Known indicator seen: evil-domain.net on ws-1",
        log_ids: [second],
        occurrence_count: 1,
      }),
    ]);
    const stored = await parts.iocs.get(address.id);
    expect(stored.hits).toBe(2);
    const listed = await parts.iocs.listHits(address.id, {});
    expect(listed.items.map(({ log_id }) => log_id).toSorted()).toEqual([first, second].toSorted());
  });

  it("raises one alert for each host on which an indicator is seen", async () => {
    await add("5.6.7.20");
    expect(await parts.watch.refresh()).toBe(true);
    const hosts = ["WS-1", "ws-1.corp.example", "WS-2"];
    await parts.watch.onLogs(hosts.map((host) => buildLog({ src_ip: "5.6.7.20", host })));
    const found = (await listAlerts()).filter(({ iocs }) => iocs.includes("5.6.7.20"));
    expect(found.map(({ title, host, occurrence_count }) => [title, host, occurrence_count])).toEqual([
      ["Known indicator seen: 5.6.7.20 on ws-1", "WS-1", 2],
      ["Known indicator seen: 5.6.7.20 on ws-2", "WS-2", 1],
    ]);
  });

  it("matches added indicators, but not expired or deleted ones", async () => {
    expect(await parts.watch.refresh()).toBe(false);
    const gone = await add("5.6.7.8");
    await add("5.6.7.9");
    await add("5.6.7.10", { first_seen: "2025-01-01T00:00:00Z", expires_at: "2026-01-01T00:00:00Z" });
    const ending = await add("5.6.7.11");
    expect(await parts.watch.refresh()).toBe(true);
    const { db } = platform;
    await db.updateTable("iocs").set({ expires_at: clock.now() }).where("id", "=", ending.id).execute();
    await platform.db.transaction().execute((tx) => parts.iocs.delete(tx, IOCS, gone.id));
    await parts.watch.onLogs([buildLog({ message: "5.6.7.8 5.6.7.9 5.6.7.10 5.6.7.11" })]);
    expect((await listAlerts()).map(({ iocs }) => iocs)).toEqual([["5.6.7.9"]]);
  });

  it("matches an indicator whose transaction began before and committed after those of loaded ones", async () => {
    const { db } = platform;
    await db.transaction().execute(async (slow) => {
      await parts.iocs.create(slow, IOCS, { value: "5.6.7.8" });
      await add("5.6.7.9");
      await parts.watch.refresh();
    });
    await parts.watch.refresh();
    await parts.watch.onLogs([buildLog({ src_ip: "5.6.7.8" })]);
    expect(await listAlerts()).toHaveLength(1);
  });

  it("raises one alert instead of more than a hundred", async () => {
    const items = Array.from({ length: 101 }, (_, n) => ({ value: `d${n}.net` }));
    await platform.db.transaction().execute((tx) => parts.iocs.createMany(tx, IOCS, { items }));
    await parts.watch.refresh();
    const log = buildLog({ message: items.map(({ value }) => value).join(" ") });
    await parts.watch.onLogs([log]);
    await parts.watch.onLogs([log]);
    expect(await listAlerts()).toMatchObject([
      { title: "Many known indicators seen at once", iocs: [], occurrence_count: 1 },
    ]);
    const hits = await platform.db.selectFrom("ioc_hits").select("ioc_id").execute();
    expect(hits).toHaveLength(101);
  });

  it("forwards new logs from the stream even if it has no rules", async () => {
    const { db } = platform;
    await add("5.6.7.8");
    const worker = createStreamWorker({
      worker: "stream",
      stream: createStreamStore(db),
      rules: { raise: async () => undefined },
      watch: parts.watch,
      listStreaming: async () => [],
      logs: engine.store,
      watermark: async () => clock.now(),
      isAllowed: async () => true,
      clock,
      log: silentLog,
    });
    const log = buildLog({ src_ip: "5.6.7.8" });
    await engine.store.insert([log], { token: log.id });
    const earlier = new Date(clock.now().getTime() - 5000);
    await sql`UPDATE detection_stream SET position = ${earlier}`.execute(db);
    running.push(worker);
    worker.start();
    await expect.poll(listAlerts, WAIT).toMatchObject([{ log_ids: [log.id] }]);
  });

  it("adds the known indicators of a rule's logs to its alert", async () => {
    await add("5.6.0.0/16");
    await add("5.6.7.8");
    await add("evil-domain.net");
    await add("5.6.7.9", { first_seen: "2025-01-01T00:00:00Z", expires_at: "2026-01-01T00:00:00Z" });
    const logs = [buildLog({ src_ip: "5.6.7.8", message: "a.evil-domain.net" }), buildLog({ dst_ip: "5.6.7.9" })];
    const known = await platform.db.transaction().execute((tx) => parts.hits.findIn(tx, logs));
    expect(known).toEqual(["5.6.0.0/16", "5.6.7.8", "evil-domain.net"]);
    expect(await platform.db.transaction().execute((tx) => parts.hits.findIn(tx, []))).toEqual([]);
  });
});

describe("stored logs", () => {
  function startWorker(concurrency = 1) {
    for (let n = 0; n < concurrency; n += 1) {
      const worker = createIocsWorker({
        searches: createSearchesStore(platform.db),
        hits: parts.hits,
        logs: engine.store,
        isAllowed: async () => true,
        clock,
        log: silentLog,
      });
      running.push(worker);
      worker.start();
    }
  }

  const isSearched = (id: string) => async () => (await parts.iocs.get(id)).searched_at !== null;

  it("searches stored logs for new indicators in every field, up to thirty days back", async () => {
    const hash = "275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f";
    const attributes = { file: { hash: { sha256: hash.toUpperCase() } } };
    const found: Record<string, LogEvent[]> = {
      "45.6.7.8": [buildLog({ src_ip: "45.6.7.8" }), buildLog({ message: "from 45.6.7.8:80" }, 29 * DAY_MS)],
      "2a00::7": [buildLog({ dst_ip: "2A00:0:0::7" })],
      "45.7.0.0/16": [buildLog({ dst_ip: "45.7.200.1" }, 3 * DAY_MS)],
      "searched-domain.net": [
        buildLog({ host: "ws.searched-domain.net" }),
        buildLog({ message: "asked for A.Searched-Domain.net." }),
        buildLog({ attributes: { dns: "x.searched-domain.net" }, raw: '{"dns":"x.searched-domain.net"}' }, 10 * DAY_MS),
      ],
      "boss@searched-mail.net": [buildLog({ user: "Boss@searched-mail.net" })],
      "http://searched-url.net/A": [buildLog({ message: "GET http://searched-url.net/A" })],
      [hash]: [buildLog({ attributes, raw: JSON.stringify(attributes) })],
    };
    const others = [
      buildLog({ message: "notsearched-domain.net http://searched-url.net/a 45.6.7.80" }),
      buildLog({ src_ip: "45.6.7.8" }, 31 * DAY_MS),
    ];
    await engine.store.insert([...Object.values(found).flat(), ...others], { token: platform.ids.next() });
    const added = new Map<string, string>();
    for (const value of Object.keys(found)) added.set(value, (await add(value)).id);
    startWorker();
    for (const [value, id] of added) {
      await expect.poll(isSearched(id), WAIT).toBe(true);
      const hits = await parts.iocs.listHits(id, {});
      const expected = found[value]?.map((log) => log.id) ?? [];
      expect([value, hits.items.map(({ log_id }) => log_id).toSorted()]).toEqual([value, expected.toSorted()]);
    }
    expect(await listAlerts()).toHaveLength(8);
  });

  it("lets several workers search stored logs without duplicate reports", async () => {
    const logs = Array.from({ length: 20 }, (_, n) => buildLog({ src_ip: `46.0.0.${n}` }));
    await engine.store.insert(logs, { token: platform.ids.next() });
    const items = Array.from({ length: 20 }, (_, n) => ({ value: `46.0.0.${n}` }));
    await platform.db.transaction().execute((tx) => parts.iocs.createMany(tx, IOCS, { items }));
    startWorker(3);
    await expect.poll(async () => (await listAlerts()).length, WAIT).toBe(20);
    await Promise.all(running.splice(0).map((each) => each.close()));
    expect((await listAlerts()).every(({ occurrence_count }) => occurrence_count === 1)).toBe(true);
  });

  it("reports up to a thousand stored logs, with a note that more exist", async () => {
    const many = Array.from({ length: 2100 }, () => buildLog({ src_ip: "47.0.0.1" }));
    const few = [buildLog({ src_ip: "47.0.0.2" })];
    await engine.store.insert([...many, ...few], { token: platform.ids.next() });
    const capped = await add("47.0.0.1");
    const whole = await add("47.0.0.2");
    startWorker();
    await expect.poll(isSearched(whole.id), WAIT).toBe(true);
    await expect.poll(isSearched(capped.id), WAIT).toBe(true);
    expect(await parts.iocs.get(capped.id)).toMatchObject({ hits: 1000, search_is_capped: true });
    expect(await parts.iocs.get(whole.id)).toMatchObject({ hits: 1, search_is_capped: false });
    const { description } = await platform.db
      .selectFrom("alerts")
      .select("description")
      .where("title", "=", "Known indicator seen: 47.0.0.1 on test")
      .executeTakeFirstOrThrow();
    expect(description).toContain("More than 1000 stored logs may contain it");
  });

  it("searches stored logs again after the searching worker has crashed", async () => {
    const log = buildLog({ src_ip: "48.0.0.1" });
    await engine.store.insert([log], { token: log.id });
    const { id } = await add("48.0.0.1");
    const searches = createSearchesStore(platform.db);
    expect(await searches.claim(1, 10)).toMatchObject([{ id }]);
    expect(await searches.claim(1, 10)).toEqual([]);
    startWorker();
    await expect.poll(isSearched(id), WAIT).toBe(true);
    expect(await listAlerts()).toHaveLength(1);
  });
});
