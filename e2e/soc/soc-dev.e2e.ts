import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_PASSWORD } from "../services.ts";
import { createSocClient, requestToken, type SocClient, verifyLedger } from "./client.ts";

const SOC_DEV = new URL("../../tools/dist/soc-dev.js", import.meta.url).pathname;
const clock = createClock();

// Each test continues with the state that the previous one left.
describe("npm run soc:dev", () => {
  let folder: string;
  let dev: StartedProcess;
  let client: SocClient;

  async function start(): Promise<void> {
    const port = await freePort();
    dev = await startProcess({
      command: process.execPath,
      args: [SOC_DEV],
      env: { SOC_DATA_DIR: folder, SOC_PORT: String(port), SOC_ADMIN_PASSWORD: ADMIN_PASSWORD },
      readyWhen: /Manara SOC is ready at /,
      withinMs: 60_000,
    });
    const url = `http://localhost:${port}`;
    client = createSocClient(url, await requestToken(createSocClient(url)));
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
    const totals = await Promise.all(
      ["/alerts", "/cases", "/sites"].map(async (path) => (await client.get(path)).body),
    );
    expect(totals.map(({ total }) => total)).toEqual([46, 4, 3]);
  });

  it("serves a complete case with its linked alerts", async () => {
    const id = await findCase("From a finance laptop to the file server");
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
    const id = await findCase("From a finance laptop to the file server");
    await expect
      .poll(() => verifyLedger(client, id), { timeout: 90_000, interval: 2000 })
      .toMatch(/^GENUINE: case .* has 4 entries, .* covers 4\. /);
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

  it("starts again after all its processes were killed", async () => {
    const children = (await readFile(`/proc/${dev.pid}/task/${dev.pid}/children`, "utf8"))
      .trim()
      .split(" ")
      .map(Number);
    expect(children).toContain(await postgresPid());
    expect(children).toHaveLength(2);
    for (const pid of [dev.pid, ...children]) process.kill(pid, "SIGKILL");
    await start();
    expect((await client.get("/alerts")).body.total).toBe(47);
  });

  it("ends with a clear message when its PostgreSQL dies", async () => {
    process.kill(await postgresPid(), "SIGQUIT");
    await expect
      .poll(() => dev.output(), { timeout: 10_000 })
      .toContain("PostgreSQL has ended. The last lines of its log:\n");
    // It exits by itself: a signal during the exit would replace its code.
    await expect.poll(() => existsSync(`/proc/${dev.pid}`), { timeout: 10_000 }).toBe(false);
    expect(await dev.stop()).toBe(1);
  });
});
