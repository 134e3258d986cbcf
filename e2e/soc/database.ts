import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { type StartedPostgres, startPostgres } from "@kit/testing/postgres";
import { freePort, sendSignal } from "@kit/testing/process";
import { onTestFinished } from "vitest";
import { findChildren, isRunning } from "../processes.ts";

export interface TestDatabase {
  url: string;
  start(): Promise<void>;
  /** Shuts the server down cleanly. */
  stop(): Promise<void>;
  /** Kills all server processes at once, like a power failure. */
  kill(): Promise<void>;
  /** Copies the data folder of the stopped server, for `restore`. */
  copy(): Promise<void>;
  /** Replaces the data folder of the stopped server with the copy. */
  restore(): Promise<void>;
  /** Runs a statement directly as the owner, and returns the first column. */
  ask: (statement: string) => Promise<string[]>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

const run = promisify(execFile);
const clock = createClock();
const ENDED_MS = 10_000;

/** The same as `startDatabase` for one test: it is removed when the test is over. */
export async function startDatabaseForTest(): Promise<TestDatabase> {
  const database = await startDatabase();
  onTestFinished(() => database.remove());
  return database;
}

/** Starts a real PostgreSQL with durable commits. */
export async function startDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "soc-postgres-"));
  const [data, copied] = [join(folder, "data"), join(folder, "copied")];
  const port = await freePort();
  let server: StartedPostgres = await startPostgres({ folder, port });
  const url = `${server.url}/postgres`;
  return {
    url,

    async start() {
      server = await startPostgres({ folder, port });
    },

    async stop() {
      await server.stop("SIGINT");
    },

    async kill() {
      // A stopped parent cannot fork another process between the listing and the kill.
      sendSignal(server.pid, "SIGSTOP");
      const children = await findChildren(server.pid);
      for (const pid of children) sendSignal(pid, "SIGKILL");
      await server.stop("SIGKILL");
      const deadline = clock.deadline(ENDED_MS);
      for (const pid of children) while (await isRunning(pid)) await clock.sleep(5, deadline);
    },

    async copy() {
      await run("cp", ["-a", data, copied]);
    },

    async restore() {
      await rm(data, { recursive: true });
      await run("cp", ["-a", copied, data]);
    },

    async ask(statement) {
      const args = [
        "--no-psqlrc",
        "--tuples-only",
        "--no-align",
        "--set=ON_ERROR_STOP=1",
        `--command=${statement}`,
        url,
      ];
      const { stdout } = await run("psql", args, { maxBuffer: 64 * 1024 * 1024 });
      return stdout.split("\n").filter((line) => line !== "");
    },

    async remove() {
      await server.stop("SIGINT");
      await rm(folder, { recursive: true });
    },
  };
}
