import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { type StartedPostgres, startPostgres } from "@kit/testing/postgres";
import { freePort } from "@kit/testing/process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../command.ts";
import { addEvidence, openCase, type StartedSoc, startSoc, verifyLedger } from "./client.ts";
import { sendBatch } from "./log-senders.ts";

const run = promisify(execFile);
const clock = createClock();
const ARCHIVED_MS = 30_000;
const SIGNED_MS = 75_000;
const BETWEEN_MS = 1500;
// PostgreSQL refuses to run as root, and owns its folders.
const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
let lost: StartedPostgres;
let recovered: StartedPostgres | undefined;
let soc: StartedSoc;
const started: StartedSoc[] = [];

const place = (name: string) => join(folder, name);
const at = (url: string, data: string): Record<string, string> => ({
  SOC_MODE: "real",
  SOC_DATABASE_URL: url,
  SOC_DATA_DIR: data,
});
const manara = (words: string, env: Record<string, string>) => runCommand("soc", words.split(" "), env);

async function start(url: string, data: string): Promise<StartedSoc> {
  const running = await startSoc(url, { SOC_DATA_DIR: data });
  started.push(running);
  while ((await fetch(`${running.service.url}/ready`)).status !== 200) await clock.sleep(200);
  return running;
}

async function makeFolder(name: string): Promise<string> {
  await mkdir(place(name), { mode: 0o700 });
  if (owner.uid !== undefined) await chown(place(name), owner.uid, owner.gid);
  return place(name);
}

async function askLost(statement: string): Promise<string> {
  const args = ["--no-psqlrc", "--tuples-only", "--no-align", `--command=${statement}`, `${lost.url}/postgres`];
  return (await run("psql", args)).stdout.trim();
}

async function send(name: string, events: number): Promise<void> {
  const { body } = await soc.client.signIn("admin", "correct horse battery");
  const batch = Array.from({ length: events }, (_, n) => ({ source: name, user: `${name}-${n}`, message: "seen" }));
  await sendBatch(() => ({ url: soc.service.url, token: body.access_token }), name, batch);
}

/** A process signs the ledger when it starts. A checkpoint that is newer than the instant would be an alarm, as it must. */
async function signEvidence(): Promise<void> {
  await soc.service.stop();
  soc = await start(`${lost.url}/postgres`, place("data"));
  const deadline = clock.deadline(SIGNED_MS);
  while ((await askLost("SELECT count(*) FROM ledger_leaves")) !== "1") await clock.sleep(100, deadline);
}

async function count({ client }: StartedSoc, source: string): Promise<number> {
  const asked = { query: `source:${source}`, group_by: ["source"], metrics: ["count"] };
  const { status, body } = await client.post("/siem/aggregate", asked);
  expect(status).toBe(200);
  return body.rows[0]?.metrics.count ?? 0;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soc-point-in-time-"));
  await run("chmod", ["0755", folder]);
  const archive = await makeFolder("archive");
  lost = await startPostgres({
    folder: await makeFolder("lost"),
    port: await freePort(),
    // As docs/operations/backup.md has it.
    settings: {
      wal_level: "replica",
      archive_mode: "on",
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/.%f && sync ${archive}/.%f && mv ${archive}/.%f ${archive}/%f`,
    },
  });
  soc = await start(`${lost.url}/postgres`, place("data"));
}, 180_000);

afterAll(async () => {
  for (const { service } of started) await service.stop();
  for (const server of [lost, recovered]) await server?.stop("SIGINT");
  await rm(folder, { recursive: true });
}, 60_000);

it("recovers the database between two acknowledged writes while logs are newer", {
  timeout: 240_000,
}, async () => {
  const base = join(await makeFolder("recovered"), "data");
  const args = ["--pgdata", base, "--wal-method=stream", "--checkpoint=fast", "--dbname", lost.url];
  await run("pg_basebackup", args, owner);

  await send("early", 100);
  const early = await manara(
    `backup --to ${place("early")} --keys ${place("keys")}`,
    at(`${lost.url}/postgres`, place("data")),
  );
  expect(early.code, early.err).toBe(0);
  await send("kept", 200);
  const kept = await openCase(soc.client);
  expect((await addEvidence(soc.client, kept, "disk 1")).status).toBe(201);
  await signEvidence();
  await clock.sleep(BETWEEN_MS);
  const instant = await askLost("SELECT now()");
  await clock.sleep(BETWEEN_MS);
  await send("later", 300);
  const later = await openCase(soc.client);
  const late = await manara(
    `backup --to ${place("late")} --keys ${place("keys")}`,
    at(`${lost.url}/postgres`, place("data")),
  );
  expect(late.code, late.err).toBe(0);

  // The last writes are archived, and then the machine is gone.
  const segment = await askLost("SELECT pg_walfile_name(pg_switch_wal())");
  const deadline = clock.deadline(ARCHIVED_MS);
  while (!(await readdir(place("archive"))).includes(segment)) await clock.sleep(100, deadline);
  await soc.service.stop();
  await lost.stop("SIGKILL");

  const startMs = clock.monotonicMs();
  await writeFile(join(base, "recovery.signal"), "");
  recovered = await startPostgres({
    folder: place("recovered"),
    port: await freePort(),
    settings: {
      restore_command: `cp ${place("archive")}/%f %p`,
      recovery_target_time: instant,
      recovery_target_action: "promote",
    },
  });
  const url = `${recovered.url}/postgres`;
  const words = `--keys ${place("keys")} --without-database --json`;
  const tooOld = await manara(`restore --from ${place("early")} ${words}`, at(url, place("too-old")));
  expect(tooOld).toMatchObject({ code: 1, err: expect.stringContaining("logs: the database is newer than they are") });
  const done = await manara(`restore --from ${place("late")} ${words}`, at(url, place("restored")));
  expect(done.code, done.err).toBe(0);
  const restored = await start(url, place("restored"));
  console.log(
    JSON.stringify({ what: "point in time", seconds: Math.round((clock.monotonicMs() - startMs) / 100) / 10 }),
  );

  expect((await restored.client.get(`/cases/${kept}`)).status).toBe(200);
  expect((await restored.client.get(`/cases/${later}`)).status).toBe(404);
  // Evidence is kept rather than dropped.
  expect([await count(restored, "early"), await count(restored, "kept"), await count(restored, "later")]).toEqual([
    100, 200, 300,
  ]);
  expect(await verifyLedger(restored.client, kept)).toMatch(/^GENUINE/i);
  expect((await restored.client.get("/ledger/status")).body.alarm).toBe(null);
});
