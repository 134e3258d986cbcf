import { execFile, execFileSync } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { startPostgres } from "@kit/testing/postgres";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";
import { onTestFinished } from "vitest";
import { ADMIN_PASSWORD } from "../services.ts";
import { createSocClient, requestToken, type SocClient } from "./client.ts";

export interface StartedHost extends StartedProcess {
  url: string;
  port: number;
  dataFolder: string;
}

const run = promisify(execFile);
const clock = createClock();
const COMMAND = new URL("../../apps/soc/bundle/main-command.js", import.meta.url).pathname;
const START_MS = 90_000;
const MANY = "10000000";
/** The keys that every host is given. */
const KEYS = ["ledger.key", "channels.key"] as const;

export interface HostOptions {
  role: "api" | "intake" | "worker" | "relay" | "all";
  databaseUrl: string;
  /** Processes of one host share it; without one, the host is new. */
  dataFolder?: string;
  env?: Record<string, string>;
}

/** Starts a process of one role, as an operator does: `manara-soc start --role …`. It is stopped with the test. */
export async function startHost({ role, databaseUrl, env = {}, ...given }: HostOptions): Promise<StartedHost> {
  const port = await freePort();
  const dataFolder = given.dataFolder ?? (await mkdtemp(join(tmpdir(), "soc-host-")));
  const started = await startProcess({
    command: process.execPath,
    args: [COMMAND, "start", "--role", role],
    env: {
      SOC_MODE: "real",
      SOC_PORT: String(port),
      SOC_DATA_DIR: dataFolder,
      SOC_DATABASE_URL: databaseUrl,
      SOC_ADMIN_PASSWORD: ADMIN_PASSWORD,
      SOC_LIMIT_ADDRESS_PER_MINUTE: MANY,
      SOC_LIMIT_GENERAL_PER_MINUTE: MANY,
      ...env,
    },
    readyWhen: / is ready at /,
    withinMs: START_MS,
  });
  const host = { ...started, port, dataFolder, url: `http://localhost:${port}` };
  onTestFinished(async () => {
    await host.stop();
    if (given.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true });
  });
  return host;
}

/** A folder of a new host with the keys of another one, as secrets are given to it. */
export async function copyKeys(from: string): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "soc-secrets-"));
  for (const key of KEYS) await copyFile(join(from, key), join(folder, key));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { SOC_LEDGER_KEY_FILE: join(folder, "ledger.key"), SOC_CHANNELS_KEY_FILE: join(folder, "channels.key") };
}

/** The administrator at one host. */
export async function signInAt({ url }: Pick<StartedHost, "url">): Promise<SocClient> {
  return createSocClient(url, await requestToken(createSocClient(url)));
}

const BIN = "/usr/lib/postgresql";
const POSTGRES_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const SYNC = { synchronous_standby_names: "*", synchronous_commit: "on", wal_retrieve_retry_interval: "500ms" };

/** A primary and a standby that has every commit before it is acknowledged. */
export async function startPair() {
  const folders = [await mkdtemp(join(tmpdir(), "soc-pg-a-")), await mkdtemp(join(tmpdir(), "soc-pg-b-"))] as const;
  const [port, standbyPort] = [await freePort(), await freePort()];
  const primary = await startPostgres({ folder: folders[0], port });
  execFileSync("chown", ["-R", String(POSTGRES_USER.uid ?? ""), folders[1]]);
  const args = [
    "-D",
    join(folders[1], "data"),
    "-h",
    "127.0.0.1",
    "-p",
    String(port),
    "-U",
    "owner",
    "-R",
    "-X",
    "stream",
  ];
  execFileSync(join(BIN, newestVersion(), "bin/pg_basebackup"), args, { ...POSTGRES_USER, stdio: "ignore" });
  const standby = await startPostgres({ folder: folders[1], port: standbyPort });
  await query(port, `ALTER SYSTEM SET synchronous_standby_names = '${SYNC.synchronous_standby_names}'`);
  await query(port, "SELECT pg_reload_conf()");
  onTestFinished(async () => {
    await primary.stop("SIGKILL");
    await standby.stop("SIGINT");
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  return {
    /** The standby first: a client that takes the first host only would fail. */
    url: `postgres://owner@127.0.0.1:${standbyPort},127.0.0.1:${port}/postgres`,
    killPrimary: () => primary.stop("SIGKILL"),
    promote: async () => {
      await query(standbyPort, "ALTER SYSTEM SET synchronous_standby_names = ''");
      await query(standbyPort, "SELECT pg_promote()");
    },
    ask: (statement: string) => query(standbyPort, statement),
  };
}

function newestVersion(): string {
  const found = execFileSync("ls", [BIN], { encoding: "utf8" }).trim().split("\n");
  return found.toSorted((a, b) => Number(b) - Number(a))[0] ?? "";
}

async function query(port: number, statement: string): Promise<string[]> {
  const args = ["-XAt", "-v", "ON_ERROR_STOP=1", "-c", statement, `postgres://owner@127.0.0.1:${port}/postgres`];
  const deadline = clock.deadline(START_MS);
  for (;;) {
    try {
      return (await run("psql", args)).stdout.split("\n").filter(Boolean);
    } catch (error) {
      if (deadline.aborted) throw error;
      await clock.sleep(200);
    }
  }
}
