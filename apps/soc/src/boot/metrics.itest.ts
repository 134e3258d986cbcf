import type { Frame } from "@kit/http/frame";
import { startFaultProxy } from "@kit/testing/fault-proxy";
import { listShownMetrics, readDocumentedMetrics } from "@kit/testing/metrics-document";
import { findMetricsFaults, hasPromtool } from "@kit/testing/promtool";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signIn } from "../../testing/harness/sample-world.ts";
import { wholePlatform } from "../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../testing/servers/fresh-database.ts";
import { startSharedLogStore } from "../../testing/servers/shared-log-store.ts";

const SOON = { timeout: 30_000, interval: 500 };
let logs: Awaited<ReturnType<typeof startSharedLogStore>>;
let platform: Awaited<ReturnType<typeof wholePlatform>>;
let app: Frame;
let admin: Record<string, string>;
let scraper: string;
let shipper: string;

beforeAll(async () => {
  logs = await startSharedLogStore();
  platform = await wholePlatform("real", (await freshDatabase()).url, undefined, logs.logStore);
  ({ app } = platform);
  admin = await signIn(app);
  scraper = await createKey("prometheus", "stats:read");
  shipper = await createKey("shipper", "siem:ingest");
});
afterAll(async () => {
  await platform.close();
  await logs.stop();
});

async function createKey(name: string, scope: string): Promise<string> {
  const payload = { name, scopes: [scope] };
  return (await app.inject({ method: "POST", url: "/api/v1/api-keys", headers: admin, payload })).json().key;
}

const scrape = (headers: Record<string, string>) => app.inject({ url: "/metrics", headers });

async function readMetrics(): Promise<string[]> {
  const answered = await scrape({ authorization: `Bearer ${scraper}` });
  expect(answered.statusCode, answered.body).toBe(200);
  return answered.body.split("\n");
}

it("is for users and for API keys with stats:read, as Prometheus sends them, and for no other caller", async () => {
  const statuses = async (...headers: Record<string, string>[]) =>
    Promise.all(headers.map(async (each) => (await scrape(each)).statusCode));
  expect(await statuses({}, { authorization: "Bearer soc_wrong" }, { authorization: `Basic ${scraper}` })).toEqual([
    401, 401, 401,
  ]);
  expect(await statuses({ authorization: `Bearer ${shipper}` }, { "x-api-key": shipper })).toEqual([403, 403]);
  expect(await statuses({ authorization: `Bearer ${scraper}` }, { "x-api-key": scraper }, admin)).toEqual([
    200, 200, 200,
  ]);
  // Only here is a key accepted as a bearer token.
  const elsewhere = await app.inject({ url: "/api/v1/stats", headers: { authorization: `Bearer ${scraper}` } });
  expect(elsewhere.statusCode).toBe(401);
});

it("shows the parts of the platform, its outbox and the requests by route pattern", async () => {
  await app.inject({ url: "/api/v1/alerts/0190c0de-0000-7000-8000-000000000001", headers: admin });
  await expect
    .poll(readMetrics, SOON)
    .toEqual(
      expect.arrayContaining([
        'manara_soc_build_info{version="2.0.0"} 1',
        'manara_soc_part_up{part="database"} 1',
        'manara_soc_part_up{part="log_engine"} 1',
        'manara_soc_part_up{part="worker"} 0',
        "manara_soc_healthy 0",
        expect.stringMatching(/^manara_soc_storage_free_bytes\{storage="data"\} [1-9]\d*$/),
        "manara_soc_log_stores_missing 0",
        'manara_soc_alarm{part="ledger"} 0',
        expect.stringMatching(/^manara_soc_outbox_age_seconds \d/),
        expect.stringMatching(/^manara_soc_outbox_events [1-9]/),
        expect.stringMatching(/^manara_soc_detection_lag_seconds \d/),
        expect.stringMatching(/^manara_soc_clock_offset_seconds -?\d/),
        "manara_soc_measures_failed 0",
        'manara_soc_http_request_duration_seconds_count{method="GET",route="/api/v1/alerts/:alert_id",status="4xx"} 1',
      ]),
    );
});

it("shows what the document lists, and nothing else", async () => {
  const shown = listShownMetrics((await readMetrics()).join("\n"));
  const documented = await readDocumentedMetrics("soc");
  const onlyWithNats = /^manara_soc_(stream|partitions)_/;
  expect(documented.filter((name) => onlyWithNats.test(name))).toHaveLength(3);
  expect(shown).toEqual(documented.filter((name) => !onlyWithNats.test(name)));
});

it("counts events that were accepted, stored as dead letters, and refused with their request", async () => {
  const ingest = (payload: string) =>
    app.inject({ method: "POST", url: "/api/v1/siem/ingest", headers: { "x-api-key": shipper }, payload });
  const taken = await ingest(JSON.stringify([{ message: "one" }, { message: "two" }, { severity: {} }, "no event"]));
  const { accepted, rejected } = taken.json();
  expect(accepted + rejected, taken.body).toBe(4);
  expect(rejected).toBeGreaterThan(0);
  await expect
    .poll(readMetrics, SOON)
    .toEqual(
      expect.arrayContaining([
        `manara_soc_intake_events_total{result="accepted"} ${accepted}`,
        `manara_soc_intake_events_total{result="dead_letter"} ${rejected}`,
        'manara_soc_intake_events_total{result="refused"} 0',
      ]),
    );
});

it("shows a user that the database is down, and refuses an API key that it cannot check", async () => {
  const { url } = await freshDatabase();
  const { port } = new URL(url);
  const proxy = await startFaultProxy(Number(port));
  const cut = await wholePlatform("real", url.replace(`:${port}`, `:${proxy.port}`), undefined, logs.logStore);
  const headers = await signIn(cut.app);
  proxy.cut();
  const ask = (given: Record<string, string>) => cut.app.inject({ url: "/metrics", headers: given });
  await expect.poll(async () => (await ask(headers)).body, SOON).toContain('manara_soc_part_up{part="database"} 0\n');
  expect((await ask({ authorization: `Bearer ${scraper}` })).statusCode).toBe(503);
  proxy.heal();
  await cut.close();
  await proxy.close();
});

it("has no values for disabled parts, in dummy mode without a database", async () => {
  const dummy = await wholePlatform("dummy");
  const { body } = await dummy.app.inject({ url: "/metrics", headers: await signIn(dummy.app) });
  expect(body).toContain("manara_soc_measures_failed 0\n");
  expect(body).not.toMatch(/^manara_soc_(outbox|part_up\{)/m);
  await dummy.close();
});

it.runIf(hasPromtool())("passes Prometheus's own check, and contains nothing that a user has typed", async () => {
  const text = (await readMetrics()).join("\n");
  expect(await findMetricsFaults(text)).toBe("");
  expect(text).not.toMatch(/shipper|prometheus|admin|0190c0de/);
});
