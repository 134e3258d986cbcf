import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { startProcess } from "@kit/testing/process";
import { BUCKET_SECRET, type BucketServer, startBucketServer } from "@soc/service/testing/servers/bucket-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CommandEnd, runCommand } from "../command.ts";
import { addEvidence, openCase, type StartedSoc, startSoc, verifyLedger } from "./client.ts";
import { startDatabase, type TestDatabase } from "./database.ts";

const clock = createClock();
const COMMAND = new URL("../../apps/soc/bundle/main-command.js", import.meta.url).pathname;
const WAIT_MS = 30_000;

let folder: string;
let bucket: BucketServer;
let database: TestDatabase;
let empty: TestDatabase;
let soc: StartedSoc;
let caseId: string;
const started: StartedSoc[] = [];
const ends: CommandEnd[] = [];

const place = (name: string) => join(folder, name);
const at = (url: string, data: string): Record<string, string> => ({
  SOC_MODE: "real",
  SOC_DATABASE_URL: url,
  SOC_DATA_DIR: data,
  SOC_BACKUP_KEY_FILE: bucket.keyFile,
});

async function manara(words: string, env: Record<string, string>): Promise<CommandEnd> {
  const end = await runCommand("soc", words.split(" "), env);
  ends.push(end);
  return end;
}

async function start(url: string, data: string): Promise<StartedSoc> {
  const running = await startSoc(url, { SOC_DATA_DIR: data });
  started.push(running);
  while ((await fetch(`${running.service.url}/ready`)).status !== 200) await clock.sleep(200);
  return running;
}

async function send(name: string, events: number): Promise<void> {
  const batch = Array.from({ length: events }, (_, n) => ({
    source: "counted",
    user: `${name}-${n}`,
    message: "seen",
  }));
  expect((await soc.client.post("/siem/ingest", batch)).status).toBe(202);
}

const backUp = (name: string, ...more: string[]) =>
  manara(
    [`backup --to ${bucket.url}/${name} --through ${place("through")} --keys ${place("keys")} --json`, ...more].join(
      " ",
    ),
    at(database.url, place("data")),
  );
const restore = (name: string, target = at(empty.url, place("restored"))) =>
  manara(`restore --from ${bucket.url}/${name} --through ${place("through")} --keys ${place("keys")} --json`, target);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soc-bucket-backup-"));
  [database, empty, bucket] = await Promise.all([startDatabase(), startDatabase(), startBucketServer()]);
  soc = await start(database.url, place("data"));
  caseId = await openCase(soc.client);
  expect((await addEvidence(soc.client, caseId, "disk 1")).status).toBe(201);
}, 180_000);

afterAll(async () => {
  for (const { service } of started) await service.stop();
  await Promise.all([database.remove(), empty.remove(), bucket.remove()]);
  await rm(folder, { recursive: true });
}, 60_000);

it("copies everything into a bucket while the service runs, and then only new logs", async () => {
  await send("first", 500);
  const full = await backUp("full");
  expect(full.code, full.err).toBe(0);
  await send("second", 300);
  const increment = await backUp("increment", `--base ${bucket.url}/full`);
  expect(increment.code, increment.err).toBe(0);
  const manifest = JSON.parse(await readFile(bucket.find("increment/manifest.json"), "utf8"));
  expect(manifest.base.folder).toBe(`${bucket.url}/full`);
  const names = await bucket.list();
  const listData = (name: string) => names.filter((path) => path.startsWith(`${name}/logs/data/`));
  // The parts of the first logs are in the full backup alone.
  expect(listData("full").length).toBeGreaterThan(0);
  expect(
    listData("full").filter((path) => listData("increment").includes(path.replace("full/", "increment/"))),
  ).toEqual([]);
  expect(await readdir(place("through"))).toEqual([]);
});

it("refuses a place that has a backup and one with a missing key or path", async () => {
  const env = at(database.url, place("data"));
  const refuse = async (words: string, message: string, given = env) =>
    expect(await manara(words, given)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  const [to, keys] = [`backup --to ${bucket.url}/new`, `--keys ${place("keys")}`];
  await refuse(`backup --to ${bucket.url}/full --through ${place("through")} ${keys}`, "--to: ");
  await refuse(`${to} ${keys}`, "--through: is required");
  await refuse(`${to} --through ${place("keys/new")} ${keys}`, "--keys: must be separate");
  await refuse(`${to} --through ${place("data")} ${keys}`, "--through: ");
  const { SOC_BACKUP_KEY_FILE: _, ...without } = env;
  await refuse(`${to} --through ${place("through")} ${keys}`, "SOC_BACKUP_KEY_FILE: ", without);
  await refuse(`backup --to ${place("new")} --base ${bucket.url}/full ${keys}`, "--base: must also be a folder");
  await refuse(`backup --to http://user:pw@127.0.0.1:1/b --through ${place("through")} ${keys}`, "--to: ");
});

it("refuses an interrupted backup", async () => {
  const words = `backup --to ${bucket.url}/cut --through ${place("cut-through")} --keys ${place("keys")}`;
  const running = await startProcess({
    command: process.execPath,
    args: [COMMAND, ...words.split(" ")],
    env: at(database.url, place("data")),
    readyWhen: /^/,
  });
  const deadline = clock.deadline(WAIT_MS);
  const listCut = async () => (await bucket.list()).filter((name) => name.startsWith("cut/"));
  while ((await listCut()).length === 0) await clock.sleep(5, deadline);
  await running.stop("SIGKILL");
  expect(await listCut()).not.toContain("cut/manifest.json");
  expect(await restore("cut")).toMatchObject({ code: 2, err: expect.stringContaining("is not a complete backup") });
});

it("restores nothing from a bucket in which a file or the manifest was changed", async () => {
  const [dump, manifest] = [bucket.find("increment/database.dump"), bucket.find("increment/manifest.json")];
  const [dumped, signed] = [await readFile(dump), await readFile(manifest, "utf8")];
  await appendFile(dump, "x");
  expect(await restore("increment")).toMatchObject({ code: 2, err: expect.stringContaining("database.dump") });
  await writeFile(dump, dumped);
  await writeFile(manifest, signed.replace('"version": "2.0.0"', '"version": "1.9.0"'));
  expect(await restore("increment")).toMatchObject({ code: 2, err: expect.stringContaining("is not signed") });
  await writeFile(manifest, signed);
  expect(await readdir(place("restored")).catch(() => [])).toEqual([]);
  expect(await empty.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
});

it("restores from the bucket and the keys alone, with the sent counts and a ledger that verifies", async () => {
  const done = await restore("increment");
  expect(done.code, done.err).toBe(0);
  console.log(JSON.stringify({ what: "restore from a bucket", ...JSON.parse(done.out) }));
  const restored = await start(empty.url, place("restored"));
  const asked = { query: "source:counted", group_by: ["source"], metrics: ["count"] };
  expect((await restored.client.post("/siem/aggregate", asked)).body.rows).toMatchObject([{ metrics: { count: 800 } }]);
  expect(await verifyLedger(restored.client, caseId)).toMatch(/^GENUINE/i);
  for (const { out, err } of ends) expect(out + err).not.toContain(BUCKET_SECRET);
}, 120_000);
