import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { freePort, type StartedProcess, sendSignal, startProcess } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { count, isFull } from "../counts.ts";
import { ADMIN_PASSWORD, startService } from "../services.ts";
import { type Answer, createSocClient, requestToken, type SocClient, verifyLedger } from "./client.ts";
import { keepNamed, parseAnswers, readSteps, runSteps } from "./walk.ts";

const SOC_DEV = new URL("../../tools/dist/soc-dev.js", import.meta.url).pathname;
const WALK = "docs/operations/analyst-walk.md";
const MANY = "10000000";
const CONCURRENCY = 8;
/** A build reads only some of the records that others name. */
const STRIDE = count({ ci: 4, full: 1 });
/** The lists of the showcase. The logs of all days: a search covers the last 24 hours unless it says otherwise. */
const LISTS = [
  "/alerts",
  "/approvals",
  "/approvals?status=approved",
  "/cases",
  "/detections/exceptions",
  "/detections/rules",
  "/detections/suppressions",
  "/edr/actions",
  "/edr/endpoints",
  "/iocs",
  "/notifications/channels",
  "/notifications/deliveries",
  "/reports",
  "/siem/hunts",
  "/siem/logs?from=2026-01-01T00:00:00Z",
  "/siem/sources",
  "/sites",
  "/soar/automations",
  "/soar/executions",
  "/soar/playbooks",
];
const BEGINNINGS = new Map([
  ["markdown", "# "],
  ["html", "<!doctype html>"],
  ["pdf", "%PDF-"],
  ["json", "{"],
]);
const clock = createClock();

/** Some requests at a time; the answers are in the order of the paths. */
async function eachOf<Result>(paths: readonly string[], ask: (path: string) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = paths.entries();
  const work = async () => {
    for (const [at, path] of waiting) results[at] = await ask(path);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results;
}

/** On a busy machine some requests are refused with 503: they are repeated. */
async function read({ get }: SocClient, path: string): Promise<Answer> {
  const deadline = clock.deadline(30_000);
  for (;;) {
    const answer = await get(path);
    if (answer.status !== 503 || deadline.aborted) return answer;
    await clock.sleep(500);
  }
}

// Each test continues with the state that the previous one left.
describe("npm run soc:dev", () => {
  let folder: string;
  let dev: StartedProcess;
  let client: SocClient;
  let url: string;
  let token: string;

  async function start(): Promise<void> {
    const port = await freePort();
    dev = await startProcess({
      command: process.execPath,
      args: [SOC_DEV],
      env: {
        SOC_DATA_DIR: folder,
        SOC_PORT: String(port),
        SOC_ADMIN_PASSWORD: ADMIN_PASSWORD,
        SOC_LIMIT_ADDRESS_PER_MINUTE: MANY,
        SOC_LIMIT_GENERAL_PER_MINUTE: MANY,
      },
      readyWhen: /Manara SOC is ready at /,
      withinMs: 60_000,
    });
    url = `http://localhost:${port}`;
    token = await requestToken(createSocClient(url));
    client = createSocClient(url, token);
  }

  async function findMissing(paths: readonly string[]): Promise<string[]> {
    const named = [...new Set(paths)].filter((_, at) => at % STRIDE === 0);
    const statuses = await eachOf(named, async (path) => (await read(client, path)).status);
    return named.filter((_, at) => statuses[at] !== 200);
  }

  async function listAll(paths: readonly string[]) {
    return (await eachOf(paths, (path) => client.list(path))).flat();
  }

  async function findCase(wanted: string): Promise<string> {
    const found = (await client.list("/cases")).find(({ title }) => title === wanted);
    return found.id;
  }

  async function postgresPid(): Promise<number> {
    return Number((await readFile(join(folder, "postgres/data/postmaster.pid"), "utf8")).split("\n")[0]);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "soc-dev-"));
  });
  afterAll(async () => {
    await dev.stop();
    for (const each of [await realpath(join(folder, "postgres")), folder]) await rm(each, { recursive: true });
  });

  it("starts a complete SOC in real mode within 60 s, with demo data in its database", async () => {
    const before = clock.monotonicMs();
    await start();
    console.log(`soc:dev: ready and signed in after ${Math.round(clock.monotonicMs() - before)} ms`);
    expect(clock.monotonicMs() - before).toBeLessThan(60_000);
    const { body: truth } = await client.get("/system/mode");
    expect(truth).toMatchObject({ mode: "real", is_database_available: true, read_data_source: "database" });
  });

  it("is ready with all its parts", async () => {
    await expect.poll(async () => (await fetch(`${url}/ready`)).status, { timeout: 60_000 }).toBe(200);
    expect((await client.get("/system/health")).body).toMatchObject({
      database: { state: "up" },
      log_engine: { state: "up" },
      worker: { state: "up" },
    });
  });

  it("has as many records in each list as the showcase of dummy mode", async () => {
    const dummy = await startService("soc");
    onTestFinished(async () => {
      await dummy.stop();
    });
    const showcase = createSocClient(dummy.url, await requestToken(createSocClient(dummy.url)));
    const countAll = async (each: SocClient) => {
      const counts: Record<string, unknown> = {};
      for (const path of LISTS) counts[path] = (await read(each, path)).body.total;
      return counts;
    };
    const shown = await countAll(showcase);
    expect(shown).toMatchObject({ "/alerts": 46, "/cases": 4, "/sites": 3, "/reports": 6, "/approvals": 2 });
    expect(await countAll(client)).toEqual(shown);
  });

  it("has every log, rule and case that an alert names", async () => {
    const alerts = await client.list("/alerts");
    const paths = alerts.flatMap(({ log_ids, rule_id, case_id }) => [
      ...log_ids.map((id: string) => `/siem/logs/${id}`),
      ...(rule_id === null ? [] : [`/detections/rules/${rule_id}`]),
      ...(case_id === null ? [] : [`/cases/${case_id}`]),
    ]);
    expect(await findMissing(paths)).toEqual([]);
    expect(new Set(paths).size).toBeGreaterThan(100);
    expect(alerts.filter(({ rule_id }) => rule_id !== null)).toHaveLength(10);
  });

  it("has the records that approvals, executions, matches and indicators name", async () => {
    const [approvals, approved] = [
      await client.list("/approvals"),
      (await client.get("/approvals?status=approved")).body,
    ];
    const executions = await client.list("/soar/executions");
    const rules = await client.list("/detections/rules");
    const matches = await listAll(rules.map(({ id }) => `/detections/rules/${id}/matches`));
    const iocs = await client.list("/iocs");
    const hits = await listAll(iocs.map(({ id }) => `/iocs/${id}/hits`));
    expect(matches.length).toBeGreaterThan(10);
    expect(hits.length).toBe(iocs.reduce((sum, { hits: count }) => sum + count, 0));
    const paths = [
      ...[...approvals, ...approved.items, ...executions].flatMap(({ case_id, playbook_id }) => [
        `/cases/${case_id}`,
        ...(playbook_id === null ? [] : [`/soar/playbooks/${playbook_id}`]),
      ]),
      ...executions.map(({ alert_id }) => `/alerts/${alert_id}`),
      ...[...matches, ...hits].map(({ log_id }) => `/siem/logs/${log_id}`),
    ].filter((path) => !path.endsWith("/null"));
    expect(await findMissing(paths)).toEqual([]);
  });

  it("offers every report of the demo as a file of its format", async () => {
    const reports = await client.list("/reports");
    expect(new Set(reports.map(({ format }) => format))).toEqual(new Set(BEGINNINGS.keys()));
    for (const { id, format } of reports) {
      const headers = { authorization: `Bearer ${token}` };
      const file = await fetch(`${url}/api/v1/reports/${id}/download`, { headers });
      expect(file.status).toBe(200);
      const content = await file.text();
      expect(content.slice(0, BEGINNINGS.get(format)?.length)).toBe(BEGINNINGS.get(format));
    }
  });

  it("serves a complete case with its linked alerts", async () => {
    const id = await findCase("Lateral movement from FIN-LT-014 to FILE-SRV-02");
    const { body } = await client.get(`/cases/${id}`);
    expect(body.totals).toEqual({ timeline: 8, observables: 5, evidence: 2, comments: 3, tasks: 4 });
    expect(body.evidence[1]).toMatchObject({
      name: "Memory image of FIN-LT-014",
      custody_entries: [
        { action: "acquired", actor: "amina.farouk" },
        { action: "copied to the evidence store", actor: "daniel.okafor" },
        { action: "received for analysis", actor: "amina.farouk" },
      ],
    });
    expect((await client.get(`/alerts?case_id=${id}`)).body.total).toBeGreaterThan(2);
    expect((await client.get(`/audit?subject_id=${id}`)).body.total).toBe(8);
  });

  it("has a ledger that verifies after its first checkpoint", async () => {
    const id = await findCase("Lateral movement from FIN-LT-014 to FILE-SRV-02");
    await expect
      .poll(() => verifyLedger(client, id), { timeout: 90_000, interval: 2000 })
      .toMatch(/^GENUINE: case .* has 4 entries, .* covers \d+\. /);
  });

  it("answers the analyst's walkthrough as documented", async () => {
    const steps = await readSteps(WALK);
    const [definitions, ...shown] = steps;
    expect(definitions?.answer).toBeUndefined();
    expect(shown.length).toBeGreaterThan(10);
    // No command without a stated answer: it could not fail.
    expect(shown.filter(({ answer, lines }) => !answer && lines.length === 0)).toEqual([]);
    const printed = await runSteps(steps, { SOC_URL: url, SOC_ADMIN_PASSWORD: ADMIN_PASSWORD });
    for (const [index, { commands, answer, lines }] of steps.entries()) {
      const output = printed[index] ?? "";
      const last = parseAnswers(output).at(-1);
      if (answer) {
        expect({ commands, status: last?.status }).toEqual({ commands, status: answer.status });
        expect(keepNamed(last?.body, answer.part)).toEqual(answer.part);
      }
      for (const line of lines) expect(output).toContain(line);
    }
  });

  it("has raised no alert about the logs and sources of its past", async () => {
    expect((await client.get("/system/health")).body.stream_lag_s).toBeLessThan(60);
    expect((await client.get("/alerts")).body.total).toBe(46);
  });

  it("ends within 10 s of SIGTERM, together with its PostgreSQL", async () => {
    const { status } = await client.post("/alerts", { title: "Made before the night", source: "e2e" });
    expect(status).toBe(201);
    const pid = await postgresPid();
    const before = clock.monotonicMs();
    expect(await dev.stop("SIGTERM")).toBe(0);
    expect(clock.monotonicMs() - before).toBeLessThan(10_000);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("keeps user data and does not store the demo data twice", async () => {
    await start();
    expect(dev.output()).not.toContain("storing demo data");
    const { body } = await client.get("/alerts");
    expect(body.total).toBe(47);
    expect(body.items[0]).toMatchObject({ title: "Made before the night" });
  });

  it.runIf(isFull)("starts again after all its processes were killed", async () => {
    const children = (await readFile(`/proc/${dev.pid}/task/${dev.pid}/children`, "utf8"))
      .trim()
      .split(" ")
      .map(Number);
    expect(children).toContain(await postgresPid());
    expect(children).toHaveLength(2);
    for (const pid of [dev.pid, ...children]) sendSignal(pid, "SIGKILL");
    await start();
    expect((await client.get("/alerts")).body.total).toBe(47);
  });

  it("ends with a clear message when its PostgreSQL dies", async () => {
    sendSignal(await postgresPid(), "SIGQUIT");
    await expect
      .poll(() => dev.output(), { timeout: 10_000 })
      .toContain("PostgreSQL has ended. The last lines of its log:\n");
    // It exits on its own; a signal during the exit would replace its exit code.
    await expect.poll(() => existsSync(`/proc/${dev.pid}`), { timeout: 10_000 }).toBe(false);
    expect(await dev.stop()).toBe(1);
  });
});
