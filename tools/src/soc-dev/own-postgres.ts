import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { type PostgresHome, pathExists } from "./postgres-home.ts";

export interface OwnPostgres {
  /** The connection URL of the database owner. */
  url: string;
  /** Settles when the process has ended, for any reason. */
  ended: Promise<unknown>;
  isRunning(): boolean;
  /** The last lines of the log, which show why the server ended. */
  readLastLogLines(): Promise<string>;
  stop(): Promise<void>;
}

export interface OwnPostgresDeps {
  home: PostgresHome;
  clock: Pick<Clock, "sleep" | "deadline">;
  ids: Pick<Ids, "secret">;
  /** Stops waiting for the server to become ready. */
  signal: AbortSignal;
}

const run = promisify(execFile);
const OWNER = "owner";
// Not the developer's environment: it may contain passwords, or a locale that PostgreSQL does not support.
const ENVIRONMENT = { LC_ALL: "C" };
const STOP_MS = 5000;
const LAST_LINES = 5;
// A server that was just killed, or one of its child processes, is still running.
const STILL_RUNNING = /lock file .* already exists|shared memory block .* is still in use/;
const MAX_SHUTDOWN_MS = 10_000;

/** Starts PostgreSQL on a free loopback port, with the existing data or a new cluster. */
export async function startOwnPostgres({ home, clock, ids, signal }: OwnPostgresDeps): Promise<OwnPostgres> {
  const { folder } = home;
  const password = await openCluster(home, ids);
  const port = await freePort();
  const logFile = join(folder, "postgres.log");
  const readLastLogLines = async () =>
    (await readFile(logFile, "utf8")).trim().split("\n").slice(-LAST_LINES).join("\n");

  async function startServer(): Promise<ChildProcess> {
    const started = await spawnServer(home, port, logFile);
    while (isRunning(started) && !signal.aborted && !(await isReady(folder, started.pid))) await clock.sleep(50);
    return started;
  }

  let child = await startServer();
  const patience = clock.deadline(MAX_SHUTDOWN_MS);
  while (!isRunning(child) && !patience.aborted && STILL_RUNNING.test(await readLastLogLines())) {
    await clock.sleep(200);
    child = await startServer();
  }
  if (!isRunning(child))
    throw new Error(`PostgreSQL did not start. The last lines of its log:\n${await readLastLogLines()}`);
  const ended = once(child, "exit");
  return {
    url: `postgres://${OWNER}:${password}@127.0.0.1:${port}/postgres`,
    ended,
    isRunning: () => isRunning(child),
    readLastLogLines,
    async stop() {
      if (!isRunning(child)) return;
      child.kill("SIGINT");
      // SIGQUIT stops the server without a checkpoint; the next start runs recovery.
      clock.deadline(STOP_MS).addEventListener("abort", () => child.kill("SIGQUIT"));
      await ended;
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/**
 * Returns the owner's password, which is necessary because every user of this machine can connect to a loopback port.
 */
async function openCluster({ programs, folder, user }: PostgresHome, ids: Pick<Ids, "secret">): Promise<string> {
  const [data, passwordFile] = [join(folder, "data"), join(folder, "owner-password")];
  if (await pathExists(data)) return readFile(passwordFile, "utf8");
  // Use a temporary name until it is complete: a start that is killed half-way must not break the next one.
  const unfinished = join(folder, "data.unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  const password = ids.secret(24).toString("base64url");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [unfinished, passwordFile]) await chown(path, user.uid, user.gid);
  const signIn = ["-U", OWNER, "-A", "scram-sha-256", `--pwfile=${passwordFile}`];
  await run(join(programs, "bin/initdb"), ["-D", unfinished, ...signIn, "-E", "UTF8", "--locale=C"], {
    ...user,
    cwd: folder,
    env: ENVIRONMENT,
  });
  await rename(unfinished, data);
  return password;
}

async function spawnServer({ programs, folder, user }: PostgresHome, port: number, logFile: string) {
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    // A socket path is limited to about 100 bytes; the path of the folder may be longer.
    unix_socket_directories: "",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = await open(logFile, "w");
  const child: ChildProcess = spawn(join(programs, "bin/postgres"), ["-D", join(folder, "data"), ...args], {
    ...user,
    cwd: folder,
    env: ENVIRONMENT,
    stdio: ["ignore", log.fd, log.fd],
    // In its own process group: Ctrl-C must not end it before the service that uses it.
    detached: true,
  });
  await once(child, "spawn");
  await log.close();
  return child;
}

/** Reads the state file of the server. A killed server leaves such a file, too, with the id of another process. */
async function isReady(folder: string, pid: number | undefined): Promise<boolean> {
  const note = await readFile(join(folder, "data/postmaster.pid"), "utf8").catch(() => "");
  const lines = note.split("\n");
  return Number(lines[0]) === pid && lines[7]?.trim() === "ready";
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the system assigned no port");
  return address.port;
}
