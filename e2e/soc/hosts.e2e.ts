import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { expect, it, onTestFinished } from "vitest";
import { isFull } from "../counts.ts";
import { createSocClient, requestToken } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";
import { copyKeys, type HostOptions, signInAt, startHost, startPair } from "./hosts.ts";
import { sendBatch } from "./log-senders.ts";

const run = promisify(execFile);
const clock = createClock();
const COMMAND = new URL("../../apps/soc/bundle/main-command.js", import.meta.url).pathname;
const PRELOADED = new URL("./shifted-clock.mjs", import.meta.url).pathname;
const MAX_CONNECTIONS = 15;
const FAILOVER_MS = 30_000;

const readStatus = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;

/** The exit code of a process that refuses to start, and what it says. */
async function startRefused(options: HostOptions) {
  const refusal = await startHost(options).then(
    () => "it started",
    (error: unknown) => String(error),
  );
  return { exitCode: Number(/exit code (\d+)/.exec(refusal)?.[1]), output: refusal };
}

it("serves only the routes of each role, with two intakes on one host", async () => {
  const { url: databaseUrl, ask } = await startDatabaseForTest();
  const api = await startHost({ role: "api", databaseUrl });
  const { dataFolder } = api;
  const client = await signInAt(api);
  const intakes = [
    await startHost({ role: "intake", databaseUrl, dataFolder }),
    await startHost({ role: "intake", databaseUrl, dataFolder }),
  ];
  const worker = await startHost({ role: "worker", databaseUrl, dataFolder });
  const relay = await startHost({ role: "relay", databaseUrl, dataFolder });

  const token = (await client.signIn("admin", "correct horse battery")).body.access_token;
  for (const [index, { url }] of intakes.entries()) {
    await sendBatch(() => ({ url, token }), `batch-${index}`, [{ source: "roles", message: `by intake ${index}` }]);
  }
  await expect
    .poll(async () => (await client.get("/siem/logs?source=roles")).body.items?.length, { timeout: 20_000 })
    .toBe(2);

  const paths = ["/health", "/api/v1/cases", "/api/v1/siem/ingest", "/", "/api/v1/openapi.json"];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask1 = (url: string, path: string) =>
    readStatus(`${url}${path}`, path.endsWith("ingest") ? { method: "POST", headers, body: "[]" } : { headers });
  const table: Record<string, number[]> = {};
  for (const [name, { url }] of Object.entries({ api, intake: intakes[0] ?? api, worker, relay })) {
    table[name] = await Promise.all(paths.map((path) => ask1(url, path)));
  }
  expect(table).toEqual({
    api: [200, 200, 404, 200, 200],
    // Shippers of Elasticsearch ask `/` whom they speak with.
    intake: [200, 404, 202, 200, 404],
    worker: [200, 404, 404, 404, 404],
    relay: [200, 404, 404, 404, 404],
  });
  for (const { url } of [api, ...intakes, worker, relay]) {
    await expect.poll(() => readStatus(`${url}/ready`), { timeout: 20_000 }).toBe(200);
  }

  // Each writer has its own name, although they share a host.
  expect(Number((await ask("SELECT count(DISTINCT writer) FROM log_writers"))[0])).toBe(3);
  await Promise.all(Array.from({ length: 100 }, () => client.get("/alerts")));
  const perProcess = await ask(`SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'manara-soc%'`);
  expect(Number(perProcess[0])).toBeLessThanOrEqual(5 * MAX_CONNECTIONS);
});

it("refuses a wrong role and names the argument", async () => {
  const refused = run(process.execPath, [COMMAND, "start", "--role", "web"]);
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: "--role: must be one of api, intake, worker, relay, all\n",
  });
});

it.runIf(isFull)("refuses a host with other keys and accepts one with the same keys", async () => {
  const { url: databaseUrl } = await startDatabaseForTest();
  const first = await startHost({ role: "api", databaseUrl });
  await signInAt(first);
  const refused = await startRefused({ role: "api", databaseUrl });
  expect(refused.exitCode).toBe(1);
  expect(refused.output).toMatch(/SOC_LEDGER_KEY_FILE: does not match the key of this database/);

  const keys = await copyKeys(first.dataFolder);
  const { SOC_CHANNELS_KEY_FILE: _, ...onlyLedger } = keys;
  const half = await startRefused({ role: "intake", databaseUrl, env: onlyLedger });
  expect([half.exitCode, half.output]).toEqual([
    1,
    expect.stringMatching(/SOC_CHANNELS_KEY_FILE: does not match the key of this database/),
  ]);
  const second = await startHost({ role: "api", databaseUrl, env: keys });
  expect((await (await signInAt(second)).get("/ledger/status")).body.alarm).toBeNull();
});

it("logs in as soc_app after the owner has migrated and refuses any other role", async () => {
  const { url, ask } = await startDatabaseForTest();
  const { stdout } = await run(process.execPath, [COMMAND, "migrate"], {
    env: { ...process.env, SOC_DATABASE_OWNER_URL: url },
  });
  expect(stdout).toBe("The database is up to date\n");
  await ask("ALTER ROLE soc_app LOGIN PASSWORD 'app'");
  const login = new URL(url);
  Object.assign(login, { username: "soc_app", password: "app" });
  const host = await startHost({ role: "all", databaseUrl: login.href });
  const client = await signInAt(host);
  // Requests of a user of one site run as soc_site.
  expect((await client.post("/sites", { name: "Cairo", profile: { asset_classes: [] } })).status).toBe(201);
  const user = { username: "mona", password: "staple battery horse", role: "tier1", sites: ["Cairo"] };
  expect((await client.post("/users", user)).status).toBe(201);
  const mona = createSocClient(host.url, await requestToken(createSocClient(host.url), "mona", user.password));
  expect((await client.post("/alerts", { title: "of no site", source: "ids" })).status).toBe(201);
  expect(await mona.get("/alerts")).toMatchObject({ status: 200, body: { total: 0 } });

  // A pooler that ignores the options leaves the session with the rights of the owner; so does an address with its own.
  const refused = await startRefused({ role: "api", databaseUrl: `${url}?options=-c%20jit%3Doff` });
  expect(refused.exitCode).toBe(1);
  expect(refused.output).toMatch(/SOC_DATABASE_URL: sessions have the role 'owner' and must have soc_app/);
});

it("follows the writable server of several and loses nothing that it acknowledged", async () => {
  const pair = await startPair();
  const { dataFolder, ...host } = await startHost({ role: "all", databaseUrl: pair.url });
  const client = await signInAt(host);
  const kept: string[] = [];
  const over = new AbortController();
  const statuses = new Set<number>();
  const writing = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const answer = await client
        .post("/alerts", { title: `alert ${turn}`, source: "failover" })
        .catch(() => undefined);
      if (answer) statuses.add(answer.status);
      if (answer?.status === 201) kept.push(answer.body.id);
      await clock.sleep(20);
    }
  })();
  await expect.poll(() => kept.length, { timeout: FAILOVER_MS }).toBeGreaterThan(20);
  await pair.killPrimary();
  const before = kept.length;
  await pair.promote();
  const promotedMs = clock.monotonicMs();
  await expect.poll(() => kept.length, { timeout: FAILOVER_MS }).toBeGreaterThan(before + 20);
  const tookMs = clock.monotonicMs() - promotedMs;
  over.abort();
  await writing;
  const stored = new Set(await pair.ask("SELECT id FROM alerts WHERE source = 'failover'"));
  expect(kept.filter((id) => !stored.has(id))).toEqual([]);
  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  process.stdout.write(`failover: ${kept.length} acknowledged, 0 lost, ${Math.round(tookMs)} ms to 20 more\n`);
  // The worker comes back on the new primary as well.
  await expect
    .poll(async () => (await client.get("/system/health")).body.worker?.state, { timeout: 60_000 })
    .toBe("up");
});

it.runIf(isFull)("refuses to write while its clock is wrong, reports it, and recovers automatically", async () => {
  const { url: databaseUrl } = await startDatabaseForTest();
  const folder = await mkdtemp(join(tmpdir(), "soc-clock-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const shift = join(folder, "shift");
  await writeFile(shift, "0");
  const env = { NODE_OPTIONS: `--import ${PRELOADED}`, SHIFTED_CLOCK_FILE: shift };
  const host = await startHost({ role: "all", databaseUrl, env });
  const client = await signInAt(host);
  const write = () => client.post("/alerts", { title: "clock", source: "clock" });
  const token = (await client.signIn("admin", "correct horse battery")).body.access_token;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ingest = () =>
    fetch(`${host.url}/api/v1/siem/ingest`, { method: "POST", headers, body: '[{"source":"clock","message":"x"}]' });
  expect((await write()).status).toBe(201);

  for (const shiftMs of [5 * 60_000, -2000]) {
    await writeFile(shift, String(shiftMs));
    await expect.poll(async () => (await write()).status, { timeout: 5000 }).toBe(503);
    const refused = await write();
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.body.detail).toMatch(/^the clock of this host differs from the database clock by -?\d+ ms$/);
    expect((await ingest()).status).toBe(503);
    expect((await client.get("/alerts")).status).toBe(200);
    const { status, clock: measured } = (await client.get("/system/health")).body;
    expect(status).toBe("degraded");
    expect(Math.abs(measured.offset_ms - shiftMs)).toBeLessThan(400);
    await expect.poll(() => readStatus(`${host.url}/ready`), { timeout: 5000 }).toBe(503);
    expect(host.output()).toContain("clock differs from the database clock; refusing writes");

    await writeFile(shift, "300");
    await expect.poll(async () => (await write()).status, { timeout: 5000 }).toBe(200);
    await expect.poll(async () => (await ingest()).status, { timeout: 5000 }).toBe(202);
  }
  // No log has a time of the wrong clock.
  const { items } = (await client.get("/siem/logs?source=clock")).body;
  for (const { ingested_at } of items) expect(Math.abs(Date.parse(ingested_at) - Date.now())).toBeLessThan(60_000);
  expect(await readFile(shift, "utf8")).toBe("300");
});
