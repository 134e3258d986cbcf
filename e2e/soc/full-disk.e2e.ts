import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { count } from "../counts.ts";
import { isRunning } from "../processes.ts";
import { startService } from "../services.ts";
import { mountSmallDisk } from "../small-disk.ts";
import { createSocClient, requestToken, type SocClient } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";
import { listStored, startSenders } from "./log-senders.ts";
import {
  createMemory,
  createTally,
  findLost,
  formatTally,
  keepWriting,
  openSharedCase,
  type Tally,
} from "./writers.ts";

const run = promisify(execFile);
const clock = createClock();
const COMMAND = new URL("../../apps/soc/bundle/main-command.js", import.meta.url).pathname;
const FULL_MS = count({ ci: 10_000, full: 60_000 });
const BACK_MS = 90_000;
const SERVER_USER = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/** Changes and logs at once. Every answer is a success or 503 with words. */
async function startLoad(url: string, client: SocClient) {
  const [memory, tally, over] = [createMemory(), createTally(), new AbortController()];
  onTestFinished(() => over.abort());
  const refusals = new Set<string>();
  const listening: SocClient = {
    ...client,
    post: async (path, body) => {
      const answer = await client.post(path, body);
      if (answer.status >= 400) refusals.add(`${answer.status} ${answer.body.detail}`);
      return answer;
    },
  };
  const sharedCase = await openSharedCase(client, memory);
  const writing = keepWriting({ client: listening, memory, tally, name: "load", sharedCase, until: over.signal });
  const token = await requestToken(createSocClient(url));
  const senders = startSenders(() => ({ url, token }));
  onTestFinished(() => senders.abort());
  return {
    tally,
    refusals: () => [...refusals],
    async stop() {
      over.abort();
      await writing;
      const { sent } = await senders.stop();
      return { memory, sent, receiver: { url, token } };
    },
  };
}

const findFailures = ({ statuses }: Tally) =>
  [...statuses.keys()].map(String).filter((status) => Number(status) >= 500);

async function readDoctor(env: Record<string, string>): Promise<string> {
  const answered = await run(process.execPath, [COMMAND, "doctor"], { env: { ...process.env, ...env } }).catch(
    (failed: unknown) => failed,
  );
  return typeof answered === "object" && answered !== null && "stdout" in answered ? String(answered.stdout) : "";
}

/** The platform itself opens a case when logs cannot be stored for a while. */
const OWN_CASE = "/cases has Logs cannot be stored, which no writer sent";

async function expectWhole(client: SocClient, load: Awaited<ReturnType<typeof startLoad>>) {
  const { memory, sent, receiver } = await load.stop();
  expect((await findLost(client, memory)).filter((each) => each !== OWN_CASE)).toEqual([]);
  await expect
    .poll(async () => (await listStored(receiver)).toSorted(), { timeout: BACK_MS, interval: 1000 })
    .toEqual(sent.toSorted());
  expect((await client.get("/ledger/status")).body.alarm).toBeNull();
  process.stdout.write(`full disk: ${formatTally(load.tally)}, ${sent.length} logs; ${load.refusals().join("; ")}\n`);
}

it("keeps acknowledged data while the disk of PostgreSQL is full, reports it, and recovers automatically", async () => {
  const disk = await mountSmallDisk(400);
  const port = await freePort();
  const versions = readdirSync("/usr/lib/postgresql").toSorted((a, b) => Number(b) - Number(a));
  const bin = `/usr/lib/postgresql/${versions[0]}/bin`;
  const data = `${disk.folder}/data`;
  const asServer = (command: string, ...args: string[]) => disk.run("setpriv", [...SERVER_USER, command, ...args]);
  asServer(`${bin}/initdb`, "-D", data, "-U", "owner", "-A", "trust", "-N", "-E", "UTF8", "--locale=C");
  const start = (): Promise<StartedProcess> => {
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${disk.folder}`];
    const postgres = [`${bin}/postgres`, "-D", data, ...settings.flatMap((each) => ["-c", each])];
    const [command, ...inside] = disk.inside;
    return startProcess({
      command,
      args: [...inside, "setpriv", ...SERVER_USER, ...postgres],
      readyWhen: /database system is ready to accept connections/,
    });
  };
  let server = await start();
  onTestFinished(async () => {
    await server.stop("SIGINT");
  });
  const databaseUrl = `postgres://owner@127.0.0.1:${port}/postgres`;
  const env = {
    SOC_MODE: "real",
    SOC_DATABASE_URL: databaseUrl,
    SOC_LIMIT_ADDRESS_PER_MINUTE: "10000000",
    SOC_LIMIT_GENERAL_PER_MINUTE: "10000000",
    SOC_LIMIT_INTAKE_PER_MINUTE: "10000000",
  };
  const service = await startService("soc", env);
  onTestFinished(async () => {
    await service.stop();
  });
  const client = createSocClient(service.url, await requestToken(createSocClient(service.url)));
  const load = await startLoad(service.url, client);
  await clock.sleep(3000);

  await disk.fill();
  const fullUntilMs = clock.monotonicMs() + FULL_MS;
  const said: string[] = [];
  while (clock.monotonicMs() < fullUntilMs) {
    await disk.fill();
    const health = await client.get("/system/health").catch(() => undefined);
    said.push(...(health?.body.disks?.full ?? []));
    await clock.sleep(500);
  }
  expect(await isRunning(service.pid)).toBe(true);
  const doctor = await readDoctor({ ...env, SOC_DATA_DIR: service.dataFolder });

  await disk.makeRoom();
  // PostgreSQL exits when its WAL cannot grow; its service manager starts it again.
  if (!(await isRunning(server.pid))) server = await start();
  else expect([...new Set(said)]).toContain("database");
  expect(doctor).toMatch(/database.*(the disk of the database is full|does not answer)/);
  await expect
    .poll(async () => (await client.get("/system/health")).body.status, { timeout: BACK_MS, interval: 1000 })
    .toBe("ok");
  expect(findFailures(load.tally).filter((status) => status !== "503")).toEqual([]);
  await clock.sleep(3000);
  await expectWhole(client, load);
});

it("keeps acknowledged data while the data folder is full, reports it, and recovers automatically", async () => {
  const database = await startDatabaseForTest();
  const disk = await mountSmallDisk(500);
  const data = join(disk.folder, "data");
  const env = {
    SOC_MODE: "real",
    SOC_DATABASE_URL: database.url,
    SOC_DATA_DIR: data,
    SOC_LIMIT_ADDRESS_PER_MINUTE: "10000000",
    SOC_LIMIT_GENERAL_PER_MINUTE: "10000000",
    SOC_LIMIT_INTAKE_PER_MINUTE: "10000000",
  };
  const service = await startService("soc", env, disk.inside);
  onTestFinished(async () => {
    await service.stop();
  });
  const client = createSocClient(service.url, await requestToken(createSocClient(service.url)));
  const load = await startLoad(service.url, client);
  await clock.sleep(3000);

  const fullUntilMs = clock.monotonicMs() + FULL_MS;
  const said: string[] = [];
  while (clock.monotonicMs() < fullUntilMs) {
    await disk.fill();
    const health = await client.get("/system/health").catch(() => undefined);
    said.push(...(health?.body.disks?.full ?? []));
    await clock.sleep(500);
  }
  expect([...new Set(said)]).toContain("data");
  await disk.makeRoom();
  await expect
    .poll(async () => (await client.get("/system/health")).body.status, { timeout: BACK_MS, interval: 1000 })
    .toBe("ok");
  await clock.sleep(3000);
  await expectWhole(client, load);
  // Data that it merged meanwhile may be damaged.
  expect(service.output()).toContain("its disk was full: it must read its logs again");
});
