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
  /** As the owner of everything. */
  url: string;
  /** Settles when the process has ended, for any reason. */
  ended: Promise<unknown>;
  isRunning(): boolean;
  /** The last lines of its log, which say why it ended. */
  lastWords(): Promise<string>;
  stop(): Promise<void>;
}

export interface OwnPostgresDeps {
  home: PostgresHome;
  clock: Pick<Clock, "sleep" | "deadline">;
  ids: Pick<Ids, "secret">;
  /** Gives up waiting until it is ready. */
  signal: AbortSignal;
}

const run = promisify(execFile);
const OWNER = "owner";
// Not the developer's environment: it may hold passwords, or a locale that PostgreSQL does not know.
const ENVIRONMENT = { LC_ALL: "C" };
const STOP_MS = 5000;
const LAST_LINES = 5;
// A server that was killed a moment ago, or one of its child processes, has not ended yet.
const IN_THE_WAY = /lock file .* already exists|shared memory block .* is still in use/;
const DYING_MS = 10_000;

/** A PostgreSQL on a free port of loopback, with the existing data, or with an empty cluster. */
export async function startOwnPostgres({ home, clock, ids, signal }: OwnPostgresDeps): Promise<OwnPostgres> {
  const { folder } = home;
  const password = await openCluster(home, ids);
  const port = await freePort();
  const logFile = join(folder, "postgres.log");
  const lastWords = async () => (await readFile(logFile, "utf8")).trim().split("\n").slice(-LAST_LINES).join("\n");

  async function startServer(): Promise<ChildProcess> {
    const started = await spawnServer(home, port, logFile);
    while (isRunning(started) && !signal.aborted && !(await isReady(folder, started.pid))) await clock.sleep(50);
    return started;
  }

  let child = await startServer();
  const patience = clock.deadline(DYING_MS);
  while (!isRunning(child) && !patience.aborted && IN_THE_WAY.test(await lastWords())) {
    await clock.sleep(200);
    child = await startServer();
  }
  if (!isRunning(child)) throw new Error(`PostgreSQL did not start. Its last words:\n${await lastWords()}`);
  const ended = once(child, "exit");
  return {
    url: `postgres://${OWNER}:${password}@127.0.0.1:${port}/postgres`,
    ended,
    isRunning: () => isRunning(child),
    lastWords,
    async stop() {
      if (!isRunning(child)) return;
      child.kill("SIGINT");
      // A server that is stopped so writes no checkpoint; the next start recovers.
      clock.deadline(STOP_MS).addEventListener("abort", () => child.kill("SIGQUIT"));
      await ended;
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Returns the owner's password. It is needed because every user of this machine can connect to a loopback port. */
async function openCluster({ programs, folder, user }: PostgresHome, ids: Pick<Ids, "secret">): Promise<string> {
  const [data, passwordFile] = [join(folder, "data"), join(folder, "owner-password")];
  if (await pathExists(data)) return readFile(passwordFile, "utf8");
  // Under another name until it is complete: a start that is killed half-way must not spoil the next one.
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
    // The path of a socket may have some 100 bytes; that of the folder may have more.
    unix_socket_directories: "",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = await open(logFile, "w");
  const child: ChildProcess = spawn(join(programs, "bin/postgres"), ["-D", join(folder, "data"), ...args], {
    ...user,
    cwd: folder,
    env: ENVIRONMENT,
    stdio: ["ignore", log.fd, log.fd],
    // In a group of its own: Ctrl-C must not end it before the service that works with it.
    detached: true,
  });
  await once(child, "spawn");
  await log.close();
  return child;
}

/** By the file in which the server notes its state. One that was killed has left such a file, too, of another process. */
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
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
