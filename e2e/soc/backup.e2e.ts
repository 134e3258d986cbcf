import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../command.ts";
import { count, isFull } from "../counts.ts";
import { addEvidence, openCase, type StartedSoc, startSoc, verifyLedger } from "./client.ts";
import { startDatabase, type TestDatabase } from "./database.ts";
import { addTimes, compareTimes, createTimes, type PacedLoad, startPacedLoad } from "./paced-load.ts";

const clock = createClock();
const RATE = count({ ci: 200, full: 1000 });
const BASELINE_MS = count({ ci: 5000, full: 8_000 });
const COMPUTING_MS = count({ ci: 0, full: 2000 });
const ROUNDS = count({ ci: 1, full: 12 });
const PRELOADED = count({ ci: 0, full: 300_000 });
const SIGNED_MS = 75_000;
const CONTENT = Buffer.from("an image of a disk, as evidence\n".repeat(1000));
const MAX_SLOWDOWN = 1.2;

let folder: string;
let database: TestDatabase;
let empty: TestDatabase;
let soc: StartedSoc;
let dataFolder: string;
let caseId: string;
let fileId: string;
const acknowledged = new Map<string, number>();
const started: StartedSoc[] = [];

const place = (name: string) => join(folder, name);
const at = (url: string, data: string): Record<string, string> => ({
  SOC_MODE: "real",
  SOC_DATABASE_URL: url,
  SOC_DATA_DIR: data,
  PGHOST: "nowhere.invalid",
});
const manara = (words: string, env: Record<string, string>) => runCommand("soc", words.split(" "), env);
const readManifest = async (name: string) => JSON.parse(await readFile(join(place(name), "manifest.json"), "utf8"));

async function start(url: string, data: string): Promise<StartedSoc> {
  const running = await startSoc(url, { SOC_DATA_DIR: data });
  started.push(running);
  while ((await fetch(`${running.service.url}/ready`)).status !== 200) await clock.sleep(200);
  return running;
}

/** A process signs the ledger when it starts: waits until a checkpoint covers this many entries of the case. */
async function signEvidence(entries: number): Promise<void> {
  await soc.service.stop();
  soc = await start(database.url, dataFolder);
  const deadline = clock.deadline(SIGNED_MS);
  for (;;) {
    const text = await readFile(join(dataFolder, "ledger-checkpoints.ndjson"), "utf8").catch(() => "");
    const sizes = [...text.matchAll(/"tree_size":(\d+),/g)].map(([, size]) => Number(size));
    const [leaf] = await database.ask(
      `SELECT leaf_index FROM ledger_leaves WHERE case_id = '${caseId}' AND sequence = ${entries}`,
    );
    if (leaf !== undefined && Math.max(0, ...sizes) > Number(leaf)) return;
    await clock.sleep(100, deadline);
  }
}

async function startLoad(name: string): Promise<PacedLoad> {
  const token = await createToken();
  return startPacedLoad({ url: soc.service.url, token, name, rate: RATE, acknowledged });
}

/** A program of the lowest priority that only computes: what the machine itself takes from answers. */
async function compute(): Promise<void> {
  const program = spawn("nice", ["-n", "19", "sh", "-c", "while :; do :; done"], { stdio: "ignore" });
  const exited = once(program, "exit");
  await clock.sleep(COMPUTING_MS);
  program.kill("SIGKILL");
  await exited;
}

async function createToken(): Promise<string> {
  const { body } = await soc.client.signIn("admin", "correct horse battery");
  return body.access_token;
}

async function readMetrics(): Promise<string> {
  const headers = { authorization: `Bearer ${await createToken()}` };
  return (await fetch(`${soc.service.url}/metrics`, { headers })).text();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soc-backup-"));
  [database, empty] = await Promise.all([startDatabase(), startDatabase()]);
  dataFolder = place("data");
  soc = await start(database.url, dataFolder);
  caseId = await openCase(soc.client);
  const sent = await fetch(`${soc.service.url}/api/v1/cases/${caseId}/files?name=disk.img`, {
    method: "POST",
    headers: { authorization: `Bearer ${await createToken()}`, "content-type": "application/octet-stream" },
    body: CONTENT,
  });
  fileId = ((await sent.json()) as { id: string }).id;
  await signEvidence(1);
}, 180_000);

afterAll(async () => {
  for (const { service } of started) await service.stop();
  await Promise.all([database.remove(), empty.remove()]);
  await rm(folder, { recursive: true });
}, 60_000);

describe("backup while the service runs", () => {
  it("copies everything under load without slowing answers much, into two folders readable only by their owner", async () => {
    const preloading = await startLoad("preload");
    await preloading.preload(PRELOADED);
    await preloading.stop();

    const load = await startLoad("full");
    const [before, beside, during] = [createTimes(), createTimes(), createTimes()];
    let out = "";
    // Alternate, so that other load on the machine slows all three equally.
    for (let round = ROUNDS; round > 0; round -= 1) {
      load.takeTimes();
      await clock.sleep(BASELINE_MS);
      addTimes(before, load.takeTimes());
      await compute();
      addTimes(beside, load.takeTimes());
      const to = round === 1 ? place("full") : place(`full-${round}`);
      const done = await manara(`backup --to ${to} --keys ${place("keys")} --json`, at(database.url, dataFolder));
      expect(done.code, done.err).toBe(0);
      addTimes(during, load.takeTimes());
      out = done.out;
    }
    await load.stop();
    const [computing, copying] = [compareTimes(before, beside), compareTimes(before, during)];
    console.log(JSON.stringify({ what: "a program that only computes", ...computing }));
    console.log(JSON.stringify({ what: "backup", rate: RATE, ...JSON.parse(out), ...copying }));
    if (isFull) {
      expect(copying.acks.ratio).toBeLessThanOrEqual(MAX_SLOWDOWN);
      // Searches use every core: on two of them, any other program slows them.
      expect(copying.searches.ratio).toBeLessThanOrEqual(MAX_SLOWDOWN * Math.max(1, computing.searches.ratio));
    }

    for (const name of ["full", "keys"]) expect((await stat(place(name))).mode & 0o777).toBe(0o700);
    const keys = (await readdir(place("keys"))).sort();
    expect(keys).toEqual(["channels.key", "ledger-checkpoints.ndjson", "ledger.key"]);
    for (const name of keys) expect((await stat(join(place("keys"), name))).mode & 0o777).toBe(0o600);
    const manifest = await readManifest("full");
    expect(manifest).toMatchObject({ manara_soc_backup: 1, version: "2.0.0", base: null });
    // The evidence, and batches of the audit log.
    expect(manifest.ledger_entries).toBeGreaterThan(1);
    expect(manifest.database.rows).toMatchObject({ "public.cases": 1, "public.case_files": 1, "public.users": 1 });
    expect(manifest.logs.min_rows).toBe(manifest.logs.max_rows);
    expect(manifest.files).toEqual([createHash("sha256").update(CONTENT).digest("hex")]);
    const dump = createHash("sha256").update(await readFile(join(place("full"), "database.dump")));
    expect(manifest.sha256["database.dump"]).toBe(dump.digest("hex"));
    const secret = await readFile(join(dataFolder, "ledger.key"), "utf8");
    for (const name of Object.keys(manifest.sha256)) {
      expect(await readFile(join(place("full"), name), "latin1")).not.toContain(secret.trim());
    }
  });

  it("completes a full backup with only new data", async () => {
    await addEvidence(soc.client, caseId, "disk 2");
    await signEvidence(2);
    const load = await startLoad("increment");
    await clock.sleep(1000);
    const env = at(database.url, dataFolder);
    const done = await manara(
      `backup --to ${place("increment")} --keys ${place("keys")} --base ${place("full")} --json`,
      env,
    );
    await load.stop();
    expect(done.code, done.err).toBe(0);
    const [full, increment] = [await readManifest("full"), await readManifest("increment")];
    expect(increment.ledger_entries).toBeGreaterThan(full.ledger_entries);
    expect(increment).toMatchObject({ base: { folder: place("full") }, files: full.files });
    const listParts = ({ sha256 }: { sha256: Record<string, string> }) =>
      Object.keys(sha256).filter((name) => name.startsWith("files/"));
    expect(listParts(full)).toHaveLength(1);
    expect(listParts(increment)).toHaveLength(0);
    console.log(JSON.stringify({ what: "increment", ...JSON.parse(done.out) }));
    const shown = `manara_soc_last_backup_timestamp_seconds ${Date.parse(increment.instant) / 1000}\n`;
    await expect.poll(readMetrics).toContain(shown);
  });

  it("refuses folders that are not empty, not separate or not a backup, and leaves nothing after a failure", async () => {
    const env = at(database.url, dataFolder);
    const refuse = async (words: string, message: string, given = env) =>
      expect(await manara(`backup ${words}`, given)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    await refuse(`--keys ${place("keys")}`, "--to: is required");
    await refuse(`--to ${place("full")} --keys ${place("keys")}`, "--to: ");
    await refuse(`--to ${place("new")} --keys ${place("new/keys")}`, "--keys: must be separate");
    await refuse(`--to ${place("new")} --keys ${place("keys")} --base ${place("increment")}`, "--base: ");
    await refuse(`--to ${place("new")} --keys ${place("keys")}`, "SOC_LOG_STORE: ", {
      ...env,
      SOC_LOG_STORE: "http://127.0.0.1:1",
    });
    await refuse(`--to ${place("new")} --keys ${place("keys")}`, "SOC_STREAM: ", {
      ...env,
      SOC_STREAM: "nats://127.0.0.1:1",
    });
    await refuse(`--to ${place("new")} --keys ${place("keys")}`, "pg_dump: cannot be run", { ...env, PATH: "/none" });
    const secretUrl = "postgres://owner:hunter2@127.0.0.1:1/none";
    const unreachable = await manara(`backup --to ${place("new")} --keys ${place("keys")}`, at(secretUrl, dataFolder));
    expect(unreachable).toMatchObject({ code: 2, err: expect.stringContaining("SOC_DATABASE_URL: ") });
    expect(unreachable.err).not.toContain("hunter2");
    expect(await readdir(place("new"))).toEqual([]);
  });
});

it("backs up a stopped service", async () => {
  await soc.service.stop();
  const words = `backup --to ${place("stopped")} --keys ${place("keys")} --base ${place("full")} --json`;
  const done = await manara(words, at(database.url, dataFolder));
  expect(done.code, done.err).toBe(0);
  expect(JSON.parse(done.out).log_rows).toBe(acknowledged.size);
});

describe("restore on another machine", () => {
  beforeAll(() => empty.ask("CREATE DATABASE older"));

  it("checks everything before it writes anything and names every fault", async () => {
    const target = at(empty.url, place("restored"));
    const refuse = async (words: string, message: RegExp, env = target) =>
      expect(await manara(`restore ${words}`, env)).toMatchObject({ code: 2, err: expect.stringMatching(message) });
    const words = `--from ${place("increment")} --keys ${place("keys")}`;
    await refuse(words, /SOC_DATA_DIR: .* is not empty/, at(empty.url, dataFolder));
    await refuse(
      words,
      /SOC_DATABASE_OWNER_URL or SOC_DATABASE_URL: .* is not empty/,
      at(database.url, place("restored")),
    );
    await refuse(`--from ${place("keys")} --keys ${place("keys")}`, /--from: .* is not a complete backup/);

    await cp(place("increment"), place("changed"), { recursive: true });
    const changed = `--from ${place("changed")} --keys ${place("keys")}`;
    await appendFile(join(place("changed"), "database.dump"), "x");
    await refuse(changed, /--from: database\.dump .* is not the original file/);
    await rm(join(place("changed"), "database.dump"));
    await refuse(changed, /--from: database\.dump is missing/);
    const manifest = await readManifest("increment");
    manifest.database.migrations.push("9999-of-a-later-release");
    await writeFile(join(place("changed"), "manifest.json"), JSON.stringify(manifest));
    await refuse(changed, /--from: the tables are newer than this release \(9999-of-a-later-release\)/);

    await cp(place("keys"), place("other-keys"), { recursive: true });
    await writeFile(join(place("other-keys"), "channels.key"), "x".repeat(32));
    await refuse(
      `--from ${place("increment")} --keys ${place("other-keys")}`,
      /--keys: .*channels\.key is not the key/,
    );
    await rm(join(place("other-keys"), "ledger.key"));
    await refuse(`--from ${place("increment")} --keys ${place("other-keys")}`, /--keys: .*ledger\.key is missing/);
    await refuse(`${words} --base ${place("changed")}`, /--base: /);

    expect(await readdir(place("restored")).catch(() => [])).toEqual([]);
    expect(await empty.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  });

  it("restores every acknowledged log once, the files and a ledger that verifies", async () => {
    // The folders were moved to another machine.
    await cp(place("full"), place("moved"), { recursive: true });
    await rm(place("full"), { recursive: true });
    const target = at(empty.url, place("restored"));
    const words = `restore --from ${place("increment")} --keys ${place("keys")} --base ${place("moved")} --json`;
    const done = await manara(words, target);
    expect(done.code, done.err).toBe(0);
    expect(done.err).not.toContain("alarm");
    console.log(JSON.stringify({ what: "restore", ...JSON.parse(done.out) }));

    const restored = await start(empty.url, place("restored"));
    await expectLogs(restored, (await readManifest("increment")).instant);
    const token = (await restored.client.signIn("admin", "correct horse battery")).body.access_token;
    const file = await fetch(`${restored.service.url}/api/v1/cases/${caseId}/files/${fileId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(Buffer.from(await file.arrayBuffer()).equals(CONTENT)).toBe(true);
    expect(await verifyLedger(restored.client, caseId, join(place("restored"), "ledger-checkpoints.ndjson"))).toMatch(
      /^GENUINE/i,
    );
    expect((await restored.client.get("/ledger/status")).body.alarm).toBe(null);
    expect((await addEvidence(restored.client, caseId, "disk 3")).body.ledger.sequence).toBe(3);
  });

  it("raises the ledger's alarm for a backup older than the checkpoints", async () => {
    const olderUrl = empty.url.replace(/[^/]+$/, "older");
    const target = at(olderUrl, place("older"));
    const done = await manara(`restore --from ${place("moved")} --keys ${place("keys")}`, target);
    expect(done.code, done.err).toBe(0);
    expect(done.err).toContain("The ledger had more entries than this backup");
    const older = await start(olderUrl, place("older"));
    await expectLogs(older, (await readManifest("moved")).instant);
    const alarm = async () => (await older.client.get("/ledger/status")).body.alarm;
    await expect
      .poll(alarm, { timeout: SIGNED_MS, interval: 500 })
      .toMatch(/older: the ledger has \d+ entries, but had \d+ at .*: it was set back$/);
  });
});

/** Each log that was acknowledged before the instant is there; none is there twice. */
async function expectLogs({ client, service }: StartedSoc, instant: string): Promise<void> {
  const token = (await client.signIn("admin", "correct horse battery")).body.access_token;
  const answer = await fetch(`${service.url}/api/v1/siem/logs/export?query=source:load&format=ndjson&limit=1000000`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  const stored = (await answer.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).user as string);
  const found = new Set(stored);
  expect(stored).toHaveLength(found.size);
  const due = [...acknowledged].filter(([, atMs]) => atMs < Date.parse(instant)).map(([user]) => user);
  expect(due.length).toBeGreaterThan(RATE);
  expect(due.filter((user) => !found.has(user))).toEqual([]);
  console.log(JSON.stringify({ what: "logs", acknowledged_before: due.length, lost: 0, stored: stored.length }));
}
